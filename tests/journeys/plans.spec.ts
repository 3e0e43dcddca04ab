// Covers: membership, plans
import { DESKTOP, expect, PHONE, test } from '#tests/support/journey.ts'

test('MEMB-06: a visitor compares monthly and yearly plans, and opens the questions', async ({ page }) => {
  await page.goto('/subscription')
  // The browser's toolbars match the page's band.
  await expect(page.locator('meta[name="theme-color"]').first()).toHaveAttribute('content', '#4a3a91')
  const plans = page.getByRole('region', { name: 'Plans' })
  const seen = () =>
    plans
      .locator('b:visible')
      .filter({ hasText: '£' })
      .evaluateAll((prices) =>
        prices
          .filter((price) => getComputedStyle(price).visibility === 'visible')
          .map((price) => price.textContent),
      )
  await expect.poll(seen).toEqual(['£3', '£8', '£12'])
  await plans.getByRole('radio', { name: 'Annually' }).check()
  await expect.poll(seen).toEqual(['£30', '£80', '£120'])
  await plans.getByRole('radio', { name: 'Monthly' }).check()
  await expect.poll(seen).toEqual(['£3', '£8', '£12'])

  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Can I cancel whenever I like?' }).click()
  await expect(main.getByText('You keep your member prices')).toBeVisible()
  await main.getByRole('link', { name: 'Write to us' }).click()
  await expect(page).toHaveURL('/info/support')
})

test('HDR-12: a failed payment is one line above the header, at once and without a shift from the second page on', async ({
  device,
}) => {
  for (const viewport of [PHONE, DESKTOP]) {
    const page = await (await device({ viewport, of: 'overdue@murmur.example' })).newPage()
    const line = page.getByRole('complementary', { name: 'Payment failed' })
    await page.goto('/')
    await expect(line).toContainText('Your books are safe. Member prices wait until it’s paid.')
    const { height } = (await line.boundingBox())!
    await page.addInitScript(watchShifts)
    await page.goto('/faq')
    await expect(line.getByRole('link', { name: 'Use a new card' })).toBeVisible()
    expect((await page.getByRole('banner').boundingBox())!.y).toBe(height)
    expect(await page.evaluate('shifts')).toEqual([])
    await line.getByRole('link', { name: 'Use a new card' }).click()
    await expect(page.getByRole('button', { name: /^Update(,|$)/ })).toBeVisible()
    await expect(line).toHaveCount(0)
  }
})

/** Records what moves up or down without a press. Runs in the browser. */
function watchShifts() {
  type Shift = PerformanceEntry & { sources: { previousRect: DOMRect; currentRect: DOMRect }[] }
  const shifts: string[] = []
  Object.assign(window, { shifts })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[])
      for (const { previousRect, currentRect } of entry.sources)
        if (previousRect.y !== currentRect.y) shifts.push(`${previousRect.y} to ${currentRect.y}`)
  }).observe({ type: 'layout-shift', buffered: true })
}
