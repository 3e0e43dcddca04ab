import type { BrowserContext, Page } from '@playwright/test'
import { playFromBookPage } from '#tests/support/at-the-player.ts'
import { openPage } from '#tests/support/devices.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { sessionOf, spoilTokens } from '#tests/support/session-of.ts'
import { download } from '#tests/support/title-actions.ts'

const REFRESH = '**/api/token/refresh'
const SHELF_LINK = { name: 'The Lamplighter’s Ledger' }

/** Every call for new tokens, of all tabs. */
function countRefreshes(context: BrowserContext): { body: string | null }[] {
  const refreshes: { body: string | null }[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/api/token/refresh')) refreshes.push({ body: request.postData() })
  })
  return refreshes
}

const expectShelf = (page: Page) => expect(page.getByRole('link', SHELF_LINK)).toBeVisible()

test('SESS-08: an expired token is renewed once with the stored one, and what was refused is asked again', async ({
  shop,
  device,
}) => {
  const context = await device({ worker: true, of: shop.someone('nell') })
  const page = await openPage(context)
  const before = await sessionOf(page)
  await spoilTokens(page)
  const refreshes = countRefreshes(context)
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 401) refused.push(new URL(response.url()).pathname)
  })
  await page.goto('/library')
  await expectShelf(page)
  expect(refused).toContain('/api/libraries')
  expect(refreshes.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
    {
      refresh_token: before.refresh_token,
      device: { id: expect.any(String), browser: expect.any(String) },
    },
  ])
  const after = await sessionOf(page)
  expect(after.refresh_token).not.toBe(before.refresh_token)
  expect(Date.parse(after.tokenRefreshedDate!)).toBeGreaterThan(Date.parse(before.tokenRefreshedDate!))
})

test('trap 20: two tabs with one expired token renew it once, and both stay in', async ({ shop, device }) => {
  const context = await device({ of: shop.someone('nell') })
  const tabs = [await openPage(context), await openPage(context)] as const
  // Counted from before: what a tab still asks behind its screen may be the first to meet the expired token.
  const refreshes = countRefreshes(context)
  await spoilTokens(tabs[0])
  await Promise.all(tabs.map((tab) => tab.goto('/library')))
  await Promise.all(tabs.map(expectShelf))
  expect(refreshes).toHaveLength(1)

  // Both hold the same new session, and it works.
  await Promise.all(tabs.map((tab) => tab.reload()))
  await Promise.all(tabs.map(expectShelf))
  expect(refreshes).toHaveLength(1)
  expect(await sessionOf(tabs[0])).toEqual(await sessionOf(tabs[1]))
})

