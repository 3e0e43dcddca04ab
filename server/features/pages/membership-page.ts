import type { Static } from 'typebox'
import type { MembershipPage } from '#contract/pages.ts'
import type { Plan, PlanId, Plans } from '#contract/plans.ts'
import type { OwnersDetails } from '../../settings/owners-details.ts'

export type MembershipTexts = Omit<Static<typeof MembershipPage>, '@id' | '@type'>

/** Defaults for keys that the owner's `membership.json` lacks. They must suit every shop. */
export function membershipTexts(
  own: Partial<MembershipTexts> | undefined,
  details: Pick<OwnersDetails, 'plans' | 'terms' | 'name'>,
): MembershipTexts {
  const { plans, terms } = details
  const sold = Object.values(plans).filter((plan) => plan.sold)
  const hasCredits = sold.some(({ creditsPerMonth }) => creditsPerMonth > 0)
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format([
    ...new Set(sold.map(({ type }) => type)),
  ])
  return {
    joinSubtitle: 'Membership',
    joinTitle: terms.memberDiscount > 0 ? 'Hear more, and pay less.' : 'Become a member.',
    joinDescription: `Membership keeps ${details.name} going. Cancel at any time; your library stays yours.`,
    image: null,
    subscriptionTitle: 'Choose your plan',
    subscriptionSubtitle: `Memberships renew automatically until you cancel.${hasCredits ? ' Free audiobooks stay in your library; unused ones don’t carry over.' : ''}`,
    freeTitle: 'Free',
    freeDescription: 'No card. Buy what you like at cover price and keep it for good.',
    supporterTitle: titleOf(plans, 6, 7),
    supporterDescription: '',
    readerTitle: titleOf(plans, 4, 5),
    readerDescription: '',
    avidReaderTitle: titleOf(plans, 1, 2),
    avidReaderDescription: '',
    testimonialsTitle: 'What our members say',
    testimonialBlocks: [],
    giftTitle: 'Give a membership',
    giftStep1Title: 'Choose a plan',
    giftStep1Description: names ? `${names}: for as long as you like.` : 'For as long as you like.',
    giftStep2Title: 'Tell us who it’s for',
    giftStep2Description: 'Their email and, if you like, a note in your own words.',
    giftStep3Title: 'They claim it',
    giftStep3Description: 'It begins on the day they say yes, not the day you paid.',
    ...own,
  }
}

/** From its monthly plan, or from its yearly plan if only that one is sold. */
const titleOf = (plans: Plans, month: PlanId, year: PlanId): string => {
  const [byMonth, byYear]: [Plan, Plan] = [plans[month], plans[year]]
  return byMonth.sold || !byYear.sold ? byMonth.type : byYear.type
}
