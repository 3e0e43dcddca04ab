// Covers: account, session, integrations
import { expect, test } from '#tests/support/journey.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewcomer, opens } from '#tests/support/newcomer.ts'

test('ACC-17 ACC-18 ROLE-02: a user who forgot the password requests an email, sets a new one by its link, and logs in', async ({
  shop,
  page,
}) => {
  const email = await aNewcomer(shop.url)
  const main = page.getByRole('main')
  await page.goto('/forgot-password')
  await main.getByLabel('Email', { exact: true }).fill(email)
  await main.getByRole('button', { name: 'Send the link' }).click()
  await expect(main.getByText('Please check your email')).toContainText(email)

  const link = (await mailTo(shop.url, email, /new password/)).link(/\/reset-password\//)
  expect(link).toMatch(/^\/reset-password\/[0-9a-f-]{36}\?token=./)
  const password = main.getByLabel('New password', { exact: true })
  const reset = main.getByRole('button', { name: 'Reset Password' })
  await test.step('ERR-14: an invalid link explains why', async () => {
    await page.goto(`${link}x`)
    await password.fill('another-one')
    await reset.click()
    await expect(main.getByRole('alert')).toHaveText(/no longer works/)
    expect(await opens(shop.url, email, 'murmur-demo')).toBe(true)
  })
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'CHOOSE A NEW PASSWORD' })).toBeVisible()
  await password.fill('another-one')
  await reset.click()
  await expect(main.getByText('Your new password is set.')).toBeVisible()
  await main.getByRole('link', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/login')
  expect(await opens(shop.url, email, 'murmur-demo')).toBe(false)
  expect(await opens(shop.url, email, 'another-one')).toBe(true)
})
