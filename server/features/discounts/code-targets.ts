import { MESSAGES } from '#contract/messages.ts'
import { PLANS } from '#contract/plans.ts'
import type { Reduction } from '../prices/reckon.ts'
import type { Kind, Sold } from '../products/kinds.ts'
import type { DiscountRow } from './queries.ts'

interface Target extends Pick<Reduction, 'of'> {
  readonly covers: (sold: Sold, code: Pick<DiscountRow, 'bookIds'>) => boolean
  /** The message for a basket in which the code can reduce nothing. */
  readonly missing: string
}

const isTitle = ({ kind }: Sold): boolean => kind === 'title'
/** The API calls a code for memberships 'not valid' for books. */
const membershipThat = (fits: (plan: { monthly: boolean; yearly: boolean }) => boolean): Target => ({
  of: 'each',
  covers: (sold) =>
    sold.kind === 'membership' && Object.values(PLANS).some((plan) => plan.id === sold.plan && fits(plan)),
  missing: MESSAGES.discountNotValid,
})

const TARGETS = {
  all: { of: 'total', covers: isTitle, missing: MESSAGES.discountNothingLeft },
  cheapest_book: { of: 'cheapest', covers: isTitle, missing: MESSAGES.discountNothingLeft },
  book: {
    of: 'each',
    covers: (sold, { bookIds }) => sold.kind === 'title' && (bookIds ?? []).includes(sold.bookId),
    missing: MESSAGES.discountNotForThisBag,
  },
  subscription: membershipThat(() => true),
  monthly: membershipThat(({ monthly }) => monthly),
  yearly: membershipThat(({ yearly }) => yearly),
} satisfies Record<DiscountRow['type'], Target>

type Code = Pick<DiscountRow, 'type' | 'percent' | 'amountMinor' | 'bookIds'>

/**
 * The reduction of a code. A code of type `all` also applies to plans, and then without rounding to pounds (DISC-10).
 */
export function reductionOf({ type, percent, amountMinor, bookIds }: Code, kind: Kind = 'title'): Reduction {
  const { of, covers }: Target =
    type === 'all' && kind === 'membership' ? TARGETS.subscription : TARGETS[type]
  return { of, covers: (sold) => covers(sold, { bookIds }), percent, amountMinor }
}

export const missingFor = ({ type }: Pick<DiscountRow, 'type'>, kind: Kind): string =>
  kind === 'membership' ? MESSAGES.discountNotValid : TARGETS[type].missing
