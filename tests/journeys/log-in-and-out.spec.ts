// Covers: session, account, library, auth
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/journey.ts'
import { sessionOf } from '#tests/support/session-keys.ts'

const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const NOBODY = { token: null, refresh_token: null, tokenRefreshedDate: null }

test('NAV-38 HDR-16 SESS-14: a visitor who opens the library logs in, arrives there, returns to it, and logs out', async ({
  shop,
  page,
}) => {
  const nell = shop.someone('nell')
  await page.goto('/library')
  await expect(page).toHaveURL('/access-denied?from=%2Flibrary')
  await main(page).getByRole('link', { name: 'Log in' }).click()
  const logIn = async (password: string) => {
    await main(page).getByLabel('Email').fill(nell)
    await main(page).getByLabel('Password', { exact: true }).fill(password)
    await main(page).getByRole('button', { name: 'Log in' }).click()
  }
  await test.step('a focused field has one ring, around its box', async () => {
    const password = main(page).getByLabel('Password', { exact: true })
    await password.focus()
    const ring = (element: Element) => getComputedStyle(element).outlineStyle
    expect(await password.evaluate(ring)).toBe('none')
    expect(await password.locator('..').evaluate(ring)).toBe('solid')
  })
  await logIn('murmur-wrong')
  await expect(main(page).getByRole('alert')).toHaveText('Invalid credentials')
  expect(await sessionOf(page)).toEqual(NOBODY)

  const shelf = page.waitForResponse((response) => response.url().includes('/api/libraries'))
  const before = Date.now()
  await logIn('murmur-demo')
  expect((await shelf).ok()).toBe(true)
  await expect(page).toHaveURL('/library')
  await test.step('SESS-01: the device keeps the session', async () => {
    const session = await sessionOf(page)
    expect(session.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(session.refresh_token).toBeTruthy()
    const refreshed = Date.parse(session.tokenRefreshedDate!)
    expect(refreshed).toBeGreaterThanOrEqual(before)
    expect(refreshed).toBeLessThanOrEqual(Date.now())
  })

  await page.goto('/')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Library' }).click()
  await expect(page).toHaveURL('/library')
  await page.reload()
  await expect(h1(page, 'Library')).toBeVisible()
  await expect(page).toHaveTitle('Library | Murmur')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Library' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  const ledger = main(page).getByRole('listitem').filter({ hasText: 'The Lamplighter’s Ledger' })
  await expect(ledger).toContainText('Edda Marlow')
  await expect(main(page).getByText(/Demo recordings are a few minutes long/)).toBeVisible()

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  expect(await sessionOf(page)).toEqual(NOBODY)
  await page.goto('/library')
  await expect(page).toHaveURL('/access-denied?from=%2Flibrary')
})
