import type { Page } from '@playwright/test'
import { expectAccessibleEverywhere, expectAccessibleInBoth } from '#tests/support/accessible.ts'
import { expect, test, type Shop } from '#tests/support/journey.ts'
import {
  agree,
  answerBank,
  CARD,
  chargesAt,
  fillInBuyer,
  h1,
  main,
  openTill,
  ordersOf,
  payByCard,
  payNow,
  putIntoBag,
  shelfOf,
  typeCard,
} from '#tests/support/at-the-till.ts'
import { mailTo } from '#tests/support/mailbox.ts'
import { aNewAddress, aNewcomer } from '#tests/support/newcomer.ts'

test.describe.configure({ timeout: 150_000 })

const header = (page: Page) => page.getByRole('banner')
const thanked = (page: Page) =>
  expect(h1(page, 'Thank you. It’s all yours.')).toBeVisible({ timeout: 20_000 })
const bought = (page: Page, path: string) => putIntoBag(page, path).then(() => page.goto('/payment'))

interface Ready {
  device: (wish: { of: string }) => Promise<{ newPage: () => Promise<Page> }>
  shop: Shop
}
/** Somebody with an account and one book in the bag, at the till. */
async function buyerAtTill({ device, shop }: Ready, path = '/audiobooks/the-quiet-ferry') {
  const page = await (await device({ of: await aNewcomer(shop.url) })).newPage()
  await bought(page, path)
  await openTill(page)
  return page
}

test('ROLE-28 PAY-04 PAY-31 PAY-02 NAV-25: a visitor pays by card, has an account afterwards, and the book on its shelf', async ({
  page,
  shop,
}) => {
  const email = aNewAddress('buyer')
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await page.goto('/payment')
  const summary = page.getByRole('complementary', { name: 'Your bag' })
  await expect(summary).toContainText('The Quiet Ferry')
  await expect(summary).toContainText('£11.00')
  await expect(page.getByText('Test payments. No money moves.')).toBeVisible()
  for (const label of ['Email', 'First name', 'Last name', 'Password', 'Country', 'Name on card'])
    await expect(page.getByLabel(label, { exact: true })).toBeVisible()
  await fillInBuyer(page, email)
  await payByCard(page)
  await thanked(page)
  await expect(main(page).getByText(/Your account is ready/)).toBeVisible()
  expect(await page.evaluate(() => (history.state as { newUser?: boolean }).newUser)).toBe(true)
  expect(await shelfOf(page)).toEqual(['audiobooks/the-quiet-ferry'])
  const orders = await ordersOf(page)
  expect(orders.map(({ amount, status }) => ({ amount, status }))).toEqual([{ amount: 11, status: 'paid' }])
  await expect(page).toHaveTitle('Payment successful | Murmur')
  await expectAccessibleEverywhere(page)
  // The same by its address, and once more after a reload.
  await page.reload()
  await thanked(page)
  await page.goto('/payment-successful')
  await thanked(page)
  await mailTo(shop.url, email, /order|receipt/i)
})

test('PAY-05 PAY-01 PAY-10 PAY-09 PAY-17: the till of an empty bag leads home, that of a full one is for everybody, and cannot be sent while a field is empty', async ({
  page,
}) => {
  await page.goto('/payment')
  await expect(page).toHaveURL((url) => url.pathname === '/')

  await bought(page, '/audiobooks/the-quiet-ferry')
  await openTill(page)
  await expect(page).toHaveTitle('Checkout | Murmur')
  await expect(page.getByRole('radio', { name: 'Card' })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'PayPal' })).not.toBeChecked()
  for (const title of [
    'Secure card number input frame',
    'Secure expiration date input frame',
    'Secure CVC input frame',
  ])
    await expect(page.frameLocator(`iframe[title="${title}"]`).getByRole('textbox')).toBeVisible()
  await expect(header(page).getByRole('link')).toHaveCount(1)
  await expectAccessibleEverywhere(page)

  await expect(payNow(page)).toBeDisabled()
  await fillInBuyer(page, aNewAddress('buyer'))
  await agree(page)
  await expect(payNow(page)).toBeDisabled()
  await typeCard(page, CARD.good)
  await expect(payNow(page)).toBeEnabled()
  for (const label of ['Email', 'Name on card']) {
    const field = page.getByLabel(label, { exact: true })
    const value = await field.inputValue()
    await field.fill('')
    await expect(payNow(page)).toBeDisabled()
    await field.fill(value)
    await expect(payNow(page)).toBeEnabled()
  }
  const number = page.frameLocator('iframe[title="Secure card number input frame"]').getByRole('textbox')
  await number.fill('4242')
  await expect(payNow(page)).toBeDisabled()
})

