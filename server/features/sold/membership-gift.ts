import { PLANS } from '#contract/plans.ts'
import { giveMembership, suspendMembership, takeBackMembership } from '../membership-gifts/rules.ts'
import type { Selling } from './selling.ts'

/** A membership that is given: one payment, and nothing that renews. It needs no account of who pays it. */
export const membershipGift: Selling<'membership_gift'> = {
  deliveredColumn: 'membershipGiftId',
  columns: ({ plan, ...giftDetails }) => ({ plan, giftDetails: detailsOf(giftDetails) }),
  // Neither is null: the table refuses one without.
  read: ({ plan, giftDetails }) => ({ kind: 'membership_gift', plan: planOf(plan), ...giftDetails! }),
  // It is always for somebody else.
  deliver: async () => ({ refused: 'elsewhere' }),
  give: async (tx, shop, { kind: _kind, ...sold }, { title: _title, ...to }) => ({
    deliveredId: await giveMembership(tx, shop, { ...sold, ...to }),
  }),
  givenWithoutAccount: true,
  notesGifts: true,
  // A member keeps it.
  hasAlready: async () => false,
  takeBack: async () => undefined,
  takeBackGiven: (tx, line, now) => takeBackMembership(tx, line, now),
  suspendGiven: (tx, line, at) => suspendMembership(tx, line, at),
  books: () => [],
  view: () => ({ audioBook: null, eBook: null, subscription: null }),
}

const detailsOf = ({
  firstName,
  day,
  zone,
  christmas,
}: Pick<
  Parameters<Selling<'membership_gift'>['columns']>[0],
  'firstName' | 'day' | 'zone' | 'christmas'
>) => ({
  firstName,
  day,
  zone,
  christmas,
})

const planOf = (plan: number | null) => Object.values(PLANS).find(({ id }) => id === plan)!.id
