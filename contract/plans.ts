import { TRIAL_DAYS } from './limits.ts'

/**
 * The plan table (ENT-01, ENT-36) for client and server: prices are in pence inside the server and in pounds in the
 * API. `tier` orders the benefits; `creditsPerMonth` are free audiobooks (OP-32). A shop has at most these seven plans;
 * `plansOf` applies the owner's names, prices and benefits.
 */
export type PlanId = 1 | 2 | 3 | 4 | 5 | 6 | 7
export type Tier = 'supporter' | 'reader' | 'avid'

export interface Plan {
  readonly id: PlanId
  readonly name: string
  readonly type: string
  readonly unit: 'Month' | 'Year' | '6 Months'
  readonly monthly: boolean
  readonly yearly: boolean
  readonly months: 1 | 6 | 12
  readonly priceMinor: number
  readonly tier: Tier
  readonly creditsPerMonth: number
  /** False if it can no longer be joined; its members keep it. */
  readonly sold: boolean
  /** The benefits in the owner's words; the first line is bold. */
  readonly texts?: readonly string[] | undefined
}

export type Plans = Readonly<Record<PlanId, Plan>>

/** A plan with the owner's settings, as embedded in each page. */
export interface OwnersPlan extends Pick<Plan, 'id' | 'type' | 'priceMinor' | 'creditsPerMonth' | 'texts'> {
  /** Set if it can no longer be joined and its members keep it. */
  readonly kept?: true
}

const WORDS = { Month: 'Monthly', Year: 'Annually', '6 Months': '6 Months' } as const

const plan = (id: PlanId, type: string, unit: Plan['unit'], pounds: number): Plan => ({
  id,
  name: `${type} ${WORDS[unit]}`,
  type,
  unit,
  monthly: unit === 'Month',
  yearly: unit === 'Year',
  months: unit === 'Month' ? 1 : unit === 'Year' ? 12 : 6,
  priceMinor: pounds * 100,
  tier: type === 'Avid Reader' ? 'avid' : type === 'Reader' ? 'reader' : 'supporter',
  creditsPerMonth: type === 'Avid Reader' ? 2 : type === 'Reader' ? 1 : 0,
  sold: true,
})

/** The default table. Tier and interval of each id are the same in every shop. */
export const PLANS: Plans = {
  1: plan(1, 'Avid Reader', 'Month', 12),
  2: plan(2, 'Avid Reader', 'Year', 120),
  3: plan(3, 'Avid Reader', '6 Months', 60),
  4: plan(4, 'Reader', 'Month', 8),
  5: plan(5, 'Reader', 'Year', 80),
  6: plan(6, 'Supporter', 'Month', 3),
  7: plan(7, 'Supporter', 'Year', 30),
}

/** The plans of a shop: if the owner defined plans, only those are sold. */
export function plansOf(own: readonly OwnersPlan[] | undefined): Plans {
  if (!own) return PLANS
  const plans = Object.fromEntries(Object.values(PLANS).map((each) => [each.id, { ...each, sold: false }]))
  for (const { kept, ...said } of own) {
    const name = `${said.type} ${WORDS[PLANS[said.id].unit]}`
    plans[said.id] = { ...PLANS[said.id], texts: undefined, ...said, name, sold: !kept }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of the table, so it has them all
  return plans as unknown as Plans
}

/** Monthly and yearly plans can be joined; half a year can only be given (OP-31). */
export const isJoined = ({ months, sold }: Plan): boolean => sold && months !== 6

const BY_TIER: readonly PlanId[] = [1, 2, 4, 5, 6, 7]

/** The plans to give with a delivery date: the highest tier on sale, monthly and yearly (PLAN-03). */
export const christmasPlans = (plans: Plans): PlanId[] => {
  const sold = BY_TIER.filter((id) => plans[id].sold)
  const first = sold[0]
  return first === undefined ? [] : sold.filter((id) => plans[id].tier === plans[first].tier)
}

const lengthOf = ({ months }: Plan): string =>
  months === 12 ? 'a year' : months === 6 ? 'six months' : 'a month'

/** A member's own plan in words: "Reader, monthly", "A year of Reader". */
export const planInWords = (of: Plan): string =>
  of.monthly ? `${of.type}, monthly` : givenInWords(of, 'first')

/** A gift in words: "a year of Reader", "a month of Reader"; with a capital at the beginning of a sentence. */
export function givenInWords(of: Plan, place?: 'first'): string {
  const words = `${lengthOf(of)} of ${of.type}`
  return place ? words.charAt(0).toUpperCase() + words.slice(1) : words
}

/** The same for any number of months: "3 months of Reader". */
export const monthsInWords = (of: Plan, months: number): string =>
  months === of.months ? givenInWords(of) : `${months} months of ${of.type}`

export interface Trial {
  readonly plan: PlanId
  readonly days: number
}

/** The default trial: plan 4 for 30 days. */
export const TRIAL: Trial = { plan: 4, days: TRIAL_DAYS }

/** The default member discount on a title, in per cent. */
export const MEMBER_DISCOUNT = 20

const TIERS: readonly Tier[] = ['supporter', 'reader', 'avid']

/** Whether a member of `tier` has access to content that requires `minimum`. */
export const reaches = (tier: Tier, minimum: Tier): boolean => TIERS.indexOf(tier) >= TIERS.indexOf(minimum)