test('PAY-42 ERR-04 PAY-37 PAY-40 PAY-06: while the provider is not ready nothing can be sent; an address that has an account is said at once, and what was typed stays', async ({
  page,
}) => {
  await page.route('**/api/payment_settings', (route) => route.abort())
  await bought(page, '/audiobooks/the-quiet-ferry')
  await openTill(page)
  await fillInBuyer(page, 'nell@murmur.example')
  await page.getByLabel('Name on card').fill('Una Reed')
  await agree(page)
  await expect(payNow(page)).toBeDisabled()
  await expect(page.getByText('Our card provider can’t be reached. Nothing has been charged.')).toBeVisible()
  await page.unroute('**/api/payment_settings')
  await page.getByRole('button', { name: 'Try again' }).click()
  await payByCard(page)

  const said = 'This email already exists with a user account, please sign in'
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing has been charged yet.' })).toContainText(
    said,
  )
  await expect(page.getByRole('button', { name: 'Ups! Error!' })).toBeEnabled()
  await expect(page).toHaveURL(/\/payment$/)
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('nell@murmur.example')
  await expect(page.getByLabel('Name on card')).toHaveValue('Una Reed')
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Already have an account? Log in' }).click()
  const dialog = page.getByRole('dialog', { name: 'Log in' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByLabel('Email', { exact: true }).fill(aNewAddress('buyer'))
  await payNow(page).click()
  await thanked(page)
})

test('PAY-08 PAY-12 PAY-26 BAG-08 ROLE-07: two presses pay once what was shown: the member’s price, and the book is there', async ({
  shop,
  device,
}) => {
  const page = await (await device({ of: 'supporter@murmur.example' })).newPage()
  await bought(page, '/audiobooks/the-quiet-ferry')
  await openTill(page)
  await expect(page.getByRole('complementary', { name: 'Your bag' })).toContainText('£8.80')
  const before = { charges: await chargesAt(shop.sandbox), orders: await ordersOf(page) }
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (/\/carts\/[^/]+\/checkout$/.test(request.url())) bodies.push(request.postDataJSON())
  })
  await typeCard(page, CARD.good)
  await agree(page)
  await payNow(page).dblclick()
  await thanked(page)
  expect(bodies).toEqual([{ couponCode: null, amount: 8.8, waiver: true }])
  const orders = await ordersOf(page)
  expect(orders[0]).toMatchObject({ amount: 8.8, status: 'paid' })
  expect(orders).toHaveLength(before.orders.length + 1)
  expect((await chargesAt(shop.sandbox)).length).toBe(before.charges.length + 1)
  expect(await shelfOf(page)).toContain('audiobooks/the-quiet-ferry')
  await expect(header(page).getByRole('button', { name: 'Shopping bag', exact: true })).toBeVisible()
})

