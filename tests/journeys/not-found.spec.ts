// Covers: pages, app
import { codeOf } from '#tests/support/built-code.ts'
import { expect, test } from '#tests/support/journey.ts'

test('NAV-53: the page for a screen that can’t be loaded has that screen’s title', async ({ page }) => {
  const screen = codeOf('src/routes/payment-problem.tsx?tsr-split=component---loader')
  await page.route(screen, (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto('/payment-problem')
  await expect(page.getByRole('heading', { name: 'There’s a new version of Murmur' })).toBeVisible()
  await expect(page).toHaveTitle('Payment problem | Murmur')
  await page.unroute(screen)
  await page.goto('/payment-problem')
  await expect(page).not.toHaveTitle(/version|not found/)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/version|not found/)
})

test('NAV-54: the not-found page fades in after 300 ms on client navigation, and shows at once when rendered by the server', async ({
  page,
}) => {
  await page.goto('/faq')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Questions and answers')
  const missing = page.locator('h1', { hasText: 'Page not found' })
  // Repeat it, because the page ignores the event before hydration.
  await expect(async () => {
    await page.evaluate(() => {
      history.replaceState({}, '', '/nothing-of-the-kind')
      dispatchEvent(new PopStateEvent('popstate'))
    })
    await expect(missing).toBeAttached({ timeout: 1_000 })
  }).toPass()
  const seenAt = (milliseconds: number) =>
    missing.evaluate((h1, time) => {
      for (const animation of h1.parentElement!.getAnimations()) animation.currentTime = time
      return getComputedStyle(h1).visibility
    }, milliseconds)
  expect([await seenAt(299), await seenAt(301)]).toEqual(['hidden', 'visible'])

  await page.goto('/nothing-of-the-kind', { waitUntil: 'commit' })
  const heading = page.getByRole('heading', { level: 1, name: 'Page not found' })
  await expect(heading).toBeVisible()
  expect(await heading.evaluate((h1) => getComputedStyle(h1.parentElement!).animationName)).toBe('none')
})
