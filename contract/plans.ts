/**
 * The plan table (ENT-01, ENT-36), once for both ends: prices are in pence inside the server and in pounds on
 * the wire. `tier` orders what a member may have; `creditsPerMonth` are free audiobooks (OP-32).
 */
export type PlanId = 1 | 2 | 3 | 4 | 5 | 6 | 7
export type Tier = 'supporter' | 'reader' | 'avid'

export interface Plan {
  readonly id: PlanId
  readonly name: string
  /** Type label. */
  readonly type: 'Avid Reader' | 'Reader' | 'Supporter'
  readonly unit: 'Month' | 'Year' | '6 Months'
  readonly monthly: boolean
  readonly yearly: boolean
  readonly months: 1 | 6 | 12
  readonly priceMinor: number
  readonly tier: Tier
  readonly creditsPerMonth: 0 | 1 | 2
}

const plan = (id: PlanId, type: Plan['type'], unit: Plan['unit'], pounds: number): Plan => {
  const words = unit === 'Month' ? 'Monthly' : unit === 'Year' ? 'Annually' : '6 Months'
  return {
    id,
    name: `${type} ${words}`,
    type,
    unit,
    monthly: unit === 'Month',
    yearly: unit === 'Year',
    months: unit === 'Month' ? 1 : unit === 'Year' ? 12 : 6,
    priceMinor: pounds * 100,
    tier: type === 'Avid Reader' ? 'avid' : type === 'Reader' ? 'reader' : 'supporter',
    creditsPerMonth: type === 'Avid Reader' ? 2 : type === 'Reader' ? 1 : 0,
  }
}

export const PLANS: Readonly<Record<PlanId, Plan>> = {
  1: plan(1, 'Avid Reader', 'Month', 12),
  2: plan(2, 'Avid Reader', 'Year', 120),
  3: plan(3, 'Avid Reader', '6 Months', 60),
  4: plan(4, 'Reader', 'Month', 8),
  5: plan(5, 'Reader', 'Year', 80),
  6: plan(6, 'Supporter', 'Month', 3),
  7: plan(7, 'Supporter', 'Year', 30),
}

const lengthOf = ({ months }: Plan): string =>
  months === 12 ? 'a year' : months === 6 ? 'six months' : 'a month'

/** One's own, as people read it: "Reader, by the month", "A year of Reader". */
export const planInWords = (id: PlanId): string =>
  PLANS[id].monthly ? `${PLANS[id].type}, by the month` : givenInWords(id, 'first')

/** One that is given: "a year of Reader", "a month of Reader"; with a capital where it stands first. */
export function givenInWords(id: PlanId, place?: 'first'): string {
  const words = `${lengthOf(PLANS[id])} of ${PLANS[id].type}`
  return place ? words.charAt(0).toUpperCase() + words.slice(1) : words
}

/** The same for any number of months: "3 months of Reader". */
export const monthsInWords = (id: PlanId, months: number): string =>
  months === PLANS[id].months ? givenInWords(id) : `${months} months of ${PLANS[id].type}`

/** The free trial is plan 4 at price 0. */
export const TRIAL = { plan: 4, days: 30 } as const

const TIERS: readonly Tier[] = ['supporter', 'reader', 'avid']

/** Whether a member of `tier` may have what asks for `minimum`. */
export const reaches = (tier: Tier, minimum: Tier): boolean => TIERS.indexOf(tier) >= TIERS.indexOf(minimum)