test('PAY-28 ERR-10: a declined card leads to the problem page; the bag is there, and another card pays', async ({
  shop,
  page,
}) => {
  const email = aNewAddress('buyer')
  await bought(page, '/audiobooks/the-quiet-ferry')
  await openTill(page)
  const bag = page.getByRole('complementary', { name: 'Your bag' })
  await bag.getByLabel('Discount code').fill('WELCOME20')
  await bag.getByRole('button', { name: 'Apply' }).click()
  await expect(bag.getByText('20% off, rounded up to a whole pound')).toBeVisible()
  await fillInBuyer(page, email)
  await payByCard(page, CARD.declined)
  await expect(page).toHaveURL(/\/payment-problem$/)
  await expect(h1(page, 'Oops, looks like there was a problem with your payment.')).toBeVisible()
  await expect(
    main(page).getByText('Your bank declined the payment. Nothing has been charged.'),
  ).toBeVisible()
  await expect(main(page).getByText('Please try again or another card.')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('cartId'))).toBeNull()
  expect(await ordersOf(page)).toEqual([])
  await expectAccessibleEverywhere(page)

  await main(page).getByRole('link', { name: 'Try again' }).click()
  await openTill(page)
  await expect(bag).toContainText('The Quiet Ferry')
  // The code that stood on the order stands again.
  await expect(bag.getByText('WELCOME20')).toBeVisible()
  // By now somebody with an account: only the payment is asked for.
  await expect(page.getByLabel('Email', { exact: true })).toHaveCount(0)
  await payByCard(page)
  await thanked(page)
  expect(await ordersOf(page)).toMatchObject([{ amount: 9, couponCode: 'WELCOME20' }])
  await mailTo(shop.url, email, /order|receipt/i)
})

test('3-D Secure: passed at the bank is paid, refused there is not, and can be tried again', async ({
  shop,
  device,
}) => {
  const page = await buyerAtTill({ shop, device })
  await payByCard(page, CARD.authentication)
  await answerBank(page, 'Fail authentication')
  await expect(page).toHaveURL(/\/payment-problem$/)
  expect(await ordersOf(page)).toEqual([])
  await main(page).getByRole('link', { name: 'Try again' }).click()
  await payByCard(page, CARD.authentication)
  await answerBank(page, 'Complete authentication')
  await thanked(page)
  expect(await ordersOf(page)).toHaveLength(1)
})

test('PAY-11 PAY-47 ROLE-22 ROLE-23 ROLE-25: choosing PayPal goes there at once; approved there is one paid order, for those who carry its proof too', async ({
  page: stranger,
  shop,
  device,
}) => {
  const page = await buyerAtTill({ shop, device })
  await agree(page)
  await page.getByRole('radio', { name: 'PayPal' }).check({ noWaitAfter: true })
  await page.getByRole('button', { name: 'Approve' }).click()
  await thanked(page)
  await expect(page).toHaveURL(/\/payment-successful/)
  const proof = new URL(page.url()).search
  expect(await ordersOf(page)).toMatchObject([{ amount: 11, status: 'paid' }])
  expect(await shelfOf(page)).toEqual(['audiobooks/the-quiet-ferry'])

  await test.step('trap 26: Back after paying finds the order paid, and asks for nothing again', async () => {
    await page.goBack()
    await thanked(page)
    expect(await ordersOf(page)).toHaveLength(1)
    await page.goto('/payment')
    await expect(page).not.toHaveURL(/\/payment$/)
    expect(await ordersOf(page)).toHaveLength(1)
  })

  await test.step('a stranger is refused, and with the proof told that it was paid, and nothing else', async () => {
    for (const path of [
      '/payment-successful',
      '/payment-problem',
      '/payment-successful-problem',
      '/payment-successful?redirect_status=failed',
    ]) {
      await stranger.goto(path)
      await expect(stranger).toHaveURL(/\/access-denied/)
    }
    for (const path of ['/payment-successful', '/payment-problem']) {
      await stranger.goto(path + proof)
      await expect(h1(stranger, 'Your payment went through.')).toBeVisible()
      await expect(main(stranger)).not.toContainText('The Quiet Ferry')
      await expect(main(stranger)).not.toContainText('£')
    }
    // A secret that is not the payment's proves nothing.
    await stranger.goto('/payment-problem?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2')
    await expect(h1(stranger, 'Oops, looks like there was a problem with your payment.')).toBeVisible()
  })
})

