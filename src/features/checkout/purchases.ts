import type { PlanDiscount } from '#contract/discounts.ts'
import { buyNowConsent } from '#contract/messages-checkout.ts'
import { DAY_MS } from '#contract/durations.ts'
import type { PlanId } from '#contract/plans.ts'
import { type GiftDraft, giftKey } from '#features/gifts/draft.ts'
import type { Occasion } from '#features/gifts/occasions.ts'
import { rhythmOf } from '#features/membership/model.ts'
import { plans, trial } from '#features/shop-details/plans.ts'
import { dayIn } from '#format/calendar-day.ts'
import { dayAndMonth } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { call } from '#net/call.ts'
import { openSession } from '#session/log-in.ts'
import { registerSubscriber, checkoutCart, registerAtCheckout } from './queries.ts'
import type { Begun, Purchase } from './purchase.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { Cart } from '#contract/bag.ts'
import { isUpdated } from '#features/bag/mutations.ts'
import { bagQuery, currentBag, reloadBag } from '#features/bag/queries.ts'
import { ownAndGifts } from '#features/bag/model.ts'
import { bagHolder, dropCart, guestCart } from '#features/bag/store.ts'
import { isFree } from './pay.ts'
import { forgetBooks, rememberBooks, storeCode } from './store.ts'
import { currentSession } from '#session/store.ts'

const NOW_BY_WALLET = 'It starts now. If you cancel within 14 days you’ll pay for what you’ve used.'
const NOW = 'Start my membership now. If I cancel within 14 days I’ll pay for what I’ve used.'

interface PlanChoice {
  readonly plan: PlanId
  readonly discount: PlanDiscount | undefined
  readonly code: string | null
  readonly blocked: string | undefined
}

const ofAMembership = {
  blocked: undefined,
  marked: true,
  isUpdated: async () => false,
  register: async (account) => openSession(await registerSubscriber(account)),
  refresh: async () => undefined,
  unpaid: () => undefined,
  back: { to: '/subscription/{-$token}', words: 'Back to the plans' },
} as const satisfies Partial<Purchase>

export function planPurchase({ plan, discount, code, blocked }: PlanChoice): Purchase {
  const pounds = discount?.discountPrice ?? plans()[plan].priceMinor / 100
  const free = discount?.free === true
  const sum = amount(toMinor(pounds))
  return {
    ...ofAMembership,
    methods: free ? [] : ['card', 'paypal'],
    waiver: free ? undefined : NOW,
    wallet: free ? undefined : { mode: 'subscription', amountMinor: toMinor(pounds), consent: NOW_BY_WALLET },
    label: free ? 'Complete free order' : `Subscribe, ${sum}`,
    charge: free
      ? 'There is nothing to pay, and it doesn’t renew.'
      : `${sum} today, including VAT. Then it renews ${plans()[plan].monthly ? 'each month' : 'each year'} until you cancel.`,
    blocked,
    code,
    savesCard: true,
    membership: { plan, kind: 'plan' },
    async checkout({ waiver: startNow, saveCard }) {
      if (free && code !== null) {
        const begun = await call('POST /api/subscriptions/create-without-payment', {
          body: { plan, couponCode: code, startNow },
        })
        return nothingLeft(begun.id)
      }
      return begunWith(
        await call('POST /api/subscriptions', {
          body: { plan, couponCode: code, amount: pounds, startNow, ...(saveCard && { saveCard }) },
        }),
      )
    },
  }
}

/** A free period; the stored card or PayPal account pays for the renewals (MEMB-05). */
export function trialPurchase(blocked: string | undefined, code: string | null, nowMs: number): Purchase {
  const { plan, days } = trial()
  const { priceMinor } = plans()[plan]
  const ends = new Date(nowMs + days * DAY_MS).toISOString()
  return {
    ...ofAMembership,
    methods: ['card', 'paypal'],
    waiver: NOW,
    wallet: { mode: 'setup', amountMinor: 0, consent: NOW_BY_WALLET },
    label: 'Start my free trial',
    charge: `${amount(0)} today. On ${dayAndMonth(ends)} it becomes ${amount(priceMinor)} ${rhythmOf(plan)}, unless you cancel first.`,
    blocked,
    code,
    savesCard: true,
    membership: { plan, kind: 'trial' },
    checkout: async ({ waiver: startNow, saveCard }) =>
      begunWith(
        await call('POST /api/subscriptions/create_trial_subscription', {
          body: { couponCode: code, startNow, days, price: priceMinor / 100, ...(saveCard && { saveCard }) },
        }),
      ),
  }
}

