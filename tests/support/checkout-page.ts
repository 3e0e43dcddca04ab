import type { Page } from '@playwright/test'
import { takenOver } from './page-errors.ts'
import { expect, type Shop } from './journey.ts'
import { aNewcomer } from './newcomer.ts'

export const main = (page: Page) => page.getByRole('main')
export const h1 = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

export const CARD = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  noFunds: '4000 0000 0000 9995',
  authentication: '4000 0025 0000 3155',
  alwaysAsked: '4000 0027 6000 3184',
  failsLater: '4000 0000 0000 0341',
  expired: '4000 0000 0000 0069',
} as const

export async function putIntoBag(page: Page, path: string): Promise<void> {
  await page.goto(path)
  const add = main(page).getByRole('button', { name: /^(Add to bag|Gift, )/ })
  const added = main(page).getByRole('button', { name: /ADDED TO BAG!|IN BAG/ })
  await expect(add.or(added).first()).toBeVisible()
  await takenOver(page, add.or(added).first())
  if (await add.isVisible()) await add.click()
  await expect(added).toBeVisible()
}

export const line = (page: Page, title: string) =>
  main(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 2, name: title }) })

export const expectCheckout = (page: Page) => expect(h1(page, 'Checkout')).toBeVisible()

interface Ready {
  readonly device: (wish: { of: string }) => Promise<{ newPage: () => Promise<Page> }>
  readonly shop: Shop
}

/** A buyer with an account and one book in the bag, at the checkout. */
export async function buyerAtCheckout({ device, shop }: Ready): Promise<Page> {
  const page = await (await device({ of: await aNewcomer(shop.url) })).newPage()
  await putIntoBag(page, '/audiobooks/the-quiet-ferry')
  await page.goto('/payment')
  await expectCheckout(page)
  return page
}

/** Waits for the confirmation with the order: it takes a dozen requests in sequence after the press. */
export const thanked = (page: Page) =>
  expect(h1(page, 'Thank you. It’s all yours.')).toBeVisible({ timeout: 60_000 })

const frame = (page: Page, title: string) =>
  page.frameLocator(`iframe[title="${title}"]`).getByRole('textbox')

/** Types into the provider's frames, key by key. */
export async function typeCard(page: Page, number: string, more: { expiry?: string; cvc?: string } = {}) {
  await page.getByLabel('Name on card').fill('Una Reed')
  for (const [title, text] of [
    ['Secure card number input frame', number],
    ['Secure expiration date input frame', more.expiry ?? `12 / ${new Date().getFullYear() - 1997}`],
    ['Secure CVC input frame', more.cvc ?? '123'],
  ] as const) {
    const field = frame(page, title)
    await field.fill('')
    await field.pressSequentially(text.replaceAll(' ', ''))
  }
}

export const agree = (page: Page) => page.getByRole('checkbox', { name: /I want my books now/ }).check()
export const payNow = (page: Page) => page.getByRole('button', { name: 'Pay now' })
/** A button that can't be pressed says why: a failed journey prints it. */
export async function pressPayNow(page: Page): Promise<void> {
  await expect(payNow(page)).toHaveAccessibleDescription('')
  await payNow(page).click()
}

export async function fillInBuyer(page: Page, email: string): Promise<void> {
  // Labels have an asterisk where every field is marked (PAY-07).
  await page.getByLabel(/^Email( \*)?$/).fill(email)
  await page.getByLabel('First name').fill('Una')
  await page.getByLabel('Last name').fill('Reed')
  await page.getByLabel(/^Password( \*)?$/).fill('murmur-demo')
  await page.getByLabel('Country').selectOption({ label: 'United Kingdom' })
}

/** Fills in the whole form with a valid card, and pays. */
export async function payByCard(page: Page, number: string = CARD.good): Promise<void> {
  await expectCheckout(page)
  await typeCard(page, number)
  await agree(page)
  await payNow(page).click()
}

/** Answers the bank's 3-D Secure dialog. */
export const answerBank = (page: Page, answer: 'Complete authentication' | 'Fail authentication') =>
  page.frameLocator('iframe[title="Your bank asks for you"]').getByRole('button', { name: answer }).click()

interface OrderSeen {
  orderNumber: string
  amount: number
  status: string
  couponCode: string | null
  orderItems: { title: string; price: number; gift: boolean }[]
}

/** Queries the API with the token of the page's user. */
async function ask<T>(page: Page, path: string): Promise<T[]> {
  return page.evaluate(async (address) => {
    const answer = await fetch(address, {
      headers: { xtoken: `Bearer ${localStorage.getItem('token')}`, accept: 'application/ld+json' },
    })
    return ((await answer.json()) as { 'hydra:member': unknown[] })['hydra:member']
  }, path) as Promise<T[]>
}

export const ordersOf = (page: Page) => ask<OrderSeen>(page, '/api/order_carts?itemsPerPage=50')

export async function shelfOf(page: Page): Promise<string[]> {
  const entries = await ask<{ audioBook: { slug: string } | null; eBook: { slug: string } | null }>(
    page,
    '/api/libraries?itemsPerPage=100',
  )
  return entries.map(({ audioBook, eBook }) =>
    audioBook ? `audiobooks/${audioBook.slug}` : `ebooks/${eBook!.slug}`,
  )
}

/** The number of successful payments, according to the provider and not the shop. */
export async function chargesAt(sandbox: {
  payments: { listPayments: (range: object) => AsyncIterable<{ state: string; amountMinor: number }> }
}): Promise<number[]> {
  const charged: number[] = []
  for await (const payment of sandbox.payments.listPayments({}))
    if (payment.state === 'paid') charged.push(payment.amountMinor)
  return charged
}
