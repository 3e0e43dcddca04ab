import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress, aNewcomer, fillInRegistration } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 90_000 })

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const openLogIn = async (page: Page) => {
  await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
  await expect(dialog(page, 'Log in')).toBeVisible()
}

test('HDR-17 AUTHUI-01 AUTHUI-02: the header’s icon opens the log-in, of the three pop-ups one is open, and a press beside it closes it', async ({
  page,
  context,
}) => {
  await page.goto('/faq')
  const onlyOne = async (name: string) => {
    await expect(dialog(page, name)).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await expectAccessibleEverywhere(page)
  }
  const pressBeside = async () => {
    await page.mouse.click(12, 400)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await openLogIn(page)
  await expect(page).toHaveURL('/faq')
  await onlyOne('Log in')
  await pressBeside()
  await openLogIn(page)
  await dialog(page, 'Log in').getByRole('button', { name: 'Join Murmur' }).click()
  await onlyOne('Join Murmur')
  await pressBeside()
  await openLogIn(page)
  await dialog(page, 'Log in').getByRole('button', { name: 'Join Murmur' }).click()
  await dialog(page, 'Join Murmur').getByRole('button', { name: 'I have an account' }).click()
  await dialog(page, 'Log in').getByRole('button', { name: 'Forgotten your password?' }).click()
  await onlyOne('Forgotten your password?')
  await pressBeside()

  await test.step('the icon is a link too: in a new tab it opens the page', async () => {
    const opened = context.waitForEvent('page')
    await page
      .getByRole('banner')
      .getByRole('link', { name: 'Log in' })
      .click({ modifiers: ['ControlOrMeta'] })
    await expect(await opened).toHaveURL('/login')
  })
})

test('ROLE-05: a visitor who takes a free book is asked to log in, and closing that leaves the page where it was', async ({
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

test('AUTHUI-04: somebody asks for a new password and logs in without leaving the page they read', async ({
  shop,
  page,
}) => {
  const email = await aNewcomer(shop.url)
  await page.goto('/faq')
  await openLogIn(page)
  await dialog(page, 'Log in').getByRole('button', { name: 'Forgotten your password?' }).click()
  const asking = dialog(page, 'Forgotten your password?')
  await asking.getByLabel('Email', { exact: true }).fill(email)
  await asking.getByRole('button', { name: 'Send the link' }).click()
  await expect(asking.getByText('Please check your email')).toContainText(email)
  await mailTo(shop.url, email, /new password/)
  await page.mouse.click(12, 400)
  await expect(page.getByRole('dialog')).toHaveCount(0)

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