/** A new card for a membership (PAY-24). */
export function cardPurchase(
  subscription: string,
  plan: PlanId,
  onSettled: () => Promise<unknown>,
  /** The unpaid amount that is charged at once, in pounds. */
  open: number | null = null,
): Purchase {
  const charge =
    open === null
      ? 'We’ll use this card for your membership from now on, and try any payment you owe straight away.'
      : `We’ll use this card for your membership from now on, and take the ${amount(toMinor(open))} you owe straight away.`
  return {
    ...ofAMembership,
    methods: ['card'],
    waiver: undefined,
    wallet: { mode: 'setup', amountMinor: 0, consent: charge },
    label: open === null ? 'Update' : `Update, ${amount(toMinor(open))}`,
    charge,
    code: null,
    back: { to: '/subscription-details', words: 'Back to your membership' },
    membership: { plan, kind: 'card', subscription },
    async checkout() {
      const { 'hydra:member': intents } = await call('GET /api/subscription_intents')
      return {
        clientSecret: intents[0]?.clientSecret ?? null,
        order: subscription,
        returnUrl: `${window.location.origin}/subscription-details`,
        url: null,
      }
    },
    async finish(secret) {
      const { status } = await call('POST /api/subscriptions/{id}/update-payment-method', {
        params: { id: subscription },
        body: { paymentMethod: secret.split('_secret_')[0] ?? '' },
      })
      await onSettled()
      if (status === 'past_due' || status === 'unpaid')
        return `We’ve saved your new card, but your bank declined ${open === null ? 'the payment' : amount(toMinor(open))} on it as well. Use another card, or ask your bank.`
      return open === null
        ? 'We’ll use this card for your membership from now on.'
        : `${amount(toMinor(open))} paid. You’re back.`
    },
  }
}

const nothingLeft = (order: string): Begun => ({ clientSecret: null, order, returnUrl: '', url: null })

const begunWith = (begun: { id: string; paymentIntent: string | null; returnUrl: string }): Begun => ({
  clientSecret: begun.paymentIntent,
  order: begun.id,
  returnUrl: begun.returnUrl,
  url: null,
})

interface Given {
  readonly plan: PlanId
  readonly occasion: Occasion
  readonly draft: GiftDraft
  /** The giver's time zone: the gift arrives at 8:00 there on the chosen day. */
  readonly zone: string
  readonly discount: PlanDiscount | undefined
  readonly code: string | null
  readonly blocked: string | undefined
}

export function giftPurchase({ plan, occasion, draft, zone, discount, code, blocked }: Given): Purchase {
  const pounds = discount?.discountPrice ?? plans()[plan].priceMinor / 100
  const free = discount?.free === true
  const recipient = draft.firstName.trim()
  const day = dayIn(draft.day)
  return {
    ...ofAMembership,
    methods: free ? [] : ['card', 'paypal'],
    waiver: free
      ? undefined
      : 'It starts as soon as they open it. I understand I can’t cancel once they’ve opened it.',
    wallet: free
      ? undefined
      : {
          mode: 'payment',
          amountMinor: toMinor(pounds),
          consent: 'It starts as soon as they open it, and you can’t cancel once they’ve opened it.',
        },
    savesCard: true,
    account: 'Make me an account, so that I can see when it’s opened',
    label: free ? 'Complete free order' : `Pay now, ${amount(toMinor(pounds))}`,
    charge: free
      ? 'There is nothing to pay.'
      : `${amount(toMinor(pounds))} once, including VAT. Nothing renews.`,
    blocked,
    code,
    back: {
      to: occasion === 'xmas' ? '/xmas' : '/gift',
      search: { plan: String(plan) },
      words: 'Back to the gift',
    },
    membership: {
      plan,
      kind: occasion,
      recipient: recipient || draft.email.trim(),
      ...(day && { day }),
    },
    async checkout({ waiver: startNow, giver, saveCard }) {
      const body = {
        plan,
        giftEmail: draft.email.trim(),
        giftRecipientFirstName: recipient || null,
        giftMessage: draft.message.trim() || null,
        giftDeliveryDate: day ?? null,
        giftTimeZone: zone || null,
        christmas: occasion === 'xmas',
        giftKey: giftKey(),
        couponCode: code,
        amount: pounds,
        startNow,
      }
      return begunWith(
        giver
          ? await call('POST /api/subscriptions/give', { body: { ...body, giver } })
          : await call('POST /api/subscriptions', {
              body: { ...body, gift: true, ...(saveCard && { saveCard }) },
            }),
      )
    },
  }
}

