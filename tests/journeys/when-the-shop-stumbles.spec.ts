import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'

const h1 = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
const BROKEN = { status: 500, body: '' }

test('ERR-11: a broken answer to a screen’s own load leads to the server error, one behind a screen leaves it alone', async ({
  device,
}) => {
  const page = await (await device()).newPage()
  await page.route('**/api/info_pages/about', (route) => route.fulfill(BROKEN))
  // The footer comes alive after the page has loaded; before that its links are the browser's own, and the answer whole.
  await expect(async () => {
    await page.goto('/faq')
    await page.getByRole('contentinfo').getByRole('link', { name: 'About the shop' }).click()
    await expect(page).toHaveURL(/\/server-error/, { timeout: 2_000 })
  }).toPass()
  await expect(h1(page)).toHaveText('Internal Server Error')

  await page.goto('/faq')
  await page.route(/\/api\/(quick_results|user_audio_book_times|libraries)/, (route) => route.fulfill(BROKEN))
  await page.getByRole('button', { name: 'Search' }).first().click()
  const asked = page.waitForResponse('**/api/quick_results**')
  await page.getByRole('combobox', { name: 'Search books and articles' }).fill('lamplighter')
  await asked
  await expect(page).toHaveURL('/faq')
  await expect(h1(page)).toHaveText('Questions and answers')
})

test('ERR-15: a newsletter that could not be asked for says so and keeps the address', async ({ device }) => {
  const page = await (await device()).newPage()
  await page.goto('/newsletter-signup')
  const main = page.getByRole('main')
  for (const failure of ['500', 'no answer'] as const) {
    await page.route('**/api/newsletters', (route) =>
      failure === 'no answer' ? route.abort('failed') : route.fulfill(BROKEN),
    )
    await main.getByLabel('Your email').fill('hana@murmur.example')
    await main.getByRole('button', { name: 'Subscribe' }).click()
    await expect(main.getByText('Something went wrong, please try again later')).toBeVisible()
    await expect(main.getByLabel('Your email')).toHaveValue('hana@murmur.example')
    await page.unroute('**/api/newsletters')
  }
})

test('ERR-25 MEMB-21 MEMB-23 MEMB-46: without the owner’s page the membership is told in a few words', async ({
  device,
}) => {
  const page = await (await device({ viewport: PHONE })).newPage()
  await page.route('**/api/membership_pages**', (route) => route.fulfill(BROKEN))
  await page.goto('/faq')
  await page.getByRole('banner').getByRole('button', { name: 'Menu', exact: true }).click()
  await page
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: 'Membership', exact: true })
    .click()
  await expect(page).toHaveURL('/subscription')
  await expect(h1(page)).toHaveText('Subscribe')
  const main = page.getByRole('main')
  await expect(main.getByRole('listitem')).toHaveText([
    'Up to 20% off the collection',
    'Free audiobooks each month from the current highlights',
    'Full access to editorial content',
    'Subscriber-only event invitations',
  ])
  await expect(main.getByRole('link', { name: '£8 a month' })).toBeVisible()
  await expect(main.getByRole('link', { name: '£80 a year' })).toBeVisible()
  await expectAccessibleEverywhere(page)
  await main.getByRole('link', { name: 'Support' }).click()
  await expect(page).toHaveURL('/info/support')
  await page.goBack()
  await main.getByRole('link', { name: 'Murmurations' }).click()
  await expect(page).toHaveURL('/murmurations')
})
