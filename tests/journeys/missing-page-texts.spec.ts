// Covers: app, net
import { SHOP_HEADER } from '#contract/limits.ts'
import { expectAccessible } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'

test('ERR-25 MEMB-46: without the owner’s page, the membership is described in a short, accessible default text', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  await page.route('**/api/membership_pages**', (route) =>
    route.fulfill({ status: 500, body: '', headers: { [SHOP_HEADER]: '1' } }),
  )
  await page.goto('/faq')
  await page.getByRole('banner').getByRole('button', { name: 'Menu', exact: true }).click()
  await page
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: 'Membership', exact: true })
    .click()
  await expect(page).toHaveURL('/subscription')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Subscribe')
  await expectAccessible(page)
  await main.getByRole('link', { name: 'Support' }).click()
  await expect(page).toHaveURL('/info/support')
})
