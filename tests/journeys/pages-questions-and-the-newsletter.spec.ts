import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere } from '#tests/support/accessible.ts'
import { expect, test } from '#tests/support/journey.ts'

// axe looks at many screens in each of the last journeys.
test.describe.configure({ timeout: 120_000 })

const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page) => page.getByRole('heading', { level: 1 })
const THANKS = 'Thank you for subscribing to our newsletter.'

test('INFO-01 NAV-12: questions stand under the tabs of their categories, and open', async ({ page }) => {
  await page.goto('/faq')
  await expect(page).toHaveTitle('Questions and answers | Murmur')
  const tabs = page.getByRole('tab')
  expect(await tabs.count()).toBeGreaterThan(3)
  await page.getByRole('tab', { name: 'Membership' }).click()
  const question = main(page).getByRole('button', { name: 'What are the current highlights?' })
  await expect(question).toHaveAttribute('aria-expanded', 'false')
  await expect(main(page).getByText('A short shelf of audiobooks')).toBeHidden()
  await question.click()
  await expect(main(page).getByText('A short shelf of audiobooks')).toBeVisible()
  // Those that are not published are nowhere.
  await expect(main(page).getByText('family plan')).toHaveCount(0)

  await page.getByRole('tab', { name: 'Membership' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('tab', { selected: true })).not.toHaveText('Membership')
})

test('INFO-02 NAV-10 NAV-50 INFO-03 NAV-48: an info page shows its title and words, its old address leads to it, and one that is not there is not found', async ({
  page,
}) => {
  for (const slug of ['about', 'terms-conditions']) {
    await page.goto(`/info/${slug}`)
    await expect(h1(page)).toBeVisible()
    await expect(page).toHaveTitle(`${await h1(page).innerText()} | Murmur`)
    expect((await main(page).innerText()).length, slug).toBeGreaterThan(400)
  }
  await page.goto('/info/contact-support')
  await expect(page).toHaveURL('/info/support')
  const answer = await page.goto('/info/nothing-of-the-kind')
  expect(answer?.status()).toBe(404)
  await expect(page).toHaveTitle(/^Page not found/)
})

test('FTR-03 INFO-05 NAV-09: the newsletter in the footer, or on its page, thanks for 10 s, and says what an address lacks', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto('/faq')
  const place = page.getByRole('contentinfo')
  await expect(page.getByRole('heading', { name: 'Our newsletter' }).first()).toBeVisible()
  const field = place.getByLabel('Your email')
  const subscribe = place.getByRole('button', { name: 'Subscribe' })
  // The footer comes alive after the page has loaded; a press before that is pressed again.
  await expect(async () => {
    await subscribe.click()
    await expect(place.getByText('Email is required')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(field).toBeFocused()
  // What only the server finds wrong is said in the same words.
  await field.fill('<hana>@murmur.example')
  await subscribe.click()
  await expect(place.getByText('Email must be valid')).toBeVisible()
  await field.fill('hana at whitby')
  await expect(place.getByText('Email must be valid')).toBeVisible()
  await field.fill('hana+footer@murmur.example')
  await expect(place.getByText('Email must be valid')).toBeHidden()
  await subscribe.click()
  await expect(place.getByText(THANKS)).toBeVisible()
  await page.clock.runFor(9_000)
  await expect(place.getByText(THANKS)).toBeVisible()
  // Said once more, it stands for ten seconds once more.
  await field.fill('jory+footer@murmur.example')
  await subscribe.click()
  await expect(field).toHaveValue('')
  await page.clock.runFor(7_000)
  await expect(place.getByText(THANKS)).toBeVisible()
  await page.clock.runFor(3_500)
  await expect(place.getByText(THANKS)).toBeHidden()

  await page.goto('/newsletter-signup')
  await expect(page.getByLabel('Your email')).toHaveCount(1)
  await main(page).getByLabel('Your email').fill('hana+page@murmur.example')
  await main(page).getByRole('button', { name: 'Subscribe' }).click()
  await expect(main(page).getByText(THANKS)).toBeVisible()
})

test('MEMB-06 MEMB-07 MEMB-08 MEMB-10 MEMB-42: the plans by the month and by the year, and the free one', async ({
  page,
}) => {
  await page.goto('/subscription')
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
  expect(await seen()).toEqual(['£3', '£8', '£12'])
  await plans.getByRole('radio', { name: 'Annually' }).check()
  expect(await seen()).toEqual(['£30', '£80', '£120'])
  await expect(plans.getByText('2 months free on annual')).toBeVisible()
  await expect(plans.getByRole('heading', { name: 'Free' })).toBeVisible()
  await expect(plans.getByText(/No card/)).toBeVisible()
  for (const promise of ['1 free audiobook every month', '2 free audiobook every month', 'Best value'])
    await expect(plans.getByText(promise, { exact: true })).toBeVisible()
  await expect(main(page).locator('blockquote')).toHaveCount(3)
})

test('MEMB-02 MEMB-11 MEMB-12 NAV-49 NAV-31: by its old addresses too, the membership names its benefits, explains a gift in three steps, answers and can be written to', async ({
  page,
}) => {
  await page.goto('/subscription/a-token-from-a-mail')
  await expect(h1(page)).toHaveText('Keep a small bookshop talking.')
  await page.goto('/membership')
  await expect(page).toHaveURL('/subscription')
  await expect(page).toHaveTitle('Membership | Murmur')
  for (const benefit of [
    'Up to 20% off the collection',
    'Full access to editorial content',
    'Subscriber-only event invitations',
    'Chosen by you from the current highlights',
  ])
    await expect(main(page).getByText(benefit, { exact: true }).first()).toBeVisible()
  await expect(
    main(page)
      .getByRole('region', { name: /evenings/ })
      .getByRole('listitem'),
  ).toHaveCount(3)
  await main(page).getByRole('button', { name: 'Can I cancel whenever I like?' }).click()
  await expect(main(page).getByText('You keep your member prices')).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Write to us' })).toHaveAttribute('href', '/info/support')
})

test('MEMB-14 MEMB-18 MEMB-43: who has no plan can get each, a reader’s plan is marked and managed', async ({
  device,
}) => {
  const visitor = await (await device()).newPage()
  await visitor.goto('/subscription')
  const plans = visitor.getByRole('region', { name: 'Plans' })
  await expect(plans.getByText('Get plan', { exact: true })).toHaveCount(3)
  await expect(plans.getByText('Your plan')).toHaveCount(0)

  const nell = await (await device({ of: 'nell@murmur.example' })).newPage()
  await nell.goto('/subscription')
  await expect(nell.getByRole('region', { name: 'Plans' }).getByText('Your plan')).toHaveCount(1)
  await expect(nell.getByText('Get plan', { exact: true })).toHaveCount(3)

  const reader = await (await device({ of: 'reader@murmur.example' })).newPage()
  await reader.goto('/subscription')
  const own = reader.getByRole('listitem').filter({ hasText: '1 free audiobook' })
  await expect(own.getByText('Your plan')).toBeVisible()
  await expect(own.getByRole('link', { name: 'Manage' })).toHaveAttribute('href', '/subscription-details')
  await expect(reader.getByRole('button', { name: 'Upgrade' })).toHaveCount(1)
  await expect(reader.getByRole('button', { name: 'Downgrade' })).toHaveCount(1)
})

test('pages and plans are for everybody, on every device, by day and by night', async ({ page }) => {
  for (const path of [
    '/faq',
    '/info/support',
    '/newsletter-signup',
    '/subscription',
    '/sign-up',
    '/shopping-bag',
  ]) {
    await page.goto(path)
    await expect(h1(page)).toBeVisible()
    await expectAccessibleEverywhere(page)
    await page.setViewportSize({ width: 320, height: 640 })
    expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 320])
  }
})
