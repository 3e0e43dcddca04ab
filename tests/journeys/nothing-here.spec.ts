import { expect, test } from '#tests/support/journey.ts'

test('NAV-53: the title of the not-found page says which way was missing', async ({ page }) => {
  for (const [path, title] of [
    ['/payment', 'Payment | Murmur'],
    ['/payment-problem', 'Payment problem | Murmur'],
    ['/xmas', 'Christmas | Murmur'],
    ['/promo', 'Promo | Murmur'],
    ['/nothing-of-the-kind', 'Page not found | Murmur'],
  ] as const) {
    const answer = await page.goto(path)
    // Those whose screens exist one day are found then.
    if (answer?.status() === 404) await expect(page).toHaveTitle(title)
    else await expect(page).not.toHaveTitle('Page not found | Murmur')
  }
})

test('NAV-54: after a navigation in the client the not-found page waits 300 ms; what the server answers shows at once', async ({
  page,
}) => {
  await page.goto('/faq')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Questions and answers')
  const shownAfter = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const asked = performance.now()
        history.pushState({}, '', '/nothing-of-the-kind')
        dispatchEvent(new PopStateEvent('popstate'))
        const look = () => {
          const heading = document.querySelector('h1')
          const there = heading?.textContent === 'Page not found'
          if (there && getComputedStyle(heading).visibility === 'visible') resolve(performance.now() - asked)
          else requestAnimationFrame(look)
        }
        look()
      }),
  )
  expect(shownAfter).toBeGreaterThanOrEqual(300)

  await page.goto('/nothing-of-the-kind', { waitUntil: 'commit' })
  const heading = page.getByRole('heading', { level: 1, name: 'Page not found' })
  await expect(heading).toBeVisible()
  expect(await heading.evaluate((h1) => getComputedStyle(h1.parentElement!).animationName)).toBe('none')
})
