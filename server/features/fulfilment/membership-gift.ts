import { giveMembership } from '../gifts/give-membership.ts'
import { suspendMembership, takeBackMembership } from '../gifts/membership-gift-refunds.ts'
import type { Product } from '../products/product.ts'

/** A given membership: one payment that never renews. The payer needs no account. */
export const membershipGift: Product<'membership_gift'> = {
  // It is always a gift.
  deliver: async () => ({ refused: 'elsewhere' }),
  give: async (tx, shop, { kind: _kind, ...sold }, { title: _title, ...to }) => ({
    deliveredId: await giveMembership(tx, shop, { ...sold, ...to }),
  }),
  givenWithoutAccount: true,
  // A member can receive more months.
  hasAlready: async () => false,
  takeBack: async () => undefined,
  takeBackGiven: (tx, line, now) => takeBackMembership(tx, line, now),
  suspendGiven: (tx, line, at) => suspendMembership(tx, line, at),
}
