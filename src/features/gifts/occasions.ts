import { christmasPlans, type Plan, type PlanId } from '#contract/plans.ts'
import { freeAudiobooks, plans } from '#features/shop-details/plans.ts'

export type Occasion = 'gift' | 'xmas'

const IN_ORDER: readonly PlanId[] = [6, 7, 4, 5, 1, 2, 3]

/** The plans on offer, in this order (PLAN-01, PLAN-03). */
export function offered(occasion: Occasion): readonly PlanId[] {
  const all = plans()
  return occasion === 'xmas' ? christmasPlans(all) : IN_ORDER.filter((id) => all[id].sold)
}

const FIRST_CHOICE: Readonly<Record<Occasion, PlanId>> = { gift: 5, xmas: 1 }

/** The plan named in the URL, or the default if that is not on offer (PLAN-02). */
export function givenPlan(asked: unknown, occasion: Occasion): PlanId {
  const ids = offered(occasion)
  const first = FIRST_CHOICE[occasion]
  return ids.find((id) => String(id) === String(asked)) ?? (ids.includes(first) ? first : (ids[0] ?? first))
}

/** "A year of" and "Reader": a headline sets its last words in italics. */
export const giftTitle = (id: PlanId): readonly [length: string, name: string] => [
  `${capital(lengthOf(plans()[id]))} of`,
  plans()[id].type,
]

export function giftPromise(id: PlanId): string {
  const { creditsPerMonth, months } = plans()[id]
  const length = lengthOf(plans()[id])
  if (creditsPerMonth === 0) return `Member prices and every recording for ${length}.`
  const free = freeAudiobooks(creditsPerMonth)
  return months === 1
    ? `${free} to choose in the month, member prices, every recording.`
    : `${free} every month for ${length}, chosen by you.`
}

const lengthOf = ({ months }: Plan): string =>
  months === 12 ? 'a year' : months === 6 ? 'six months' : 'a month'
const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
