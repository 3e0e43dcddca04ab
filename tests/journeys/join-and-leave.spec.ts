import { expectAccessibleEverywhere, expectAccessibleInBoth } from '#tests/support/accessible.ts'
import { answerBank, CARD, fillInBuyer, h1, main, typeCard } from '#tests/support/at-the-till.ts'
import { drawn } from '#tests/support/drawn.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'
import { aNewAddress } from '#tests/support/newcomer.ts'
import type { Page } from '@playwright/test'

test.describe.configure({ timeout: 180_000 })

const startNow = (page: Page) => page.getByRole('checkbox', { name: /^Start now/ }).check()
const subscribe = (page: Page) => page.getByRole('button', { name: /^Subscribe/ })

test('MEMB-20 PAY-23 ORDER-05 MEMB-44: a visitor gets a plan, is a member at once, moves up for the difference, cancels and comes back', async ({
  device,
}) => {
  const page = await (await device({ viewport: PHONE })).newPage()
  await page.goto('/subscription')
  await main(page).getByRole('link', { name: 'Get plan, Reader' }).click()
  await expect(page).toHaveURL(/\/payment\?plan=4$/)
  await test.step('PAY-07 PAY-38 DISC-07: the till marks its fields, and a code that is none says so', async () => {
    await expect(page.getByText('Email *', { exact: true })).toBeVisible()
    await expectAccessibleInBoth(page)
    // Folded on a phone.
    if (page.viewportSize()!.width < 768) await page.getByRole('button', { name: /^Reader monthly/ }).click()
    await page.getByLabel('Discount code').fill('NOSUCHCODE')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(main(page).getByText('This discount code is not valid')).toBeVisible()
  })
  const email = aNewAddress('member')
  await fillInBuyer(page, email)
  await typeCard(page, CARD.good)
  await startNow(page)
  await subscribe(page).click()
  await expect(h1(page, 'You’re a member. Reader monthly, from today.')).toBeVisible()
  await expect(page).toHaveURL(/\/subscription-successful$/)
  await expectAccessibleEverywhere(page)

  await main(page).getByRole('link', { name: 'Your membership' }).click()
  await expect(h1(page, 'Your membership')).toBeVisible()
  await expect(main(page).getByText('One free audiobook is waiting')).toBeVisible()
  await expect(main(page).getByText('£8.00, paid')).toBeVisible()
  await expect(main(page).getByRole('link', { name: /^Invoice of/ })).toHaveAttribute('href', /^\/orders\//)
  await expectAccessibleInBoth(page)

  await test.step('MEMB-16 MEMB-19 MEMB-40: up a tier, for the sum that the dialog names', async () => {
    await page.goto('/subscription')
    await main(page).getByRole('button', { name: 'Upgrade to Avid Reader' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change plan' })
    await expect(dialog).toContainText('Avid Reader begins at once')
    await dialog.getByRole('button', { name: /^Change and pay £/ }).click()
    await expect(page).toHaveURL(/\/subscription-details$/)
    await expect(main(page).getByText(/^Avid Reader monthly/)).toBeVisible()
  })
  await test.step('MEMB-40: down a tier at the end of the month, for nothing today', async () => {
    await main(page).getByRole('button', { name: 'Change plan' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change plan' })
    await dialog.getByRole('radio', { name: /^Supporter/ }).check()
    await expect(dialog.getByText('£0.00')).toBeVisible()
    await dialog.getByRole('button', { name: /^Change on / }).click()
    await expect(main(page).getByText(/^Supporter begins on /)).toBeVisible()
    await expect(main(page).getByText('Supporter monthly')).toBeVisible()
    await expect(main(page).getByText(/^Supporter begins on /)).toBeInViewport()
  })
  await test.step('MEMB-30 MEMB-34: two presses cancel; a failure keeps the question', async () => {
    await page.route('**/cancel', (route) => route.abort(), { times: 1 })
    await main(page).getByRole('button', { name: 'Cancel membership' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel membership' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Something went wrong, please try again')
    await expectAccessibleEverywhere(page)
    await dialog.getByRole('button', { name: 'Cancel membership' }).click()
    await expect(dialog).toBeHidden()
    const said = main(page).getByText('Your membership is cancelled.')
    await expect(said).toBeInViewport()
    await expect(said.locator('..')).toBeFocused()
    await main(page).getByRole('button', { name: 'No time to listen' }).click()
    await expect(main(page).getByText('Thank you. That helps us.')).toBeVisible()
    await expect(main(page).getByText('Payment has been cancelled')).toBeVisible()
    await expect(main(page).getByRole('heading', { name: /^Yours until/ })).toBeVisible()
    await expect(main(page).getByRole('button', { name: 'Cancel membership' })).toHaveCount(0)
  })
  await main(page).getByRole('button', { name: 'Resume membership' }).click()
  await expect(main(page).getByText(/goes on as before/)).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Cancel membership' })).toBeVisible()

  await test.step('PAY-24 PAY-39 PAY-45 HDR-08: another card, by the account’s menu, and back', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Your membership' }).click()
    await main(page).getByRole('link', { name: 'Update payment' }).click()
    await expect(page).toHaveURL(/update-card=1/)
    // The till is a document of its own: it has come before it is loaded again.
    await page.frameLocator('iframe[title="Secure card number input frame"]').getByRole('textbox').waitFor()
    await page.reload()
    await typeCard(page, CARD.authentication)
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await answerBank(page, 'Complete authentication')
    await expect(page).toHaveURL(/\/subscription-details$/)
    await expect(main(page).getByText('Card ending 3155').first()).toBeVisible()
  })
})

test('ERR-09 PAY-22 ORDER-14 MEMB-28 ROLE-24: the trial begins with PayPal and a code, costs nothing, and says when it ends', async ({
  device,
}) => {
  const page = await (await device()).newPage()
  await page.goto('/subscription-successful-trial')
  await expect(page).toHaveURL(/\/access-denied/)
  await page.goto('/free-trial?code=NOSUCHCODE')
  await expect(page.getByText('No discount applied! Full price will be charged!')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Subscribe for £8.00' })).toBeVisible()
  await page.goto('/free-trial?code=PROMOTRIAL')
  await expect(page.getByText('Rest assured no payment will be taken for the first month.')).toBeVisible()
  await fillInBuyer(page, aNewAddress('trial'))
  await startNow(page)
  await page.getByRole('radio', { name: 'PayPal' }).check()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(h1(page, 'Your 30 days have begun.')).toBeVisible()
  await expect(main(page)).toContainText(/lasts until \d+(st|nd|rd|th) \w+ \d{4}/)
  await expectAccessibleEverywhere(page)
  await main(page).getByRole('link', { name: 'Your membership' }).click()
  await expect(main(page).getByRole('heading', { name: /^Reader, £0.00 until/ })).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Update payment' })).toHaveCount(0)
})

test('PAY-22 MEMB-33: a visitor joins with PayPal, comes back a member, and is offered no card', async ({
  device,
}) => {
  const page = await (await device({ viewport: PHONE })).newPage()
  await page.goto('/payment?plan=7')
  await fillInBuyer(page, aNewAddress('paypal'))
  await startNow(page)
  await page.getByRole('radio', { name: 'PayPal' }).check()
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(h1(page, 'You’re a member. Supporter annually, from today.')).toBeVisible()
  await main(page).getByRole('link', { name: 'Your membership' }).click()
  await expect(main(page).getByText('£30.00, paid')).toBeVisible()
  await expect(main(page).getByText('PayPal').first()).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Update payment' })).toHaveCount(0)
})

test('NAV-32 NAV-33 NAV-35 ROLE-21 ROLE-26: the addresses of memberships open their screens; one’s own asks a visitor to log in', async ({
  device,
}) => {
  const visitor = await (await device()).newPage()
  for (const own of ['/subscription-details', '/subscription-successful', '/subscription-successful-trial']) {
    await visitor.goto(own)
    await expect(visitor).toHaveURL(/\/access-denied/)
  }
  for (const [open, heading] of [
    ['/payment?plan=4', 'Checkout'],
    ['/free-trial', 'Checkout'],
    ['/gift', 'Give someone a year of evenings'],
    ['/xmas', 'A Christmas that lasts'],
    ['/confirm/nothing', /./],
  ] as const) {
    await visitor.goto(open)
    await expect(h1(visitor, heading)).toBeVisible()
    expect(new URL(visitor.url()).pathname).toBe(open.split('?')[0])
  }
  const member = await (await device({ of: 'paypal@murmur.example' })).newPage()
  for (const [own, heading] of [
    ['/subscription-details', 'Your membership'],
    ['/subscription-successful', /^You’re a member/],
    // A trial that is over, or never was, is not begun by its address.
    ['/subscription-successful-trial', /^You’re a member/],
  ] as const) {
    await member.goto(own)
    await expect(h1(member, heading)).toBeVisible()
  }
})

declare global {
  interface Window {
    /** How far what was drawn has moved, in shares of the screen (CLS). */
    shifted: number
  }
}

test('membership, till and settings come all at once: nothing on them is pushed down', async ({
  shop,
  device,
}) => {
  for (const [of, path, comes] of [
    [shop.someone('reader'), '/subscription-details', 'Next payment'],
    ['overdue@murmur.example', '/subscription-details', /^Payment didn’t go through/],
    ['corner@murmur.example', '/activation', /^Stuck at the till/],
    [shop.someone('reader'), '/settings', 'Profile'],
  ] as const) {
    const page = await (await device({ of, viewport: PHONE })).newPage()
    await page.addInitScript(() => {
      window.shifted = 0
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries() as (PerformanceEntry & { value: number })[])
          window.shifted += value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    // A device that knows its user draws before the server has said who it is.
    await page.context().route('**/api/logged-user', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue()
    })
    for (const open of [() => page.goto(path), () => page.reload()]) {
      await open()
      await expect(main(page).getByText(comes).first()).toBeVisible()
      await drawn(page, 30)
      const shifted = await page.evaluate(() => window.shifted)
      expect([path, shifted]).toEqual([path, expect.closeTo(0, 2)])
    }
  }
})
