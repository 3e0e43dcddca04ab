// Covers: membership, joining, membership-changes, checkout
import { CARD, fillInBuyer, h1, main, typeCard } from '#tests/support/checkout-page.ts'
import { drawn } from '#tests/support/animation-frames.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'
import type { Page, Request } from '@playwright/test'

const startNow = (page: Page) => page.getByRole('checkbox', { name: /^Start my membership now/ }).check()
const subscribe = (page: Page) => page.getByRole('button', { name: 'Subscribe' })

/** Records the page's own API requests from now on. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url())
    // Ignore what every page requests: the user, the menus, the header's bag, the marks on covers, the synced lists.
    if (
      pathname.startsWith('/api/') &&
      !/logged-user|token|feed|menu_entries|carts|libraries|user_/.test(pathname)
    )
      calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

test('PAY-46 PAY-23 ORDER-05: a visitor’s first card is declined, the second makes them a member in three calls; they cancel and resume', async ({
  device,
}) => {
  const page = await (await device({ viewport: PHONE })).newPage()
  await test.step('a declined card starts no membership', async () => {
    await page.goto('/subscription')
    await main(page).getByRole('link', { name: 'Get plan, Reader' }).click()
    await expect(page).toHaveURL(/\/payment\?plan=4$/)
    await expect(page.getByText('Email *', { exact: true })).toBeVisible()
    await fillInBuyer(page, aNewAddress('member'))
    await typeCard(page, CARD.declined)
    await startNow(page)
    await subscribe(page).click()
    await expect(h1(page, 'Oops, looks like there was a problem with your payment.')).toBeVisible()
    await page.goto('/subscription-details')
    await expect(main(page).getByText('You’re not a member just now.')).toBeVisible()
    await page.goBack()
  })
  await test.step('another card does', async () => {
    await main(page).getByRole('link', { name: 'Try again' }).click()
    await expect(page).toHaveURL(/\/payment\?plan=4$/)
    await typeCard(page, CARD.good)
    await startNow(page)
    const calls = callsOf(page)
    await subscribe(page).click()
    await expect(h1(page, /^Welcome, .+ What shall it be\?$/)).toBeVisible()
    await expect(page).toHaveURL(/\/subscription-successful$/)
    await expect(main(page).getByText('You’re a Reader from today.')).toBeVisible()
    await expect(main(page).getByRole('button', { name: /^Choose: / })).toHaveCount(8)
    await expect(
      main(page)
        .getByRole('button', { name: /^Play a sample of / })
        .first(),
    ).toBeVisible()
    expect(calls.slice(0, 3)).toEqual([
      'POST /api/subscriptions',
      'POST /api/payments/return',
      'GET /api/get-current-subscription',
    ])
    await main(page).getByRole('link', { name: 'Your membership' }).click()
    await expect(h1(page, 'Your membership')).toBeVisible()
    await expect(main(page).getByText('One free audiobook is waiting')).toBeVisible()
    await expect(main(page).getByText('£8.00, paid')).toBeVisible()
    await expect(main(page).getByRole('link', { name: /^Invoice of/ })).toHaveAttribute('href', /^\/orders\//)
  })
  await test.step('two presses cancel, which is shown and announced; one resumes', async () => {
    await main(page).getByRole('button', { name: 'Cancel membership' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel membership' }).click()
    const said = main(page).getByText('Your membership is cancelled.')
    await expect(said).toBeInViewport()
    await expect(said.locator('..')).toBeFocused()
    await expect(main(page).getByRole('heading', { name: /^Yours until/ })).toBeVisible()
    await main(page).getByRole('button', { name: 'Resume membership' }).click()
    await expect(main(page).getByText(/continues as before/)).toBeVisible()
    await expect(main(page).getByRole('button', { name: 'Cancel membership' })).toBeVisible()
  })
})

test('PAY-22 ORDER-14: the trial starts with PayPal and a code, costs nothing, and shows its end', async ({
  device,
}) => {
  const page = await (await device()).newPage()
  await page.goto('/free-trial?code=PROMOTRIAL')
  await expect(page.getByText('Rest assured no payment will be taken for the first month.')).toBeVisible()
  await fillInBuyer(page, aNewAddress('trial'))
  await startNow(page)
  await page.getByRole('radio', { name: 'PayPal' }).check()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(h1(page, 'Your 30 days have started.')).toBeVisible()
  await expect(main(page)).toContainText(/lasts until \d+(st|nd|rd|th) \w+ \d{4}/)
  await main(page).getByRole('link', { name: 'Your membership' }).click()
  await expect(main(page).getByRole('heading', { name: /^Reader, £0.00 until/ })).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Update payment' })).toHaveCount(0)
})

declare global {
  interface Window {
    /** The cumulative layout shift (CLS). */
    shifted: number
  }
}

test('membership, checkout and settings render at once, without layout shift', async ({ shop, device }) => {
  for (const [of, pages] of [
    [
      shop.someone('reader'),
      [
        ['/subscription-details', 'Next payment'],
        ['/settings', 'Profile'],
      ],
    ],
    ['overdue@murmur.example', [['/subscription-details', /^Payment didn’t go through/]]],
    ['corner@murmur.example', [['/activation', /^Stuck at the till/]]],
  ] as const) {
    const page = await (await device({ of, viewport: PHONE })).newPage()
    await page.addInitScript(() => {
      window.shifted = 0
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[])
          window.shifted += value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    // A device with a stored session renders before the server has confirmed the user.
    let told = Promise.resolve()
    await page.context().route('**/api/logged-user', async (route) => {
      await told
      await route.continue()
    })
    for (const [path, comes] of pages)
      for (const open of [() => page.goto(path), () => page.reload()]) {
        let tell = () => {}
        told = new Promise((resolve) => (tell = resolve))
        await open()
        await drawn(page, 20)
        tell()
        await expect(main(page).getByText(comes).first()).toBeVisible()
        await drawn(page, 30)
        const shifted = await page.evaluate(() => window.shifted)
        expect([path, shifted]).toEqual([path, expect.closeTo(0, 2)])
      }
  }
})
