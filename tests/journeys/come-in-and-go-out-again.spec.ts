import type { Page } from '@playwright/test'
import { logIn, expect, DESKTOP, PHONE, test } from '#tests/support/journey.ts'
import { sessionOf } from '#tests/support/session-of.ts'

const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('NAV-38 HDR-16 SESS-01 SESS-03 SESS-14: log-in keeps the session on the device and loads the library, log-out removes it', async ({
  shop,
  device,
}) => {
  const page = await (await device({ viewport: DESKTOP })).newPage()
  const shelf = page.waitForResponse((response) => response.url().includes('/api/libraries'))
  const before = Date.now()
  await logIn(page, shop.someone('nell'))
  await expect(page).toHaveURL('/')
  const session = await sessionOf(page)
  expect(session.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  expect(session.refresh_token).toBeTruthy()
  const refreshed = Date.parse(session.tokenRefreshedDate!)
  expect(refreshed).toBeGreaterThanOrEqual(before)
  expect(refreshed).toBeLessThanOrEqual(Date.now())
  expect((await shelf).ok()).toBe(true)

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Library' }).click()
  await expect(page).toHaveURL('/library')
  await expect(h1(page, 'Library')).toBeVisible()
  await page.goto('/library')
  await expect(h1(page, 'Library')).toBeVisible()
  await expect(page).toHaveTitle('Library | Murmur')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Library' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  const ledger = main(page).getByRole('listitem').filter({ hasText: 'The Lamplighter’s Ledger' })
  await expect(ledger).toContainText('Edda Marlow')
  await expect(main(page).getByText(/each recording is only a few minutes long/)).toBeVisible()

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  expect(await sessionOf(page)).toEqual({ token: null, refresh_token: null, tokenRefreshedDate: null })
  await page.goto('/library')
  await expect(page).toHaveURL('/access-denied?from=%2Flibrary')
})

test('NAV-02 ACC-01 ROLE-15 ROLE-16: what needs an account asks a visitor to log in, and the log-in leads back to it', async ({
  shop,
  device,
}) => {
  const page = await (await device({ viewport: PHONE })).newPage()
  await page.goto('/')
  await page.getByRole('navigation').getByRole('link', { name: 'You' }).click()
  await expect(page).toHaveURL('/login')
  await expect(h1(page, 'Log in')).toBeVisible()
  await expect(page).toHaveTitle('Log in | Murmur')
  await main(page).getByRole('link', { name: 'Forgotten your password?' }).click()
  await expect(page).toHaveURL('/forgot-password')
  await page.goBack()
  await main(page).getByRole('link', { name: 'Join Murmur' }).click()
  await expect(page).toHaveURL('/sign-up')

  for (const path of ['/settings', '/library']) {
    await page.goto(path)
    await expect(page).toHaveURL(`/access-denied?from=${encodeURIComponent(path)}`)
    await expect(h1(page, 'This page needs an account')).toBeVisible()
    await expect(page).toHaveTitle('This page needs an account | Murmur')
  }
  await main(page).getByRole('link', { name: 'Log in' }).click()
  const form = async (email: string, password: string) => {
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill(password)
    await main(page).getByRole('button', { name: 'Log in' }).click()
  }
  const nell = shop.someone('nell')
  await test.step('ERR-12: a wrong password and an unknown address are answered alike, and what was typed stays', async () => {
    for (const email of [nell, 'nobody@murmur.example']) {
      await form(email, 'murmur-wrong')
      await expect(main(page).getByRole('alert')).toHaveText('Invalid credentials')
      await expect(main(page).getByLabel('Email')).toHaveValue(email)
    }
    expect((await sessionOf(page)).token).toBeNull()
  })
  await form(nell, 'murmur-demo')
  await expect(page).toHaveURL('/library')
  await expect(page.getByRole('link', { name: 'The Lamplighter’s Ledger' })).toBeVisible()
})
