import type { Page, Request } from '@playwright/test'
import { expectAccessible, expectAccessibleInBoth } from '#tests/support/accessible.ts'
import { answerBank, CARD, h1, main, typeCard } from '#tests/support/at-the-till.ts'
import { DESKTOP, expect, PHONE, Shop, test } from '#tests/support/journey.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewcomer } from '#tests/support/newcomer.ts'
import { storedSession } from '#tests/support/stored-session.ts'

test.describe.configure({ timeout: 180_000 })

const startNow = (page: Page) => page.getByRole('checkbox', { name: /^Start now/ }).check()
const subscribe = (page: Page) => page.getByRole('button', { name: 'Subscribe' })
const update = (page: Page) => page.getByRole('button', { name: 'Update', exact: true })
const banner = (page: Page) => page.getByRole('complementary', { name: 'Payment failed' })

test('PAY-46: a refused card makes no member and begins no trial; the next one does, in three calls of ours', async ({
  device,
  shop,
}) => {
  const email = await aNewcomer(shop.url)
  const page = await (await device({ of: email, viewport: PHONE })).newPage()
  await page.goto('/free-trial?code=PROMOTRIAL')
  await typeCard(page, CARD.declined)
  await startNow(page)
  await subscribe(page).click()
  await expect(h1(page, 'Oops, looks like there was a problem with your payment.')).toBeVisible()
  // A trial that was left like this keeps nobody from a plan.
  await page.goto('/payment?plan=6')
  await typeCard(page, CARD.declined)
  await startNow(page)
  await subscribe(page).click()
  await expect(h1(page, 'Oops, looks like there was a problem with your payment.')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/subscription-details')
  await expect(main(page).getByText('You’re not a member just now.')).toBeVisible()
  await page.goBack()
  await main(page).getByRole('link', { name: 'Try again' }).click()
  await expect(page).toHaveURL(/\/payment\?plan=6$/)
  await typeCard(page, CARD.good)
  await startNow(page)

  const asked: string[] = []
  const count = (request: Request) => {
    const { pathname } = new URL(request.url())
    // Who is here, the menus and the bag of the header are asked for whatever is bought.
    if (pathname.startsWith('/api/') && !/logged-user|token|feed|menu_entries|carts/.test(pathname))
      asked.push(`${request.method()} ${pathname}`)
  }
  page.on('request', count)
  await subscribe(page).click()
  await expect(h1(page, 'You’re a member. Supporter monthly, from today.')).toBeVisible()
  page.off('request', count)
  expect(asked).toEqual([
    'POST /api/subscriptions',
    'POST /api/payments/return',
    'GET /api/get-current-subscription',
  ])

  await test.step('within 14 days it is given back, with what is left of its money', async () => {
    await main(page).getByRole('link', { name: 'Your membership' }).click()
    await main(page).getByRole('button', { name: 'Withdraw' }).click()
    const dialog = page.getByRole('dialog', { name: 'Withdraw and get £3.00 back?' })
    await expectAccessibleInBoth(page)
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    const said = main(page).getByText('You’ve withdrawn. Your money is on its way back.')
    await expect(main(page).getByText('You’re not a member just now.')).toBeVisible()
    await expect(said).toBeInViewport()
    await expect(said.locator('..')).toBeFocused()
  })
})

test('PAY-45 PAY-24 HDR-12: from the banner to another card, though the page is loaded again while the bank asks; then the banner is gone', async ({
  device,
}) => {
  const page = await (await device({ of: 'overdue@murmur.example', viewport: DESKTOP })).newPage()
  await page.goto('/')
  await expect(banner(page)).toBeVisible()
  // One banner at a time.
  await expect(page.getByRole('complementary', { name: 'Audiobooks in a card' })).toHaveCount(0)
  await banner(page).getByRole('link', { name: 'Update payment details' }).click()
  await expect(page).toHaveURL(/\/payment\?update-card=1&subscription=/)
  await expect(update(page)).toBeVisible()
  await expectAccessibleInBoth(page)
  await typeCard(page, CARD.authentication)
  await update(page).click()
  await expect(page.locator('iframe[title="Your bank asks for you"]')).toBeVisible()
  await page.reload()
  await expect(update(page)).toBeVisible()
  await typeCard(page, CARD.good)
  await update(page).click()
  await expect(page).toHaveURL(/\/subscription-details$/)
  await expect(main(page).getByText('Card ending 4242').first()).toBeVisible()
  await expect(main(page).getByRole('heading', { name: /^Your bank turned down/ })).toHaveCount(0)
  // The banner comes after the page: that it is not there yet says nothing, who is here does.
  const told = page.waitForResponse(/\/api\/logged-user/)
  await page.goto('/audiobooks')
  const { subscriptions } = (await (await told).json()) as { subscriptions: { paymentFailed: boolean }[] }
  expect(subscriptions.map(({ paymentFailed }) => paymentFailed)).toEqual([false])
  await expect(banner(page)).toHaveCount(0)
})

test('a renewal that needs the bank is mailed, and its link finishes it with the card that is kept', async ({
  browser,
}) => {
  // Its provider's time goes on by a month, which is nothing for the others of this shop.
  const shop = await Shop.open()
  try {
    const email = await aNewcomer(shop.url)
    const session = await storedSession(shop.url, email)
    const context = await browser.newContext({
      baseURL: shop.url,
      viewport: PHONE,
      storageState: session,
      serviceWorkers: 'block',
    })
    const page = await context.newPage()
    await page.goto('/payment?plan=4')
    await typeCard(page, CARD.alwaysAsked)
    await startNow(page)
    await subscribe(page).click()
    await answerBank(page, 'Complete authentication')
    await expect(h1(page, /^You’re a member/)).toBeVisible()

    await shop.sandbox.control('clock', { advance: 'P31D' })
    await shop.sandbox.control('clock', { advance: 'PT2H' })
    const mail = await mailTo(shop.url, email, /^Your bank would like you to confirm/)
    await page.goto(mail.link(/^\/payment/))
    await expect(
      main(page).getByRole('heading', { name: 'Your bank wants to be sure it’s you' }),
    ).toBeVisible()
    await expectAccessibleInBoth(page)
    await main(page).getByRole('button', { name: 'Confirm the payment' }).click()
    await answerBank(page, 'Complete authentication')
    await expect(page).toHaveURL(/\/subscription-details$/)
    await expect(main(page).getByText('£8.00, paid')).toHaveCount(2)
    await context.close()
  } finally {
    await shop.close()
  }
})
