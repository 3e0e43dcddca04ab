import { expect, test as base, type Page } from '@playwright/test'
import { expectAccessible } from '#tests/support/accessible.ts'
import { payingPage } from './paying-page.ts'
import { type TestSandbox, testSandbox } from '#tests/support/sandbox.ts'

/** The provider's half of a payment: what Stripe's own script does, done by the sandbox's. */
interface CheckoutStarted {
  readonly sandbox: TestSandbox
  readonly url: string
}

const test = base.extend<{ open: () => Promise<{ id: string }> }, { till: CheckoutStarted }>({
  till: [
    // eslint-disable-next-line no-empty-pattern -- Playwright asks for the pattern
    async ({}, use) => {
      const sandbox = await testSandbox()
      const page = await payingPage(sandbox.env.STRIPE_JS_URL!, sandbox.env.STRIPE_PUBLISHABLE_KEY!)
      await use({ sandbox, url: page.url })
      page.close()
      await sandbox.close()
    },
    { scope: 'worker' },
  ],
  /** Opens a payment of £14.99 in a checkout that is ready. */
  open: async ({ page, till }, use) => {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await use(async () => {
      const payment = await till.sandbox.payments.createPayment(
        { amountMinor: 1499, metadata: {} },
        crypto.randomUUID(),
      )
      await page.goto(`${till.url}/?secret=${payment.clientSecret}`)
      await expect(page.getByRole('status')).toHaveText('ready')
      return payment
    })
    // A declined card is an API response with status 402, which the browser logs.
    expect(problems.filter((text) => !/status of 402/.test(text))).toEqual([])
  },
})

const number = (page: Page) =>
  page.frameLocator('[title="Secure card number input frame"]').getByLabel('Credit or debit card number')
const expiry = (page: Page) =>
  page
    .frameLocator('[title="Secure expiration date input frame"]')
    .getByLabel('Credit or debit card expiration date')
const cvc = (page: Page) =>
  page.frameLocator('[title="Secure CVC input frame"]').getByLabel('Credit or debit card CVC/CVV')
const bank = (page: Page) => page.frameLocator('[title="Your bank asks for you"]')

