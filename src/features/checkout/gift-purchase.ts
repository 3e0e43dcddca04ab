import type { PlanDiscount } from '#contract/discounts.ts'
import type { PlanId } from '#contract/plans.ts'
import { plans } from '#features/shop-details/plans.ts'
import type { Purchase } from './purchase.ts'
import type { Occasion } from '#features/gifts/occasions.ts'
import { giftKey, type GiftDraft } from '#features/gifts/draft.ts'
import { dayIn } from '#format/calendar-day.ts'
import { amount, toMinor } from '#format/money.ts'
import { call } from '#net/call.ts'
import { begunWith, ofAMembership } from './plan-purchase.ts'

interface Given {
  readonly plan: PlanId
  readonly occasion: Occasion
  readonly draft: GiftDraft
  /** The giver's, for 8 o'clock of a chosen day. */
  readonly zone: string
  readonly discount: PlanDiscount | undefined
  readonly code: string | null
  readonly blocked: string | undefined
}

/** A membership for somebody else: paid once, and nothing renews. */
export function giftPurchase({ plan, occasion, draft, zone, discount, code, blocked }: Given): Purchase {
  const pounds = discount?.discountPrice ?? plans()[plan].priceMinor / 100
  const free = discount?.free === true
  const recipient = draft.firstName.trim()
  const day = dayIn(draft.day)
  return {
    ...ofAMembership,
    methods: free ? [] : ['card', 'paypal'],
    waiver: free ? undefined : 'It begins as soon as they open it. From then on I can’t take it back.',
    account: 'Make me an account, so that I can see when it’s opened',
    label: free ? 'Complete free order' : 'Pay now',
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
      ...(occasion === 'xmas' && day && { day }),
    },
    async checkout({ waiver: startNow, giver }) {
      const body = {
        plan,
        giftEmail: draft.email.trim(),
        giftRecipientFirstName: recipient || null,
        giftMessage: draft.message.trim() || null,
        giftDeliveryDate: (occasion === 'xmas' && day) || null,
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
          : await call('POST /api/subscriptions', { body: { ...body, gift: true } }),
      )
    },
  }
}