test('ORDER-04 ERR-18: PayPal that is closed leads back to the till as it was; refused there nothing is bought, it is said, and a card pays', async ({
  shop,
  device,
}) => {
  const page = await buyerAtTill({ shop, device })
  const toPayPal = async () => {
    await agree(page)
    await page.getByRole('radio', { name: 'PayPal' }).check({ noWaitAfter: true })
  }
  await test.step('before it is left for, the page says so', async () => {
    await page.getByRole('radio', { name: 'PayPal' }).check()
    await expect(main(page).getByText(/You’ll go to PayPal to approve the payment/)).toBeVisible()
    await expect(main(page).getByText(/Card details go straight/)).toHaveCount(0)
    await expect(main(page).getByRole('link', { name: 'terms' })).toHaveAttribute(
      'href',
      '/info/terms-conditions',
    )
    await page.getByRole('radio', { name: 'Card' }).check()
    await expect(main(page).getByText(/Card details go straight/)).toBeVisible()
  })
  await toPayPal()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL(/\/payment$/)
  await openTill(page)
  await expect(page.getByRole('complementary', { name: 'Your bag' })).toContainText('The Quiet Ferry')
  expect(await ordersOf(page)).toEqual([])

  await toPayPal()
  await page.getByRole('button', { name: 'Refuse' }).click()
  await expect(h1(page, 'Oops, looks like there was a problem with Paypal.')).toBeVisible()
  await expect(main(page).getByText('Please try again or another card.')).toBeVisible()
  expect(await ordersOf(page)).toEqual([])
  await main(page).getByRole('link', { name: 'Try again' }).click()
  await payByCard(page)
  await thanked(page)
  expect(await ordersOf(page)).toHaveLength(1)
})

test('a tab that is closed between payment and confirmation costs nothing: the book is there', async ({
  shop,
  device,
}) => {
  const context = await device({ of: await aNewcomer(shop.url) })
  const page = await context.newPage()
  await bought(page, '/audiobooks/the-quiet-ferry')
  await openTill(page)
  await typeCard(page, CARD.authentication)
  await agree(page)
  await payNow(page).click()
  const bank = page.frameLocator('iframe[title="Your bank asks for you"]')
  const decided = page.waitForRequest(
    (request) => request.url().includes('/bank/') && request.method() === 'POST',
  )
  await bank.getByRole('button', { name: 'Complete authentication' }).click()
  await decided
  await page.close()

  const again = await context.newPage()
  await again.goto('/library')
  await expect
    .poll(async () => (await again.reload(), shelfOf(again)), { timeout: 20_000 })
    .toEqual(['audiobooks/the-quiet-ferry'])
  expect(await ordersOf(again)).toHaveLength(1)
  await again.goto('/shopping-bag')
  await expect(main(again).getByText('Your bag is empty. The shelves aren’t.')).toBeVisible()
})

test('trap 24: two tabs at the till pay for one bag once', async ({ shop, device }) => {
  const context = await device({ of: await aNewcomer(shop.url) })
  const [one, other] = [await context.newPage(), await context.newPage()]
  await bought(one, '/audiobooks/the-quiet-ferry')
  await other.goto('/payment')
  await openTill(other)
  await typeCard(other, CARD.good)
  await agree(other)
  await openTill(one)
  await payByCard(one)
  await thanked(one)
  await other.bringToFront()
  if (
    await payNow(other)
      .isEnabled({ timeout: 1_000 })
      .catch(() => false)
  )
    await payNow(other).click()
  await expect(other).not.toHaveURL(/\/payment$/, { timeout: 20_000 })
  expect(await ordersOf(one)).toHaveLength(1)
  expect((await shelfOf(one)).filter((title) => title === 'audiobooks/the-quiet-ferry')).toHaveLength(1)
})

