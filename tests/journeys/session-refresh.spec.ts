// Covers: session, net, auth
import type { BrowserContext, Page } from '@playwright/test'
import { AtThePlayer } from '#tests/support/player-page.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { sessionOf, spoilTokens } from '#tests/support/session-keys.ts'
import { download } from '#tests/support/title-actions.ts'

const REFRESH = '**/api/token/refresh'
const SHELF_LINK = { name: 'The Lamplighter’s Ledger' }

/** Records every request for new tokens, from all tabs. */
function countRefreshes(context: BrowserContext): { body: string | null }[] {
  const refreshes: { body: string | null }[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/api/token/refresh')) refreshes.push({ body: request.postData() })
  })
  return refreshes
}

const expectShelf = (page: Page) => expect(page.getByRole('link', SHELF_LINK)).toBeVisible()

/**
 * The user's shelves are a page's last background request. After that, the next press is the first to use a spoilt
 * token.
 */
const expectQuiet = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/user_shelf_titles')),
      ),
    )
    .toBe(true)

test('SESS-08, trap 20: two tabs with an expired token refresh it once, repeat their requests, and stay logged in', async ({
  shop,
  device,
}) => {
  const context = await device({ of: shop.someone('nell') })
  const tabs = [await openPage(context), await openPage(context)] as const
  // A tab that is left in the middle of its refresh lets the next one repeat it, which the server expects.
  await Promise.all(tabs.map(expectQuiet))
  const before = await sessionOf(tabs[0])
  const refreshes = countRefreshes(context)
  const refused = tabs.map((tab) => tab.waitForResponse((response) => response.status() === 401))
  await context.route(REFRESH, async (route) => {
    await Promise.all(refused)
    await route.continue()
  })
  await spoilTokens(tabs[0])
  await Promise.all(tabs.map((tab) => tab.goto('/library')))
  await Promise.all(tabs.map(expectShelf))
  expect(refreshes.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
    {
      refresh_token: before.refresh_token,
      device: { id: expect.any(String), browser: expect.any(String) },
    },
  ])

  // Both tabs have the same new session, and it works.
  await Promise.all(tabs.map((tab) => tab.reload()))
  await Promise.all(tabs.map(expectShelf))
  expect(refreshes).toHaveLength(1)
  const after = await sessionOf(tabs[0])
  expect(after).toEqual(await sessionOf(tabs[1]))
  expect(after.refresh_token).not.toBe(before.refresh_token)
  expect(Date.parse(after.tokenRefreshedDate!)).toBeGreaterThan(Date.parse(before.tokenRefreshedDate!))
})

test('SESS-09 SESS-10: a refused refresh leads to the log-in, in the background it only asks, and without a response nothing is lost', async ({
  shop,
  device,
}) => {
  const context = await device({ of: shop.someone('nell') })
  const page = await openPage(context, '/library')
  await expectShelf(page)
  await expectQuiet(page)

  await spoilTokens(page)
  const kept = await sessionOf(page)
  await test.step('a server error: the tokens stay', async () => {
    await page.route(REFRESH, (route) => route.fulfill({ status: 503, body: '' }))
    const asked = page.waitForRequest(REFRESH)
    await page.reload()
    await asked
    // The titles come from the device.
    await expectShelf(page)
    await expect(page.getByText('Your library is empty')).toBeHidden()
    expect(await sessionOf(page)).toEqual(kept)
    await page.unroute(REFRESH)
  })

  await test.step('the refresh works again, and the user stayed logged in', async () => {
    await page.reload()
    await expectShelf(page)
    await expectQuiet(page)
    await expect(page.getByText('Please log in again')).toBeHidden()
  })

  await test.step('refused for a screen’s request: to the log-in', async () => {
    await page
      .getByRole('button', { name: `More for ${SHELF_LINK.name}` })
      .first()
      .click()
    // Spoil the tokens and press in one step: a background request in between could end the session first.
    await page.getByRole('menuitem', { name: 'Go to book page' }).evaluate((entry: HTMLElement) => {
      for (const key of ['token', 'refresh_token'])
        localStorage.setItem(key, `${localStorage.getItem(key)!.slice(0, -4)}AAAA`)
      entry.click()
    })
    await expect(page).toHaveURL(/\/login\?from=%2Faudiobooks%2Fthe-lamplighters-ledger/)
    expect(await sessionOf(page)).toEqual({ token: null, refresh_token: null, tokenRefreshedDate: null })
  })

  const other = await openPage(await device({ of: shop.someone('nell') }), '/library')
  await test.step('without a refresh token, the token is dropped and the screen stays', async () => {
    await expectShelf(other)
    await expectQuiet(other)
    await other.evaluate(() => localStorage.removeItem('refresh_token'))
    await spoilTokens(other)
    await other.goto('/audiobooks/the-lamplighters-ledger')
    await expect.poll(async () => (await sessionOf(other)).token).toBeNull()
    await expect(other.getByRole('heading', { level: 1, ...SHELF_LINK })).toBeVisible()
    await expect(other).toHaveURL('/audiobooks/the-lamplighters-ledger')
  })
})

test('ROLE-16: after an expired session the library shows and plays downloads, and asks to log in again', async ({
  shop,
  device,
}) => {
  const email = shop.someone('reader')
  const page = await openPage(await device({ worker: true, viewport: PHONE, of: email }), '/library')
  await download(page, 'What the Starlings Kept')
  await spoilTokens(page, { refresh: true })
  await page.reload()
  await expect(
    page.getByText('Please log in again to see everything. Your downloads still play.'),
  ).toBeVisible()
  await expect(page.getByRole('link', SHELF_LINK)).toBeHidden()

  await page.getByRole('link', { name: 'What the Starlings Kept' }).click()
  const player = new AtThePlayer(page)
  await player.press('Play')
  await player.expectSound()
  await player.press('Pause')
  // Also when opened by its address, as after a reload.
  await page.reload()
  await player.press('Play')
  await player.expectSound()
  await player.press('Pause')
  const logIn = player.screen.getByRole('link', { name: 'Log in to save your place' })
  await expect(logIn).toBeVisible()
  expect((await logIn.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  await page.goto('/library')
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  // The device remembers the account, so only the password is missing.
  await expect(page.getByRole('main').getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type('murmur-demo')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/library')
  await expectShelf(page)
  await expect(page.getByText('Please log in again')).toBeHidden()
})
