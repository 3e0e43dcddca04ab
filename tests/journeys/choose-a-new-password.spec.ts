import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { countMailsTo, mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress, aNewcomer, opens } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 90_000 })

const main = (page: Page) => page.getByRole('main')
const ask = async (page: Page, email: string) => {
  await main(page).getByLabel('Email', { exact: true }).fill(email)
  await main(page).getByRole('button', { name: 'Send the link' }).click()
}
const described = (page: Page, name: string) => main(page).getByLabel(name, { exact: true })

test('NAV-05 ACC-16: /forgot-password asks for an address, and says what is wrong with it; an unknown one is answered like any', async ({
  shop,
  page,
}) => {
  await page.goto('/forgot-password')
  await expect(page.getByRole('heading', { level: 1, name: 'Forgotten your password?' })).toBeVisible()
  await main(page).getByRole('button', { name: 'Send the link' }).click()
  await expect(described(page, 'Email')).toHaveAccessibleDescription('Email is required')
  await ask(page, 'not-an-address')
  await expect(described(page, 'Email')).toHaveAccessibleDescription('Email must be valid')
  await expectAccessibleEverywhere(page)
  await test.step('ERR-13: two dots in a row: a form cannot know every address that no mail reaches', async () => {
    await ask(page, 'a..b@murmur.example')
    await expect(main(page).getByRole('alert')).toHaveText('Invalid email')
    await expect(described(page, 'Email')).toHaveValue('a..b@murmur.example')
  })
  const email = aNewAddress('nobody')
  await ask(page, email)
  await expect(main(page).getByText('Please check your email')).toContainText(email)
  expect(await countMailsTo(shop.url, email)).toBe(0)
})

test('NAV-06 ACC-17 ACC-18 ACC-20 ROLE-02: the mail’s link leads to a new password, and on to the log-in', async ({
  shop,
  page,
}) => {
  const email = await aNewcomer(shop.url)
  await page.goto('/forgot-password')
  await ask(page, email)
  await expect(main(page).getByText('Please check your email')).toContainText(email)
  await expectAccessibleEverywhere(page)

  const link = (await mailTo(shop.url, email, /new password/)).link(/\/reset-password\//)
  expect(link).toMatch(/^\/reset-password\/[0-9a-f-]{36}\?token=./)
  await test.step('ERR-14: a wrong link says what is wrong with it, a shop that stumbles that something went wrong', async () => {
    await page.goto(`${link}x`)
    const reset = main(page).getByRole('button', { name: 'Reset Password' })
    await main(page).getByLabel('New password', { exact: true }).fill('another-one')
    await page.route('**/api/forgot_passwords/*', (route) => route.fulfill({ status: 500, json: {} }))
    await reset.click()
    await expect(main(page).getByRole('alert')).toHaveText('Something went wrong, please try again')
    await expect(main(page).getByLabel('New password', { exact: true })).toHaveValue('another-one')
    await page.unroute('**/api/forgot_passwords/*')
    await reset.click()
    await expect(main(page).getByRole('alert')).toHaveText(/no longer works/)
    expect(await opens(shop.url, email, 'murmur-demo')).toBe(true)
  })
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'CHOOSE A NEW PASSWORD' })).toBeVisible()
  const password = main(page).getByRole('textbox')
  await expect(password).toHaveCount(1)
  await expect(password).toHaveAttribute('type', 'password')
  await main(page).getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await main(page).getByRole('button', { name: 'Hide password' }).click()
  await expectAccessibleEverywhere(page)
  await password.fill('another-one')
  await main(page).getByRole('button', { name: 'Reset Password' }).click()
  await expect(main(page).getByText('Your new password is set.')).toBeVisible()
  await expect(password).toHaveCount(0)
  await main(page).getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/login')
  expect(await opens(shop.url, email, 'murmur-demo')).toBe(false)
  expect(await opens(shop.url, email, 'another-one')).toBe(true)
})

test('ACC-20: who is in and resets their own password stays in', async ({ shop, device }) => {
  const email = await aNewcomer(shop.url)
  const page = await (await device({ of: email })).newPage()
  await page.goto('/forgot-password')
  await ask(page, email)
  await page.goto((await mailTo(shop.url, email, /new password/)).link(/\/reset-password\//))
  await main(page).getByLabel('New password', { exact: true }).fill('another-one')
  await main(page).getByRole('button', { name: 'Reset Password' }).click()
  await expect(main(page).getByText('Your new password is set.', { exact: true })).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Log in' })).toHaveCount(0)
  await page.goto('/settings')
  await expect(main(page).getByLabel('First name')).toHaveValue('Una')
})

test('trap 23: the link opens in another browser, and the code of the same mail works where it was asked for', async ({
  shop,
  device,
}) => {
  const email = await aNewcomer(shop.url)
  const app = await (await device({ viewport: PHONE })).newPage()
  await app.goto('/forgot-password')
  await ask(app, email)
  const { code, link } = await mailTo(shop.url, email, /new password/)
  const browser = await (await device({ viewport: PHONE })).newPage()
  await browser.goto(link(/\/reset-password\//))
  await expect(browser.getByRole('heading', { name: 'CHOOSE A NEW PASSWORD' })).toBeVisible()

  await main(app).getByLabel('Code from the email').fill(code)
  await main(app).getByLabel('New password', { exact: true }).fill('another-one')
  await main(app).getByRole('button', { name: 'Reset Password' }).click()
  await expect(main(app).getByText('Your new password is set.')).toBeVisible()
  expect(await opens(shop.url, email, 'another-one')).toBe(true)
})
