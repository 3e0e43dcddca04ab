import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress, aNewcomer, fillInRegistration } from '#tests/support/newcomer.ts'
import { sessionOf } from '#tests/support/session-of.ts'

test.describe.configure({ timeout: 90_000 })

const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const create = (page: Page) => main(page).getByRole('button', { name: 'Create account' })

test('NAV-03 ACC-06 ACC-12 ACC-15 ROLE-02: a visitor joins, is in at once, and is asked to look at the mail', async ({
  shop,
  page,
}) => {
  const email = aNewAddress()
  await page.goto('/sign-up')
  await expect(h1(page, 'Join Murmur')).toBeVisible()
  await expect(page).toHaveTitle('Join Murmur | Murmur')
  await expect(main(page).getByLabel('Send me the newsletter')).toBeChecked()
  await expectAccessibleEverywhere(page)

  await expect(create(page)).toBeDisabled()
  await fillInRegistration(main(page), { email })
  await expect(create(page)).toBeEnabled()
  await create(page).click()
  await expect(h1(page, 'Check your email')).toBeVisible()
  await expect(main(page).getByText('a verification link')).toContainText(email)
  await expectAccessibleEverywhere(page)
  await expect(page.getByRole('banner').getByRole('button', { name: 'Account' })).toBeVisible()
  expect((await sessionOf(page)).token).toBeTruthy()

  await test.step('trap 23: the code of the mail is typed here, since the link opens elsewhere', async () => {
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

test('NAV-04 ACC-07: the app’s variant has the same form and no frame around it', async ({ shop, page }) => {
  await page.setViewportSize(PHONE)
  await page.goto('/app-sign-up')
  await expect(h1(page, 'Join Murmur')).toBeVisible()
  for (const part of ['banner', 'contentinfo', 'navigation'] as const)
    await expect(page.getByRole(part)).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'I have an account' })).toHaveCount(0)
  await expectAccessibleEverywhere(page)
  const email = aNewAddress('app')
  await fillInRegistration(page, { email })
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(h1(page, 'Check your email')).toBeVisible()
  await mailTo(shop.url, email, /Confirm your email/)
})

test('ACC-13 OP-04: who comes by a gift’s link, by /signup too, joins with the gift’s address', async ({
  shop,
  page,
}) => {
  const email = aNewAddress('giftee')
  await page.goto(`/signup?email=${encodeURIComponent(email)}&token=gift-token`)
  await expect(page).toHaveURL(/\/sign-up\?email=giftee/)
  await expect(main(page).getByLabel('Email', { exact: true })).toHaveValue(email)
  await expect(main(page).getByLabel('Email', { exact: true })).toHaveAttribute('readonly', '')
  await fillInRegistration(main(page), {})
  await create(page).click()
  await expect(main(page).getByRole('link', { name: 'Go to your gift' })).toHaveAttribute(
    'href',
    `/get-book?email=${encodeURIComponent(email)}&token=gift-token`,
  )
  await mailTo(shop.url, email, /Confirm your email/)
})

test('ACC-04 ACC-14 ACC-39 ACC-23 ROLE-17: who is in goes on from log-in and sign-up, confirms without a password, and finds no administrator’s door', async ({
  shop,
  device,
}) => {
  const email = await aNewcomer(shop.url)
  const page = await (await device({ of: email })).newPage()
  await page.goto('/login?type=subscription')
  await expect(page).toHaveURL('/subscription-details')
  await page.goto('/sign-up')
  await expect(page).toHaveURL('/settings')
  const gift = `email=${encodeURIComponent('greta@murmur.example')}`
  await page.goto(`/sign-up?${gift}`)
  await expect(page).toHaveURL(new RegExp(`/get-book\\?${gift.replace('+', '\\+')}`))
  await page.goto(`/sign-up?${gift}&type=subscription`)
  await expect(page).toHaveURL(new RegExp(`/get-subscription\\?${gift}`))
  await page.goto('/login')
  await expect(page).toHaveURL('/settings')

  await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeVisible()
  await page.goto((await mailTo(shop.url, email, /Confirm your email/)).link(/\/confirm\//))
  await expect(page).toHaveURL('/settings?confirmed=1')
  await expect(page.getByText('Your address is confirmed.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Confirm your email' })).toBeHidden()

  for (const path of ['/admin', '/administration', '/dashboard']) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
  await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /admin|manage users/i })).toHaveCount(0)
})

/** Where nobody is in, the link asks for the password of the account. */
async function confirmAs(page: Page, password: string): Promise<void> {
  await main(page).getByLabel('Password', { exact: true }).fill(password)
  await main(page).getByRole('button', { name: 'Confirm my email' }).click()
}

test('NAV-07 ACC-24 ERR-16 MEMB-13 ERR-17: the mail’s link, opened by a visitor, asks for the password, welcomes and shows where to begin', async ({
  shop,
  page,
}) => {
  await test.step('a link that confirms nothing says so, with a way to get in touch', async () => {
    await page.goto('/confirm/not-a-link-of-ours')
    await expect(
      main(page).getByText(/there seems to have been an error verifying your account/),
    ).toBeVisible()
    await expectAccessibleEverywhere(page)
    await main(page).getByRole('link', { name: 'Get in touch' }).click()
    await expect(page).toHaveURL('/info/support')
  })
  // The demo keeps its mail where it can be read.
  await page.goto('/dev/mail?to=unconfirmed@murmur.example')
  const letter = page.getByRole('article').filter({ hasText: 'unconfirmed@murmur.example' })
  await expect(letter.getByRole('heading', { name: 'Welcome, Una' })).toBeVisible()
  await expectAccessible(page)
  await letter.getByText('As text').click()
  await expect(letter.getByText(/Confirm my email:\s+http/)).toBeVisible()
  await letter.getByRole('link', { name: 'Confirm my email' }).click()
  await confirmAs(page, 'murmur-demo')
  await expect(h1(page, 'Welcome')).toBeVisible()
  for (const [name, path] of [
    ['Audiobooks', '/audiobooks'],
    ['Current highlights', '/subscriber-selection'],
    ['Editions', '/editions'],
    ['Murmurations', '/murmurations'],
    ['Membership', '/subscription'],
  ] as const)
    await expect(main(page).getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
  await expectAccessibleEverywhere(page)
  // Once more, as whoever presses twice does.
  await page.reload()
  await expect(h1(page, 'Welcome')).toBeVisible()

  await test.step('a link that leads to the plans says above them what became of it', async () => {
    const email = await aNewcomer(shop.url)
    const [, token] = /\/confirm\/(.+)/.exec(
      (await mailTo(shop.url, email, /Confirm your email/)).link(/\/confirm\//),
    )!
    await page.goto('/subscription/not-a-link-of-ours')
    await expect(main(page).getByRole('alert')).toContainText(
      'There was a problem confirming your email. Please try the link again or contact support.',
    )
    await expect(main(page).getByRole('region', { name: 'Plans' })).toBeVisible()
    await expectAccessibleEverywhere(page)
    await page.goto(`/subscription/${token}`)
    await confirmAs(page, 'murmur-demo')
    await expect(main(page).getByText('Your address is confirmed.')).toBeVisible()
    await expect(main(page).getByRole('region', { name: 'Plans' })).toBeVisible()
  })
})