/**
 * The bag with a membership: its payment comes first, and its card then pays for the books at member prices
 * (`BooksPaid`). A wallet would have to be opened twice.
 */
export function bagWithMembership(bag: Purchase, cart: Cart, plan: PlanId): Purchase {
  const pounds = plans()[plan].priceMinor / 100
  const books = cart.sumForMembers ?? cart.sumCheckedForPayment
  const [membershipSum, booksSum] = [amount(toMinor(pounds)), amount(toMinor(books))]
  return {
    ...bag,
    methods: ['card'],
    wallet: undefined,
    waiver: `${waiverOf(cart)} ${NOW}`,
    label: `Pay now, ${amount(toMinor(pounds) + toMinor(books))}`,
    charge: `${membershipSum} for your membership, then ${booksSum} for your books, including VAT. Your membership renews ${plans()[plan].monthly ? 'each month' : 'each year'} until you cancel.`,
    membership: { plan, kind: 'plan', withBag: true },
    async checkout({ waiver: startNow, saveCard }) {
      const begun = await call('POST /api/subscriptions', {
        body: {
          plan,
          couponCode: null,
          amount: pounds,
          startNow,
          cart: cart.uuid,
          ...(saveCard && { saveCard }),
        },
      })
      rememberBooks({ cart: cart.uuid, subscription: begun.id, amount: books })
      return begunWith(begun)
    },
    unpaid() {
      forgetBooks()
      bag.unpaid()
    },
  }
}

const OWN_WAIVER = 'I want my books now, and understand I can’t cancel once they’re in my library.'

/** The waivers the buyer agrees to: one sentence for their own books and one for gifts. */
function waiverOf({ items }: Pick<Cart, 'items'>): string {
  const gifts = items.filter(({ gift }) => gift).length
  const ofGifts =
    gifts === 1
      ? 'Send my gift now. I understand I can take it back within 14 days, but not once it’s been opened.'
      : 'Send my gifts now. I understand I can take each back within 14 days, but not once it’s been opened.'
  const sentences = [gifts < items.length && OWN_WAIVER, gifts > 0 && ofGifts]
  return sentences.filter(Boolean).join(' ')
}

export function bagPurchase(queryClient: QueryClient, cart: Cart, blocked: string | undefined): Purchase {
  const totalMinor = toMinor(cart.sumCheckedForPayment)
  const free = isFree(totalMinor, cart.itemCount)
  const code = cart.discount?.discount_code ?? null
  const uuid = () => currentBag(queryClient)?.uuid ?? cart.uuid
  return {
    methods: free ? [] : ['card', 'paypal'],
    waiver: free ? undefined : waiverOf(cart),
    wallet: free
      ? undefined
      : { mode: 'payment', amountMinor: totalMinor, consent: buyNowConsent(ownAndGifts(cart)) },
    savesCard: true,
    label: free ? 'Complete free order' : `Pay now, ${amount(totalMinor)}`,
    charge: free ? 'There is nothing to pay.' : `${amount(totalMinor)} including VAT.`,
    blocked,
    code,
    back: { to: '/shopping-bag', words: 'Back to your bag' },
    isUpdated: () => isUpdated(uuid()),
    async register(account) {
      const guest = guestCart() ?? cart.uuid
      const pair = await registerAtCheckout(guest, account)
      // The server has moved the bag to the account, so it no longer needs to be merged.
      dropCart(guest)
      await openSession(pair)
      await queryClient.fetchQuery(bagQuery(bagHolder()))
    },
    checkout: ({ waiver, saveCard, consent }) =>
      checkoutCart(uuid(), {
        couponCode: code,
        amount: cart.sumCheckedForPayment,
        ...(consent === undefined ? { waiver } : { consent }),
        ...(saveCard && { saveCard }),
      }),
    refresh: () => reloadBag(queryClient),
    unpaid() {
      if (code) storeCode(code)
      // The account's own bag stays as it is (PAY-28).
      const guest = guestCart()
      if (guest && currentSession().status === 'user') dropCart(guest)
    },
  }
}
