// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import type { PlanDiscount } from '#contract/discounts.ts'
import { forgetGiftDraft } from '#features/gifts/draft.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { checkoutSearch, confirmationOf, problemState } from './addresses.ts'
import { giftPurchase } from './purchases.ts'
import { payFor } from './pay.ts'

const exchange = vi.fn(async (_asked: Exchange): Promise<unknown> => ({
  id: 'o1',
  paymentIntent: 'pi_1_secret_x',
  returnUrl: 'https://murmur.example/back',
}))
beforeEach(() => {
  vi.clearAllMocks()
  forgetGiftDraft()
  configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
    typeof configureNet
  >[0])
})

const given = {
  plan: 1,
  occasion: 'xmas',
  draft: {
    firstName: ' Joost ',
    email: ' joost@harbour.example ',
    message: 'For the quiet hours.\n',
    day: '25/12/2026',
  },
  zone: 'Europe/London',
  discount: undefined,
  code: null,
  blocked: undefined,
} as const

async function pressed(purchase: ReturnType<typeof giftPurchase>, giver?: { email: string }) {
  exchange.mockClear()
  const steps: string[] = []
  const end = await payFor(undefined, {
    isUpdated: purchase.isUpdated,
    register: purchase.register,
    checkout: () =>
      purchase.checkout({
        waiver: true,
        ...(giver && { giver: { firstName: 'Nell', lastName: 'Hart', countryCode: 'GB', ...giver } }),
      }),
    confirm: async (secret) => {
      steps.push(...exchange.mock.calls.map(([{ method, path }]) => `${method} ${path}`), `confirm ${secret}`)
      return 'done'
    },
    outcome: async () => 'open',
    remember: () => undefined,
  })
  return { steps, end, bodies: exchange.mock.calls.map(([{ json }]) => json) }
}

test('PAY-19: a gift is created with recipient, day and the giver’s time zone, then paid for once', async () => {
  const { steps, end, bodies } = await pressed(giftPurchase(given))
  expect(steps).toEqual(['POST /api/subscriptions', 'confirm pi_1_secret_x'])
  expect(end.end).toBe('successful')
  expect(bodies).toEqual([
    {
      plan: 1,
      gift: true,
      giftEmail: 'joost@harbour.example',
      giftRecipientFirstName: 'Joost',
      giftMessage: 'For the quiet hours.',
      giftDeliveryDate: '2026-12-25',
      giftTimeZone: 'Europe/London',
      christmas: true,
      giftKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
      couponCode: null,
      amount: 12,
      startNow: true,
    },
  ])
})

test('repeated requests for one gift share one payment, and the next gift has another', async () => {
  const keyOf = async () => ((await pressed(giftPurchase(given))).bodies[0] as { giftKey: string }).giftKey
  const first = await keyOf()
  expect(await keyOf()).toBe(first)
  forgetGiftDraft()
  expect(await keyOf()).not.toBe(first)
})

test('a gift without a day is delivered at once, one with a day on it, and a visitor can give it without an account', async () => {
  const undated = { ...given.draft, day: '' }
  const now = giftPurchase({ ...given, plan: 5, occasion: 'gift', draft: undated })
  const { steps, bodies } = await pressed(now, { email: 'nell@harbour.example' })
  expect(steps[0]).toBe('POST /api/subscriptions/give')
  expect(bodies[0]).toMatchObject({
    plan: 5,
    christmas: false,
    giftDeliveryDate: null,
    giver: { email: 'nell@harbour.example', firstName: 'Nell', lastName: 'Hart', countryCode: 'GB' },
  })
  const later = await pressed(giftPurchase({ ...given, plan: 5, occasion: 'gift' }), {
    email: 'nell@harbour.example',
  })
  expect(later.bodies[0]).toMatchObject({ christmas: false, giftDeliveryDate: '2026-12-25' })
})

test('a gift is charged once, says so, and has its own button label', () => {
  const gift = giftPurchase({ ...given, plan: 5, occasion: 'gift' })
  expect([gift.label, gift.charge, gift.methods]).toEqual([
    'Pay now, £80.00',
    '£80.00 once, including VAT. Nothing renews.',
    ['card', 'paypal'],
  ])
  expect(gift.back).toEqual({ to: '/gift', search: { plan: '5' }, words: 'Back to the gift' })
})

test('a gift paid in full by a code asks for no card and no consent', () => {
  const discount = { free: true, discountPrice: 0 } as PlanDiscount
  const gift = giftPurchase({ ...given, plan: 5, occasion: 'gift', discount, code: 'BOOKGIFT' })
  expect([gift.label, gift.methods, gift.waiver]).toEqual(['Complete free order', [], undefined])
})

const paid = { order: 'o1', secret: 'pi_1_secret_x', newUser: false }

test('PAY-33 PAY-34: a paid gift leads to its confirmation, at Christmas with recipient and type in the URL', () => {
  expect(
    confirmationOf({ ...paid, membership: { plan: 5, kind: 'gift', recipient: 'Joost' } }),
  ).toMatchObject({
    to: '/subscription-successful-gift',
    state: { subscriptionId: 'o1', recipientName: 'Joost', plan: 5 },
  })
  expect(
    confirmationOf({ ...paid, membership: { plan: 1, kind: 'xmas', recipient: 'Joost' } }),
  ).toMatchObject({
    to: '/xmas-successful-gift',
    search: { recipient: 'Joost', type: '1' },
  })
})

test('an unpaid gift leads back to the same checkout', () => {
  expect(problemState(null, { plan: 1, kind: 'xmas', recipient: 'Joost' })).toEqual({ plan: 1, gift: 'xmas' })
  expect(checkoutSearch({ plan: '3', gift: 'gift' })).toEqual({ plan: 3, gift: 'gift' })
  expect(checkoutSearch({ plan: '3', gift: 'xmas' })).toEqual({ plan: 1, gift: 'xmas' })
  expect(checkoutSearch({ plan: '3' })).toEqual({})
  expect(checkoutSearch({ plan: '5', gift: 'yes' })).toEqual({ plan: 5 })
})
