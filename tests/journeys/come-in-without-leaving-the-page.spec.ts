import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress, aNewcomer, fillInRegistration } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 90_000 })

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const openLogIn = async (page: Page) => {
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  await expect(dialog(page, 'Log in')).toBeVisible()
}

test('HDR-17 AUTHUI-01: the header’s icon opens the log-in, and of the three pop-ups one is open', async ({
  page,
}) => {
  await page.goto('/faq')
  await openLogIn(page)
  await expect(page).toHaveURL('/faq')
  await dialog(page, 'Log in').getByRole('button', { name: 'Join Murmur' }).click()
  await expect(dialog(page, 'Join Murmur')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await dialog(page, 'Join Murmur').getByRole('button', { name: 'I have an account' }).click()
  await dialog(page, 'Log in').getByRole('button', { name: 'Forgotten your password?' }).click()
  await expect(dialog(page, 'Forgotten your password?')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
})

test('on a phone a free book opens the log-in, and closing it leaves the page where it was', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  await page.goto('/audiobooks/a-field-guide-to-small-hours')
  await page.getByRole('main').getByRole('button', { name: 'ADD TO LIBRARY' }).click()
  await expect(dialog(page, 'Log in')).toBeVisible()
  await dialog(page, 'Log in').getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL('/audiobooks/a-field-guide-to-small-hours')
})

test('AUTHUI-02: a press beside a pop-up closes it, whichever it is', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await page.goto('/faq')
  for (const other of [undefined, 'Join Murmur', 'Forgotten your password?']) {
    await openLogIn(page)
    if (other) await dialog(page, 'Log in').getByRole('button', { name: other }).click()
    await expect(dialog(page, other ?? 'Log in')).toBeVisible()
    await page.mouse.click(12, 400)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('somebody logs in without leaving the page they read', async ({ shop, page }) => {
  const email = await aNewcomer(shop.url)
  await page.goto('/faq')
  await openLogIn(page)
  const form = dialog(page, 'Log in')
  await form.getByLabel('Email', { exact: true }).fill(email)
  await form.getByLabel('Password', { exact: true }).fill('not-it-at-all')
  await form.getByRole('button', { name: 'Log in' }).click()
  await expect(form.getByRole('alert')).toHaveText('Invalid credentials')
  await form.getByLabel('Password', { exact: true }).fill('murmur-demo')
  await form.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL('/faq')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Account' })).toBeVisible()
})

test('AUTHUI-03 ERR-27: joining in the pop-up shows that a mail is on its way; a taken address says so', async ({
  shop,
  page,
}) => {
  await page.goto('/faq')
  await openLogIn(page)
  await dialog(page, 'Log in').getByRole('button', { name: 'Join Murmur' }).click()
  const form = dialog(page, 'Join Murmur')
  await fillInRegistration(form, { email: await aNewcomer(shop.url) })
  await form.getByRole('button', { name: 'Create account' }).click()
  await expect(form.getByRole('alert')).toHaveText(
    'This email already exists with a user account, please sign in',
  )
  const email = aNewAddress()
  await form.getByLabel('Email', { exact: true }).fill(email)
  await form.getByRole('button', { name: 'Create account' }).click()
  await expect(dialog(page, 'Check your email')).toContainText(email)
  await mailTo(shop.url, email, /Confirm your email/)
  await dialog(page, 'Check your email').getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Account' })).toBeVisible()
  await expect(page).toHaveURL('/faq')
})

test('AUTHUI-04: asking for a new password in the pop-up shows that a mail is on its way', async ({
  shop,
  page,
}) => {
  const email = await aNewcomer(shop.url)
  await page.goto('/faq')
  await openLogIn(page)
  await dialog(page, 'Log in').getByRole('button', { name: 'Forgotten your password?' }).click()
  const form = dialog(page, 'Forgotten your password?')
  await form.getByLabel('Email', { exact: true }).fill(email)
  await form.getByRole('button', { name: 'Send the link' }).click()
  await expect(form.getByText('Please check your email')).toContainText(email)
  await mailTo(shop.url, email, /new password/)
})

test('each pop-up is for everybody', async ({ page }) => {
  await page.goto('/faq')
  await openLogIn(page)
  await expectAccessibleEverywhere(page)
  await dialog(page, 'Log in').getByRole('button', { name: 'Join Murmur' }).click()
  await expect(dialog(page, 'Join Murmur')).toBeVisible()
  await expectAccessibleEverywhere(page)
  await dialog(page, 'Join Murmur').getByRole('button', { name: 'I have an account' }).click()
  await dialog(page, 'Log in').getByRole('button', { name: 'Forgotten your password?' }).click()
  await expect(dialog(page, 'Forgotten your password?')).toBeVisible()
  await expectAccessibleEverywhere(page)
})

test('the log-in icon is a link too: in a new tab it opens the page', async ({ page, context }) => {
  await page.goto('/faq')
  const opened = context.waitForEvent('page')
  await page
    .getByRole('banner')
    .getByRole('link', { name: 'Log in' })
    .click({ modifiers: ['ControlOrMeta'] })
  await expect(await opened).toHaveURL('/login')
})
