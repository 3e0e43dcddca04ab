import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import { h1, line, main, ordersOf, payByCard, putIntoBag, shelfOf } from '#tests/support/at-the-till.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress, aNewcomer } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 150_000 })

const ferry = (page: Page) => line(page, 'The Quiet Ferry')
const asGift = (page: Page, title = 'The Quiet Ferry') =>
  page.getByRole('checkbox', { name: `Send as a gift, ${title}` })
const theirEmail = (page: Page) => ferry(page).getByLabel('Their email')
const pay = (page: Page) => main(page).getByRole('button', { name: 'Pay now' })

async function bagOf(page: Page, ...paths: string[]) {
  for (const path of paths) await putIntoBag(page, path)
  await page.goto('/shopping-bag')
}

test('BAG-06 GIFT-09 GIFT-04 GIFT-10: each item can be a gift; no gift has no fields, and forgets who and what', async ({
  page,
}) => {
  await bagOf(page, '/audiobooks/the-quiet-ferry', '/audiobooks/nine-winters')
  await expect(asGift(page, 'Nine Winters')).not.toBeChecked()
  await expect(theirEmail(page)).toHaveCount(0)
  await asGift(page).check()
  await expect(theirEmail(page)).toBeVisible()
  await theirEmail(page).fill('mina@harbour.example')
  await ferry(page).getByLabel('Your message').fill('For the crossing.')
  await ferry(page).getByLabel('Your message').blur()
  await expect(pay(page)).toBeEnabled()
  await expectAccessibleEverywhere(page)

  // It stands on the server: another load shows it again.
  await page.reload()
  await expect(theirEmail(page)).toHaveValue('mina@harbour.example')
  await expect(ferry(page).getByLabel('Your message')).toHaveValue('For the crossing.')
  await asGift(page).uncheck()
  await expect(theirEmail(page)).toHaveCount(0)
  await asGift(page).check()
  await expect(theirEmail(page)).toHaveValue('')
  await expect(ferry(page).getByLabel('Your message')).toHaveValue('')
  await page.reload()
  await expect(theirEmail(page)).toHaveValue('')
})

test('GIFT-12: a gift address of a wrong shape says Invalid email when it is left, and on a second attempt', async ({
  page,
}) => {
  await bagOf(page, '/audiobooks/the-quiet-ferry')
  await asGift(page).check()
  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith('/purchased') && asked.push(request.url()))
  await theirEmail(page).fill('mina@harbour')
  await expect(ferry(page).getByText('Invalid email')).toHaveCount(0)
  await theirEmail(page).blur()
  await expect(ferry(page).getByText('Invalid email')).toBeVisible()
  await theirEmail(page).focus()
  await expect(ferry(page).getByText('Invalid email')).toHaveCount(0)
  await theirEmail(page).press('Enter')
  await expect(ferry(page).getByText('Invalid email')).toBeVisible()
  expect(asked).toEqual([])
})