test('SESS-09: a refused renewal leads to the log-in, behind a screen it only asks, and without an answer nothing is lost', async ({
  shop,
  device,
}) => {
  const context = await device({ worker: true, of: shop.someone('nell') })
  const page = await openPage(context, '/library')
  await expectShelf(page)

  // One route for all silences: a read that is tried again in between must not find a shop that answers.
  let silence: number | 'no answer' = 500
  await page.route(REFRESH, (route) =>
    silence === 'no answer' ? route.abort('timedout') : route.fulfill({ status: silence, body: '' }),
  )
  await spoilTokens(page)
  const kept = await sessionOf(page)
  for (silence of [503, 'no answer'] as const)
    await test.step(`${silence}: the tokens stay`, async () => {
      const asked = page.waitForRequest(REFRESH)
      await page.reload()
      await asked
      await expect(page.getByRole('heading', { name: 'Library', exact: true })).toBeVisible()
      // Where it is known that nobody answers the downloads are shown instead.
      await expect(
        page.getByText(/^(We couldn’t reach your library|Nothing on this device yet)\.$/),
      ).toBeVisible()
      await expect(page.getByText('Your library is empty')).toBeHidden()
      expect(await sessionOf(page)).toEqual(kept)
    })
  await page.unroute(REFRESH)

  await test.step('the renewal works again, and the listener never left', async () => {
    await page.reload()
    await expectShelf(page)
    await expect(page.getByText('Please log in again')).toBeHidden()
  })

  await test.step('refused on a screen’s own call: to the log-in', async () => {
    // Spoilt and pressed at once: between the two the page itself might ask, and end the session behind the screen.
    await page.getByRole('link', SHELF_LINK).evaluate((link: HTMLElement) => {
      for (const key of ['token', 'refresh_token'])
        localStorage.setItem(key, `${localStorage.getItem(key)!.slice(0, -4)}AAAA`)
      link.click()
    })
    await expect(page).toHaveURL(/\/login\?from=%2Faudiobooks%2Fthe-lamplighters-ledger/)
    expect(await sessionOf(page)).toEqual({ token: null, refresh_token: null, tokenRefreshedDate: null })
  })

  await test.step('refused behind a screen: it stays, and asks to log in again', async () => {
    const other = await openPage(await device({ of: shop.someone('nell') }), '/library')
    await expectShelf(other)
    await spoilTokens(other, { refresh: true })
    await other.reload()
    await expect(other.getByText('Please log in again to see everything.')).toBeVisible()
    await expect(other).toHaveURL('/library')
    expect((await sessionOf(other)).token).toBeNull()
  })
})

test('SESS-10: refused without a stored renewal token, the token goes and the screen stays', async ({
  shop,
  device,
}) => {
  const page = await openPage(
    await device({ of: shop.someone('nell') }),
    '/audiobooks/the-lamplighters-ledger',
  )
  await expect(page.getByRole('main').getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('refresh_token'))
  await spoilTokens(page)
  await page.reload()
  await expect.poll(async () => (await sessionOf(page)).token).toBeNull()
  await expect(page).toHaveURL('/audiobooks/the-lamplighters-ledger')
  await expect(page.getByRole('heading', { level: 1, ...SHELF_LINK })).toBeVisible()
})

test('SESS-11: a broken answer about the user ends the session, silence and a proxy do not, and downloads always stay', async ({
  shop,
  device,
}) => {
  test.setTimeout(90_000)
  const context = await device({ of: shop.someone('nell') })
  const page = await context.newPage()
  await page.goto('/library')
  await download(page, SHELF_LINK.name)

  const reloadWith = async (answer: number | 'no answer') => {
    await page.unroute('**/api/logged-user')
    await page.route('**/api/logged-user', (route) =>
      answer === 'no answer'
        ? route.abort('timedout')
        : route.fulfill({ status: answer, json: { 'hydra:description': 'Broken' } }),
    )
    const asked = page.waitForRequest('**/api/logged-user')
    await page.goto('/downloads')
    await asked
    await expect(page.getByText(/plays offline/)).toBeVisible()
  }
  const before = await sessionOf(page)
  for (const answer of [503, 'no answer'] as const) {
    await reloadWith(answer)
    expect(await sessionOf(page)).toEqual(before)
  }
  await reloadWith(500)
  await expect
    .poll(() => sessionOf(page))
    .toEqual({ token: null, refresh_token: null, tokenRefreshedDate: null })
  await expect(page.getByText(/plays offline/)).toBeVisible()
})

test('ROLE-16: where a session ended by itself the library shows and plays the downloads, and asks to log in again', async ({
  shop,
  device,
}) => {
  test.setTimeout(90_000)
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
  const player = await playFromBookPage(page)
  await player.expectSound()
  await player.press('Pause')
  // Opened by its address too, as after a reload.
  await page.reload()
  await player.press('Play')
  await player.expectSound()
  await player.press('Pause')
  await expect(player.screen.getByRole('link', { name: 'Log in to save your place' })).toBeVisible()
  await page.goto('/library')
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  await page.getByRole('main').getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('murmur-demo')
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/library')
  await expectShelf(page)
  await expect(page.getByText('Please log in again')).toBeHidden()
})
