import type { Limit } from '../../rate-limiting/rate-limit.ts'
import type { Db } from '../../db/open.ts'
import type { Setting, MembershipPage } from '#contract/pages.ts'
import type { Config } from '../../settings/config.ts'
import { selectRecord } from './queries.ts'
import type { Static } from 'typebox'
import type { Plan, PlanId, Plans } from '#contract/plans.ts'
import type { OwnersDetails } from '../../settings/owners-details.ts'

/** Far more addresses than one person subscribes. */
export const NEWSLETTERS: Limit = { name: 'newsletter from', most: 20, windowSeconds: 3600 }
export const NEWSLETTER_CONFIRMATIONS: Limit = { name: 'newsletter link from', most: 60, windowSeconds: 3600 }

type Settings = Omit<Setting, '@context' | '@id' | '@type' | 'name'>
export interface Seller extends Pick<Settings, 'address' | 'vatNumber'> {
  readonly name: string
}

/** From the owner's settings (RESL-06). */
export async function requiresPurchaserEmail(db: Db): Promise<boolean> {
  return (await ownersSettings(db)).requiredPurchaserEmail ?? false
}

/** From `shop.json`, else `settings.json`. The reply-to or sender address replaces a missing support address. */
export async function settingsOf(
  db: Db,
  config: Pick<Config, 'mailFrom' | 'replyTo' | 'details'>,
): Promise<Settings> {
  const written = await ownersSettings(db)
  const { help = {} } = config.details.file
  const { mailFrom, replyTo } = config
  const supportMail =
    help.mail ?? written.supportMail ?? replyTo ?? /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom
  const { address, vatNumber } = sellerIn(written, config)
  return {
    requiredPurchaserEmail: written.requiredPurchaserEmail ?? false,
    supportMail,
    supportPhone: help.telephone ?? null,
    bookshopMail: help.bookshopMail ?? written.bookshopMail ?? supportMail,
    bookshopPhone: help.bookshopTelephone ?? written.bookshopPhone ?? help.telephone ?? null,
    address,
    vatNumber,
  }
}

/** Reads `settings.json` only: data from `shop.json` is added when the email is rendered. */
export async function writtenSellerOf(db: Db): Promise<Omit<Seller, 'name'>> {
  const { address = [], vatNumber = null } = await ownersSettings(db)
  return { address, vatNumber }
}

export const sellerOf = async (db: Db, config: Pick<Config, 'details'>): Promise<Seller> =>
  sellerIn(await ownersSettings(db), config)

function sellerIn(written: Partial<Settings>, { details }: Pick<Config, 'details'>): Seller {
  const { address = written.address ?? [], vatNumber = written.vatNumber ?? null } = details.file.seller ?? {}
  return { name: details.seller, address, vatNumber }
}

const ownersSettings = async (db: Db): Promise<Partial<Settings>> =>
  (await selectRecord<Partial<Settings>>(db, 'settings')) ?? {}

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
    supporterTitle: headingOf(plans, 6, 7),
    supporterDescription: '',
    readerTitle: headingOf(plans, 4, 5),
    readerDescription: '',
    avidReaderTitle: headingOf(plans, 1, 2),
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
const headingOf = (plans: Plans, month: PlanId, year: PlanId): string => {
  const [byMonth, byYear]: [Plan, Plan] = [plans[month], plans[year]]
  return byMonth.sold || !byYear.sold ? byMonth.type : byYear.type
}