test('ORDER-07 ORDER-01: the confirmation finds its order with the live stream and without it', async ({
  shop,
  device,
}) => {
  const told = await buyerAtTill({ shop, device })
  await told.route('**/.well-known/mercure*', (route) => route.abort())
  await payByCard(told)
  await thanked(told)
  await told.unroute('**/.well-known/mercure*')

  // The other way round: the page's questions stand still, and only the message can tell it.
  await bought(told, '/ebooks/oak-gall')
  await openTill(told)
  await told.clock.install()
  await shop.sandbox.control('webhooks', { hold: 'true' })
  await told.route('**/api/payments/return', (route) => route.abort())
  const stream = told.waitForResponse((response) => response.url().includes('/.well-known/mercure'))
  await payByCard(told)
  await stream
  await expect(h1(told, 'Checking your payment')).toBeVisible()
  await told.clock.pauseAt(Date.now() + 1_000)
  await shop.sandbox.control('webhooks', { hold: 'false' })
  await shop.sandbox.control('webhooks/release')
  await thanked(told)
  const [order] = await ordersOf(told)
  await expect(main(told).getByText(`Order ${order!.orderNumber}`).first()).toBeVisible()
})

test('ORDER-02 ORDER-03 ORDER-12: without an order after 30 seconds the page says what that means', async ({
  shop,
  device,
}) => {
  const page = await buyerAtTill({ shop, device })
  await page.clock.install()
  await page.route(/payments\/return|order_carts|well-known/, (route) => route.abort())
  await payByCard(page)
  await expect(h1(page, 'Checking your payment')).toBeVisible()
  await expect(async () => {
    await page.clock.runFor(3_000)
    await expect(page).toHaveURL(/\/payment-successful-problem$/, { timeout: 100 })
  }).toPass({ timeout: 60_000, intervals: [100] })
  await expect(h1(page, 'Oops, looks like there was a problem with order confirmation')).toBeVisible()
  for (const [name, path] of [
    ['Go to your library', '/library'],
    ['Questions and answers', '/faq'],
    ['Ask for help', '/info/support'],
  ] as const)
    await expect(main(page).getByRole('link', { name })).toHaveAttribute('href', path)
  await page.clock.resume()
  await expectAccessibleEverywhere(page)
})

test('ORDER-11: after PayPal the page goes on waiting past 30 seconds', async ({ page }) => {
  await page.clock.install()
  let outcome = 'checking'
  await page.route('**/api/payments/return', (route) => route.fulfill({ json: { outcome, order: null } }))
  await page.goto(
    '/payment-successful?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded',
  )
  await expect(h1(page, 'Checking your payment')).toBeVisible()
  for (let second = 0; second < 45; second += 3) await page.clock.runFor(3_000)
  await expect(h1(page, 'Checking your payment')).toBeVisible()
  await expect(page).toHaveURL(/\/payment-successful\?/)
  outcome = 'paid'
  await page.clock.runFor(3_000)
  await expect(h1(page, 'Your payment went through.')).toBeVisible()
})

test('NAV-23 NAV-24 NAV-26 PAY-25: the till and its problem pages open by address; what can no longer be bought leads to the bag, unpaid', async ({
  shop,
  device,
}) => {
  const page = await buyerAtTill({ shop, device })
  for (const [path, title, heading] of [
    ['/payment-problem', 'Payment problem', 'Oops, looks like there was a problem with your payment.'],
    [
      '/payment-successful-problem',
      'Order problem',
      'Oops, looks like there was a problem with order confirmation',
    ],
    ['/payment', 'Checkout', 'Checkout'],
  ] as const) {
    await page.goto(path)
    await expect(h1(page, heading)).toBeVisible()
    await expect(page).toHaveTitle(`${title} | Murmur`)
  }
  await page.route('**/availability', (route) => route.fulfill({ json: { updated: true } }))
  const paid: string[] = []
  page.on('request', (request) => request.url().endsWith('/checkout') && paid.push(request.url()))
  await payByCard(page)
  await expect(page).toHaveURL(/\/shopping-bag$/)
  expect(paid).toEqual([])
})
