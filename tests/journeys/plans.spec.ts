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

test('HDR-12: on the page of the plans, the notice of a failed payment covers no text and shifts nothing', async ({
  device,
}) => {
  for (const viewport of [PHONE, DESKTOP]) {
    const page = await (await device({ viewport, of: 'overdue@murmur.example' })).newPage()
    const notice = page.getByRole('complementary', { name: 'Payment failed' })
    if (viewport.width > 1000) {
      // On every other page it floats, and its chunk is loaded here.
      await page.goto('/')
      await expect(notice).toHaveCSS('position', 'fixed')
      await page.getByRole('banner').getByRole('link', { name: 'Membership' }).click()
    } else await page.goto('/subscription')
    const plans = page.getByRole('region', { name: 'Plans' })
    await expect(plans.getByRole('link', { name: 'Update payment details' })).toBeVisible()
    await expect(notice).toHaveCount(1)
    expect(await notice.evaluate(textsBelow)).toEqual([])

    const other = await (await device({ viewport, of: 'nell@murmur.example' })).newPage()
    await other.goto('/subscription')
    await expect(other.getByText('Your plan')).toBeVisible()
    const toggleTop = async (of: typeof page) => (await of.getByRole('radiogroup').boundingBox())!.y
    expect(await toggleTop(page)).toBe(await toggleTop(other))
  }
})

/** All texts of the page that an element covers. Runs in the browser. */
function textsBelow(element: Element): string[] {
  const own = element.getBoundingClientRect()
  const range = document.createRange()
  const texts = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT)
  const covered: string[] = []
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (element.contains(text)) continue
    range.selectNodeContents(text)
    const isBelow = [...range.getClientRects()].some(
      ({ left, right, top, bottom }) =>
        left < own.right && right > own.left && top < own.bottom && bottom > own.top,
    )
    if (isBelow) covered.push(text.textContent!)
  }
  return covered
}
