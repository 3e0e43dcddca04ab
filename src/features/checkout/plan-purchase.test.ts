// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import type { PlanDiscount } from '#contract/discounts.ts'
import { payFor } from './pay.ts'
import type { Purchase } from './purchase.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { confirmationOf } from './addresses.ts'
import { cardPurchase, planPurchase, trialPurchase } from './purchases.ts'

const begun = (paymentIntent: string) => ({
  id: 's1',
  paymentIntent,
  returnUrl: 'https://murmur.example/back',
})
const exchange = vi.fn(async ({ path }: Exchange): Promise<unknown> => {
  if (path.endsWith('/create_trial_subscription')) return begun('seti_1_secret_x')
  if (path.endsWith('/subscription_intents')) return { 'hydra:member': [{ clientSecret: 'seti_2_secret_y' }] }
  return begun('pi_1_secret_x')
})
configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
  typeof configureNet
>[0])

const plan = planPurchase({ plan: 4, discount: undefined, code: null, blocked: undefined })
const trial = trialPurchase(undefined, 'PROMOTRIAL', Date.parse('2026-11-22T10:00:00Z'))
const card = cardPurchase('s1', 4, async () => undefined)

const wholePrice: PlanDiscount = {
  valid: true,
  message: null,
  plan: 4,
  price: 8,
  discountPrice: 0,
  vat: 0,
  discountDuration: 'once',
  discountDurationMonths: null,
  relative_discount: 100,
  discount_amount: null,
  free: true,
}

async function pressed(purchase: Purchase) {
  exchange.mockClear()
  const steps: string[] = []
  const end = await payFor(undefined, {
    isUpdated: purchase.isUpdated,
    register: purchase.register,
    checkout: () => purchase.checkout({ waiver: true }),
    confirm: async (secret) => {
      steps.push(...exchange.mock.calls.map(([{ method, path }]) => `${method} ${path}`), `confirm ${secret}`)
      return 'done'
    },
    outcome: async () => 'open',
    remember: () => undefined,
  })
  if (end.end !== 'successful') throw new Error(`It ended as ${end.end}`)
  return { steps, leads: confirmationOf({ ...end, membership: purchase.membership }) }
}

test('PAY-29: a plan paid in full by a code asks for no card and no consent, and looks like a free order', async () => {
  const free = planPurchase({ plan: 4, discount: wholePrice, code: 'FREEMONTH', blocked: undefined })
  expect([free.label, free.methods, free.waiver]).toEqual(['Complete free order', [], undefined])
  expect((await pressed(free)).steps).toEqual([])
  expect(exchange.mock.calls[0]?.[0]).toMatchObject({
    path: '/api/subscriptions/create-without-payment',
    json: { plan: 4, couponCode: 'FREEMONTH' },
  })
})

test('a plan with a code is ordered at the displayed amount', async () => {
  const discount = { ...wholePrice, discountPrice: 6, vat: 1, relative_discount: 25, free: false }
  await pressed(planPurchase({ plan: 4, discount, code: 'FIRSTQUARTER', blocked: undefined }))
  expect(exchange.mock.calls[0]?.[0].json).toMatchObject({ couponCode: 'FIRSTQUARTER', amount: 6 })
})

test('PAY-38 PAY-39: the button of a membership reads “Subscribe”, that of a new card “Update”, and each says what it takes today', () => {
  expect([plan.label, trial.label, card.label]).toEqual(['Subscribe, £8.00', 'Start my free trial', 'Update'])
  expect(cardPurchase('s1', 4, async () => undefined, 8).label).toBe('Update, £8.00')
})

test('PAY-19 PAY-21 PAY-32: for a logged-in user, creates the membership, then pays or stores a card, and ends at the confirmation', async () => {
  expect(await pressed(plan)).toEqual({
    steps: ['POST /api/subscriptions', 'confirm pi_1_secret_x'],
    leads: {
      to: '/subscription-successful',
      state: { newUser: false, secret: 'pi_1_secret_x', subscriptionId: 's1', plan: 4 },
    },
  })
  expect(exchange.mock.calls[0]?.[0].json).toEqual({ plan: 4, couponCode: null, amount: 8, startNow: true })
  expect(await pressed(trial)).toMatchObject({
    steps: ['POST /api/subscriptions/create_trial_subscription', 'confirm seti_1_secret_x'],
    leads: { to: '/subscription-successful-trial', state: { subscriptionId: 's1', plan: 4 } },
  })
  expect(exchange.mock.calls[0]?.[0].json).toEqual({
    couponCode: 'PROMOTRIAL',
    startNow: true,
    days: 30,
    price: 8,
  })
})

test('a new card is confirmed with a set-up intent, which is then sent to the server', async () => {
  expect(await pressed(card)).toEqual({
    steps: ['GET /api/subscription_intents', 'confirm seti_2_secret_y'],
    leads: { to: '/subscription-details' },
  })
  expect(await card.finish?.('seti_2_secret_y')).toBe('We’ll use this card for your membership from now on.')
  expect(exchange.mock.calls.at(-1)?.[0]).toMatchObject({
    path: '/api/subscriptions/s1/update-payment-method',
    json: { paymentMethod: 'seti_2' },
  })
})

test('a new card’s message names the open payment if it succeeded, and also if the bank refused it again', async () => {
  const after = async (status: string) => {
    exchange.mockImplementation(async () => ({ status }))
    return cardPurchase('s1', 4, async () => undefined, 8).finish?.('seti_2_secret_y')
  }
  expect(await after('active')).toBe('£8.00 paid. You’re back.')
  expect(await after('past_due')).toBe(
    'We’ve saved your new card, but your bank declined £8.00 on it as well. Use another card, or ask your bank.',
  )
})
