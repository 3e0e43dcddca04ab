import { PLANS, type Plan, type PlanId } from '#contract/plans.ts'

/** Given at once, or on a chosen day at Christmas. */
export type Occasion = 'gift' | 'xmas'

/** The plans on offer, in this order (PLAN-01, PLAN-03). */
export const OFFERED: Readonly<Record<Occasion, readonly PlanId[]>> = {
  gift: [6, 7, 4, 5, 1, 2, 3],
  xmas: [1, 2],
}

const FIRST_CHOICE: Readonly<Record<Occasion, PlanId>> = { gift: 5, xmas: 1 }

/** The plan of an address, which anybody may have written (PLAN-02). */
export const givenPlan = (asked: unknown, occasion: Occasion): PlanId =>
  OFFERED[occasion].find((id) => String(id) === String(asked)) ?? FIRST_CHOICE[occasion]

/** "A year of" and "Reader": a headline sets its last words in italics. */
export const giftTitle = (id: PlanId): readonly [length: string, name: string] => [
  `${capital(lengthOf(PLANS[id]))} of`,
  PLANS[id].type,
]

/** Says in a line what it means for whoever opens it. */
export function giftPromise(id: PlanId): string {
  const { creditsPerMonth, months } = PLANS[id]
  const length = lengthOf(PLANS[id])
  if (creditsPerMonth === 0) return `Member prices and every recording for ${length}.`
  const free = creditsPerMonth === 2 ? 'Two free audiobooks' : 'A free audiobook'
  return months === 1
    ? `${free} to choose in the month, member prices, every recording.`
    : `${free} every month for ${length}, chosen by you.`
}

const lengthOf = ({ months }: Plan): string =>
  months === 12 ? 'a year' : months === 6 ? 'six months' : 'a month'
const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
