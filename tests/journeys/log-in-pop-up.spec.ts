// Covers: session, account, app
import type { Page } from '@playwright/test'
import { takenOver } from '#tests/support/page-errors.ts'
import { expect, test } from '#tests/support/journey.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress, aNewcomer, fillInRegistration } from '#tests/support/newcomer.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const openLogIn = async (page: Page) => {
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  await expect(dialog(page, 'Log in')).toBeVisible()
}

test('HDR-17 AUTHUI-02 AUTHUI-03: a visitor signs up in the pop-up without leaving the page, and later logs in there', async ({
  shop,
  page,
  context,
}) => {
  await page.goto('/faq')
  await takenOver(page)
  await test.step('a press outside the pop-up closes it', async () => {
    await openLogIn(page)
    await page.mouse.click(12, 400)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  const email = aNewAddress()
  await test.step('ERR-27: a taken address is reported, another one gets an email', async () => {
    await openLogIn(page)
    await dialog(page, 'Log in').getByRole('button', { name: 'Join Murmur' }).click()
    const form = dialog(page, 'Join Murmur')
    await fillInRegistration(form, { email: await aNewcomer(shop.url) })
    await form.getByRole('button', { name: 'Create account' }).click()
    await expect(form.getByRole('alert')).toHaveText(
      'This email already exists with a user account, please sign in',
    )
    await form.getByLabel('Email', { exact: true }).fill(email)
    await form.getByRole('button', { name: 'Create account' }).click()
    await expect(dialog(page, 'Check your email')).toContainText(email)
    await mailTo(shop.url, email, /Confirm your email/)
    await dialog(page, 'Check your email').getByRole('button', { name: 'Done' }).click()
  })
  const account = page.getByRole('banner').getByRole('button', { name: 'Account' })
  await account.click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()

  await openLogIn(page)
  const form = dialog(page, 'Log in')
  await form.getByLabel('Email', { exact: true }).fill(email)
  await form.getByLabel('Password', { exact: true }).fill('murmur-demo')
  await form.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(account).toBeVisible()
  await expect(page).toHaveURL('/faq')
  expect(context.pages()).toHaveLength(1)
})
