// Covers: account, session
import type { Page } from '@playwright/test'
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress, fillInRegistration } from '#tests/support/newcomer.ts'
import { sessionOf } from '#tests/support/session-keys.ts'

const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('NAV-03 ACC-15 ROLE-02: a visitor signs up, is logged in at once, is asked to check their email, and types its code', async ({
  shop,
  page,
}) => {
  const email = aNewAddress()
  await page.goto('/sign-up')
  await expect(h1(page, 'Join Murmur')).toBeVisible()
  await fillInRegistration(main(page), { email })
  await main(page).getByRole('button', { name: 'Create account' }).click()
  await expect(h1(page, 'Check your email')).toBeVisible()
  await expect(main(page).getByText('a verification link')).toContainText(email)
  await expectAccessible(page)
  await expect(page.getByRole('banner').getByRole('button', { name: 'Account' })).toBeVisible()
  expect((await sessionOf(page)).token).toBeTruthy()

  await test.step('trap 23: the email’s code is typed here, because its link opens another browser', async () => {
    const { code } = await mailTo(shop.url, email, /Confirm your email/)
    await main(page)
      .getByLabel('Code from the email')
      .fill(code === '0000-0000' ? '1111-1111' : '0000-0000')
    await main(page).getByRole('button', { name: 'Confirm my email' }).click()
    await expect(main(page).getByRole('alert')).toContainText('That code isn’t right')
    await main(page).getByLabel('Code from the email').fill(code.replace('-', ' '))
    await main(page).getByRole('button', { name: 'Confirm my email' }).click()
    await expect(main(page).getByText('is confirmed')).toBeVisible()
    await page.goto('/settings')
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeHidden()
  })
})

test('NAV-07 ACC-24: the email’s link, opened by a visitor, asks for the password and confirms, also the second time', async ({
  page,
}) => {
  // The demo shows its mail in a public mailbox.
  await page.goto('/dev/mail?to=unconfirmed@murmur.example')
  const letter = page.getByRole('article').filter({ hasText: 'unconfirmed@murmur.example' })
  await expect(letter.getByRole('heading', { name: 'Welcome, Una' })).toBeVisible()
  await expectAccessible(page)
  await letter.getByText('As text').click()
  await expect(letter.getByText(/Confirm my email:\s+http/)).toBeVisible()
  await letter.getByRole('link', { name: 'Confirm my email' }).click()
  await main(page).getByLabel('Password', { exact: true }).fill('murmur-demo')
  await main(page).getByRole('button', { name: 'Confirm my email' }).click()
  await expect(h1(page, 'Welcome')).toBeVisible()
  await expectAccessible(page)
  // Load it again, as after a double press.
  await page.reload()
  await expect(h1(page, 'Welcome')).toBeVisible()
  await main(page).getByRole('link', { name: 'Membership', exact: true }).click()
  await expect(page).toHaveURL('/subscription')
})
