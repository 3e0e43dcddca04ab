// Covers: membership, plans
import { expect, test } from '#tests/support/journey.ts'

test('MEMB-06: somebody looks at the plans by the month and by the year, and asks what else they wonder about', async ({
  page,
}) => {
  await page.goto('/subscription')
  // The browser's own bars have the colour of the band.
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