test('GIFT-13 GIFT-14: whoever has the book already is said to, which a look at the field does not take away', async ({
  page,
}) => {
  await bagOf(page, '/audiobooks/the-lamplighters-ledger')
  const ledger = line(page, 'The Lamplighter’s Ledger')
  await asGift(page, 'The Lamplighter’s Ledger').check()
  const email = ledger.getByLabel('Their email')
  await email.fill('nell@murmur.example')
  await expect(ledger.getByText('Already have this book')).toBeVisible()
  await email.blur()
  await email.focus()
  await expect(ledger.getByText('Already have this book')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await email.fill('mina')
  await email.blur()
  await expect(ledger.getByText('Invalid email')).toBeVisible()
  await email.focus()
  await expect(ledger.getByText('Invalid email')).toHaveCount(0)
})

test('BAG-21: it cannot be paid while a gift has no valid address, or while there is nothing to pay', async ({
  page,
}) => {
  await bagOf(page, '/audiobooks/the-quiet-ferry')
  await expect(pay(page)).toBeEnabled()
  await asGift(page).check()
  await expect(pay(page)).toBeDisabled()
  await expect(main(page).getByText('Add an email address for each gift first.')).toBeVisible()
  await theirEmail(page).fill('mina@harbour')
  await expect(pay(page)).toBeDisabled()
  await theirEmail(page).fill('mina@harbour.example')
  await expect(pay(page)).toBeEnabled()
  await asGift(page).uncheck()
  await expect(pay(page)).toBeEnabled()

  // A bag that costs nothing before any code: the server says so, and the button does not go on.
  await page.route('**/api/carts/*', async (route) => {
    const answer = await route.fetch()
    const cart = (await answer.json()) as Record<string, unknown>
    await route.fulfill({ json: { ...cart, sumBeforeDiscount: 0, sumCheckedForPayment: 0 } })
  })
  await page.reload()
  await expect(pay(page)).toBeDisabled()
})

test('BAG-24: removing one gift leaves the other one as it is', async ({ page }) => {
  await bagOf(page, '/audiobooks/the-quiet-ferry', '/audiobooks/nine-winters')
  await asGift(page).check()
  await theirEmail(page).fill('mina@harbour.example')
  await expect(pay(page)).toBeEnabled()
  await asGift(page, 'Nine Winters').check()
  await line(page, 'Nine Winters').getByLabel('Their email').fill('otto@harbour')
  await expect(pay(page)).toBeDisabled()
  await main(page).getByRole('button', { name: 'Remove Nine Winters' }).click()
  await expect(line(page, 'Nine Winters')).toHaveCount(0)
  await expect(asGift(page)).toBeChecked()
  await expect(theirEmail(page)).toHaveValue('mina@harbour.example')
  await expect(pay(page)).toBeEnabled()
  // It comes back as what it was before: no gift.
  await putIntoBag(page, '/audiobooks/nine-winters')
  await page.goto('/shopping-bag')
  await expect(asGift(page, 'Nine Winters')).not.toBeChecked()
})

test('GIFT-11: what is in the buyer’s library already can only be given', async ({ shop, device }) => {
  const page = await (await device({ of: shop.someone('nell') })).newPage()
  await bagOf(page, '/audiobooks/the-lamplighters-ledger')
  await expect(asGift(page, 'The Lamplighter’s Ledger')).toBeChecked()
  await expect(asGift(page, 'The Lamplighter’s Ledger')).toBeDisabled()
  await expect(pay(page)).toBeDisabled()
})

test('GIFT-15: a message may be empty, long, and contain anything; it is text wherever it is shown', async ({
  page,
}) => {
  await bagOf(page, '/audiobooks/the-quiet-ferry')
  await asGift(page).check()
  await theirEmail(page).fill('mina@harbour.example')
  await expect(pay(page)).toBeEnabled()
  const message = ferry(page).getByLabel('Your message')
  for (const words of ['<img src=x onerror=alert(1)>', `${'word '.repeat(190)}\nend 🦉`, '']) {
    await message.fill(words)
    await message.blur()
    await expect(message).not.toHaveAttribute('aria-invalid', 'true')
    await expect(pay(page)).toBeEnabled()
  }
})

test('ERR-24: a gift that could not be saved says nothing, and the form can be used', async ({ page }) => {
  await bagOf(page, '/audiobooks/the-quiet-ferry')
  const wished = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await asGift(page).check()
  await wished
  await page.route('**/api/cart_items/*', (route) => route.fulfill({ status: 500, body: '{}' }))
  const tried = page.waitForResponse((response) => response.status() === 500)
  await theirEmail(page).fill('mina@harbour.example')
  await tried
  await expect(main(page).getByRole('alert')).toHaveCount(0)
  await expect(theirEmail(page)).not.toHaveAttribute('aria-invalid', 'true')
  await expect(pay(page)).toBeDisabled()
  await page.unroute('**/api/cart_items/*')
  await theirEmail(page).blur()
  await expect(pay(page)).toBeEnabled()
})

test('ORDER-09: a gift goes to its owner’s library and not to the giver’s, by the link of the mail', async ({
  shop,
  device,
}) => {
  const [giver, friend] = [await aNewcomer(shop.url), aNewAddress('friend')]
  const page = await (await device({ of: giver })).newPage()
  await bagOf(page, '/audiobooks/the-quiet-ferry', '/audiobooks/nine-winters')
  await asGift(page).check()
  await theirEmail(page).fill(friend)
  await expect(pay(page)).toBeEnabled()
  await ferry(page).getByLabel('Your message').fill('For the crossing.')
  await ferry(page).getByLabel('Your message').blur()
  await pay(page).click()
  await payByCard(page)
  await expect(h1(page, /Thank you/)).toBeVisible()
  await expect(main(page).getByText(/1 book is in your library now/)).toBeVisible()
  expect(await shelfOf(page)).toEqual(['audiobooks/nine-winters'])
  expect((await ordersOf(page))[0]!.orderItems.filter(({ gift }) => gift)).toHaveLength(1)

  const link = (await mailTo(shop.url, friend, /has given you The Quiet Ferry/)).link(/^\/get-book/)
  const theirs = await (await device()).newPage()
  await theirs.goto(link)
  // Who gave it, what it is and the giver's words come before any form.
  await expect(h1(theirs, 'The Quiet Ferry')).toBeVisible()
  await expect(main(theirs).getByText(/^A gift from /)).toBeVisible()
  await expect(main(theirs).getByText('For the crossing.')).toBeVisible()
  await expectAccessibleEverywhere(theirs)
  await expect(main(theirs).getByRole('link', { name: 'Create an account to keep it' })).toHaveAttribute(
    'href',
    /^\/sign-up\?/,
  )
  await main(theirs).getByRole('link', { name: 'I have an account' }).click()
  await expect(theirs).toHaveURL(/\/login/)
  await aNewcomer(shop.url, { email: friend })
  await theirs.getByRole('main').getByLabel('Email', { exact: true }).fill(friend)
  await theirs.getByRole('main').getByLabel('Password', { exact: true }).fill('murmur-demo')
  await theirs.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await expect(theirs).toHaveURL(/\/library/)
  await expect(main(theirs).getByRole('heading', { name: 'The Quiet Ferry' })).toBeVisible()
})

test('ACC-27: the gift of another address says whose account may claim it', async ({ shop, device }) => {
  const page = await (await device({ of: await aNewcomer(shop.url) })).newPage()
  await page.goto('/get-book?email=somebody%40harbour.example&token=none')
  await expect(main(page).getByText(/log in or register with somebody@harbour.example/)).toBeVisible()
  await expectAccessibleEverywhere(page)
  await main(page).getByRole('button', { name: 'Use another account' }).click()
  await expect(page).toHaveURL(/\/login\?.*email=somebody/)
  await expect(main(page).getByLabel('Email', { exact: true })).toHaveValue('somebody@harbour.example')
})

test('a gift that waits for an address is unwrapped in the library', async ({ device }) => {
  const page = await (await device({ of: 'giftee@murmur.example' })).newPage()
  await page.goto('/library')
  const waiting = main(page).getByRole('region', { name: 'A gift is waiting for you' })
  await expect(waiting).toBeVisible()
  await expectAccessibleEverywhere(page)
  await waiting.getByRole('button', { name: /^Unwrap/ }).click()
  await expect(waiting).toHaveCount(0)
  expect(await shelfOf(page)).toHaveLength(1)
})

test('trap 23: in the installed app, where the link opens elsewhere, the code of the mail is typed', async ({
  shop,
  device,
}) => {
  const [giver, friend] = [await aNewcomer(shop.url), await aNewcomer(shop.url)]
  const page = await (await device({ of: giver })).newPage()
  await bagOf(page, '/audiobooks/the-quiet-ferry')
  await asGift(page).check()
  await theirEmail(page).fill(friend)
  await expect(pay(page)).toBeEnabled()
  await pay(page).click()
  await payByCard(page)
  await expect(h1(page, 'Thank you. It’s on its way.')).toBeVisible()

  const { text } = await mailTo(shop.url, friend, /has given you The Quiet Ferry/)
  const code = /enter this code instead:\s+(\S+)/.exec(text)?.[1] ?? ''
  expect(code.length).toBeGreaterThan(8)
  const app = await (await device({ of: friend })).newPage()
  await app.goto('/library')
  await main(app).getByRole('button', { name: 'Use a gift code' }).click()
  await main(app).getByLabel('Gift code').fill('NONE-OF-OURS')
  await main(app).getByRole('button', { name: 'Claim' }).click()
  await expect(main(app).getByText('We don’t know this code.')).toBeVisible()
  await expectAccessibleEverywhere(app)
  await main(app).getByLabel('Gift code').fill(` ${code.toLowerCase()} `)
  await main(app).getByRole('button', { name: 'Claim' }).click()
  await expect(main(app).getByRole('heading', { name: 'The Quiet Ferry' })).toBeVisible()
})
