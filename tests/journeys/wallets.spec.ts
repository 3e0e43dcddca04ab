// Covers: checkout, payments, account
import type { Page } from '@playwright/test'
import { answerBank, h1, main, putIntoBag, thanked } from '#tests/support/checkout-page.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'

const wallets = (page: Page) => page.frameLocator('iframe[title="Secure express checkout frame"]')
const sheet = (page: Page) => page.frameLocator('iframe[title="Wallet"]')
/** Also runs in the sandbox's frames, whose storage it is for. */
const store = (page: Page, name: string, value: string) =>
  page.addInitScript(([key, text]) => localStorage.setItem(key!, text!), [name, value])
const walletOf = (page: Page, email: string) => store(page, 'walletEmail', email)

test('paying: a first book with a wallet takes three taps and no fields, and a password is chosen afterwards', async ({
  device,
}) => {
  const page = await (await device({ viewport: PHONE, touch: true })).newPage()
  await walletOf(page, 'first@wallet.example')
  await page.goto('/audiobooks/the-quiet-ferry')
  await main(page).getByRole('button', { name: 'Buy now' }).tap()
  await expect(h1(page, 'Checkout')).toBeVisible()
  await wallets(page).getByRole('button', { name: 'Pay with Apple Pay' }).tap()
  await expect(sheet(page).getByText('Robin Wallis, first@wallet.example')).toBeVisible()
  await sheet(page).getByRole('button', { name: 'Pay with Apple Pay' }).tap()
  await thanked(page)
  await expect(page.getByText('Order M')).toBeVisible()

  await page.getByLabel('New password').fill('a-quiet-ferry')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeHidden()
})

test('paying: a wallet that is closed, refused, and asked by the bank, charges once', async ({ device }) => {
  const page = await (await device()).newPage()
  await walletOf(page, 'second@wallet.example')
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await page.goto('/payment')
  const press = async (wallet: string, answer: string) => {
    await wallets(page)
      .getByRole('button', { name: `Pay with ${wallet}` })
      .click()
    await sheet(page).getByRole('button', { name: answer }).click()
  }
  await press('Link', 'Close')
  await expect(page.locator('iframe[title="Wallet"]')).toBeHidden()
  await expect(h1(page, 'Checkout')).toBeVisible()
  await press('Google Pay', 'Pay with a card that is refused')
  await expect(page).toHaveURL(/\/payment-problem/)
  await page.goto('/payment')
  await press('Google Pay', 'Pay, and let the bank ask')
  await answerBank(page, 'Complete authentication')
  await thanked(page)
})

test('paying: a browser without wallets has the form alone, and nothing shifts', async ({ device }) => {
  const page = await (await device({ viewport: PHONE })).newPage()
  await store(page, 'wallets', 'none')
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await page.goto('/payment')
  const email = page.getByLabel('Email', { exact: true })
  await expect(email).toBeVisible()
  const before = await email.boundingBox()
  await expect(page.frameLocator('iframe[title="Secure CVC input frame"]').getByRole('textbox')).toBeVisible()
  await expect(page.locator('iframe[title="Secure express checkout frame"]')).toBeAttached()
  expect((await email.boundingBox())?.y).toBe(before?.y)
})

test('paying: a wallet joins, changes the membership’s card, starts a trial and gives a membership', async ({
  device,
}) => {
  const asVisitor = async (email: string, path: string) => {
    const page = await (await device()).newPage()
    await walletOf(page, email)
    await page.goto(path)
    return page
  }
  const pay = async (page: Page) => {
    await wallets(page).getByRole('button', { name: 'Pay with Google Pay' }).click()
    await sheet(page).getByRole('button', { name: 'Pay with Google Pay' }).click()
  }
  const joins = await asVisitor('third@wallet.example', '/payment?plan=4')
  await pay(joins)
  await expect(h1(joins, /^Welcome, Robin/)).toBeVisible()
  await expect(joins.getByRole('heading', { name: 'Choose a password' })).toBeVisible()

  await joins.goto('/subscription-details')
  await joins.getByRole('link', { name: 'Update payment' }).click()
  await expect(h1(joins, 'Your new card')).toBeVisible()
  await pay(joins)
  await expect(joins).toHaveURL(/subscription-details$/)
  await expect(joins.getByText('We’ll use this card for your membership from now on.')).toBeVisible()

  const tries = await asVisitor('fourth@wallet.example', '/free-trial')
  await pay(tries)
  await expect(h1(tries, /days have started/)).toBeVisible()

  const gives = await asVisitor('fifth@wallet.example', '/payment?plan=4&gift=gift')
  await gives.getByLabel(/^Their email/).fill('a-friend@wallet.example')
  await pay(gives)
  await expect(gives).toHaveURL(/subscription-successful-gift/)
})