async function typeCard(page: Page, card: string): Promise<void> {
  await number(page).pressSequentially(card)
  await expiry(page).pressSequentially('1234')
  await cvc(page).pressSequentially('123')
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const says = (page: Page, text: string | RegExp) => expect(page.getByRole('status')).toHaveText(text)

test('a card number is typed by keyboard alone, grouped as on the card, and paid with Enter', async ({
  page,
  till,
  open,
}) => {
  const { id } = await open()
  // The fields are in frames, which get the focus a moment after the page moves it; keys pressed before are lost.
  await page.getByText('Number', { exact: true }).click()
  await expect(number(page)).toBeFocused()
  await page.keyboard.type('4242424242424242')
  await expect(number(page)).toHaveValue('4242 4242 4242 4242')
  await page.keyboard.press('Tab')
  await expect(expiry(page)).toBeFocused()
  await page.keyboard.type('1234')
  await expect(expiry(page)).toHaveValue('12 / 34')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await expect(expiry(page)).toHaveValue('1')
  await page.keyboard.type('134')
  await page.keyboard.press('Tab')
  await expect(cvc(page)).toBeFocused()
  await page.keyboard.type('123')
  await page.keyboard.press('Enter')
  await says(page, 'succeeded')
  expect(await till.sandbox.payments.retrievePayment(id)).toMatchObject({ state: 'paid', cardLast4: '4242' })
})

test('text typed before a field was ready is used', async ({ page, till }) => {
  const payment = await till.sandbox.payments.createPayment(
    { amountMinor: 1499, metadata: {} },
    crypto.randomUUID(),
  )
  let arrive = () => {}
  const held = new Promise<void>((resolve) => (arrive = resolve))
  await page.route('**/browser/field.ts', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${till.url}/?secret=${payment.clientSecret}`, { waitUntil: 'commit' })
  await typeCard(page, '4242424242424242')
  arrive()
  await says(page, 'ready')
  await expect(number(page)).toHaveValue('4242 4242 4242 4242')
  await press(page, 'Pay')
  await says(page, 'succeeded')
})

test('card errors are shown while typing and again on submit', async ({ page, till, open }) => {
  const { id } = await open()
  await number(page).pressSequentially('4242424242424241')
  await expect(page.locator('#number')).toHaveClass(/StripeElement--invalid/)
  await expect(number(page)).toHaveCSS('color', 'rgb(200, 0, 0)')
  await number(page).press('Backspace')
  await number(page).press('2')
  await expect(page.locator('#number')).not.toHaveClass(/StripeElement--invalid/)
  await expect(page.locator('#number')).toHaveClass(/StripeElement--complete/)
  await press(page, 'Pay')
  await says(page, /^validation_error \| incomplete_expiry/)
  await expect(page.locator('#expiry')).toHaveClass(/StripeElement--invalid/)
  const event = await page.evaluate(
    () => (window as unknown as { states: Record<string, unknown> }).states.cardNumber,
  )
  expect(event).toMatchObject({ elementType: 'cardNumber', empty: false, complete: true, brand: 'visa' })
  expect((await till.sandbox.payments.retrievePayment(id)).state).toBe('open')
})

test('a declined card shows the reason, and another one pays', async ({ page, till, open }) => {
  const { id } = await open()
  await typeCard(page, '4000000000009995')
  await press(page, 'Pay')
  await says(page, 'card_error | card_declined | insufficient_funds | Your card has insufficient funds.')
  await number(page).fill('')
  await number(page).pressSequentially('4242424242424242')
  await press(page, 'Pay')
  await says(page, 'succeeded')
  expect((await till.sandbox.payments.retrievePayment(id)).state).toBe('paid')
})

test('authentication: refused, the payment waits; passed, it is paid', async ({ page, till, open }) => {
  const { id } = await open()
  await typeCard(page, '4000002500003155')
  await press(page, 'Pay')
  await expect(bank(page).getByText('£14.99')).toBeVisible()
  await bank(page).getByRole('button', { name: 'Fail authentication' }).click()
  await says(page, /payment_intent_authentication_failure/)
  expect((await till.sandbox.payments.retrievePayment(id)).state).toBe('open')

  await press(page, 'Pay')
  await bank(page).getByRole('button', { name: 'Complete authentication' }).press('Enter')
  await says(page, 'succeeded')
  await expect(page.locator('dialog')).toHaveCount(0)
})

test('a card is saved for later after authentication', async ({ page, till }) => {
  const response = await fetch(`${till.sandbox.origin}/v1/setup_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${till.sandbox.env.STRIPE_SECRET_KEY}` },
    body: new URLSearchParams({ usage: 'off_session' }),
  })
  const { client_secret: secret } = (await response.json()) as { client_secret: string }
  await page.goto(`${till.url}/?secret=${secret}`)
  await says(page, 'ready')
  await typeCard(page, '4000002500003155')
  await press(page, 'Pay')
  await bank(page).getByRole('button', { name: 'Complete authentication' }).click()
  await says(page, 'succeeded')
})

test('PayPal returns approved, refused or closed', async ({ page, till, open }) => {
  const { id } = await open()
  await press(page, 'PayPal')
  await expect(page.getByRole('heading', { name: 'PayPal sandbox' })).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('heading', { name: 'Till' })).toBeVisible()
  expect((await till.sandbox.payments.retrievePayment(id)).state).toBe('open')

  await press(page, 'PayPal')
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.waitForURL(/\/back\?.*redirect_status=failed/)
  await says(page, 'requires_payment_method')

  await press(page, 'PayPal')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(/\/back\?.*redirect_status=succeeded/)
  await says(page, 'succeeded')
  expect(await till.sandbox.payments.retrievePayment(id)).toMatchObject({ state: 'paid', method: 'paypal' })

  // Going back after paying: the payment has finished, so the page redirects again.
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'PayPal sandbox' })).toHaveCount(0)
})

test('the fields, the authentication page and the PayPal page pass axe', async ({ page, open }) => {
  await open()
  await expectAccessible(page)
  await typeCard(page, '4000002760003184')
  await press(page, 'Pay')
  await expect(bank(page).getByRole('button', { name: 'Complete authentication' })).toBeFocused()
  await expectAccessible(page)
  await bank(page).getByRole('button', { name: 'Fail authentication' }).click()
  await press(page, 'PayPal')
  await expect(page.getByRole('heading', { name: 'PayPal sandbox' })).toBeVisible()
  await expectAccessible(page)
})
