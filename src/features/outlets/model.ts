import type { OutletAccount, OutletStatement } from '#contract/outlets.ts'
import { shop } from '#features/shop-details/shop.ts'
import { dayAndMonth, monthYear } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'

/** "November", of a first or last day. */
export const monthOf = (day: string): string => monthYear(day).split(' ')[0] ?? ''

/** "2026-10" for a day of November 2026. */
export function monthBefore(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`
}

/** The lines of the month so far, the sum apart. */
export function accountLines(account: OutletAccount): readonly (readonly [what: string, sum: string])[] {
  const { sold, owed, commission, purchases, discountPercent, commissionPercent } = account
  return [
    ['Sold at the till', amount(toMinor(sold))],
    [`${shop().name}’s ${100 - discountPercent}%`, amount(-toMinor(owed))],
    [`${commissionPercent}% of later purchases, ${purchases} of them`, amount(toMinor(commission))],
  ]
}

/** "61 cards, £198.20 to pay by 30th November". */
export function statementWords({ cards, toPay, dueOn }: OutletStatement): string {
  const minor = toMinor(toPay)
  const due =
    minor === 0
      ? 'nothing to pay'
      : minor > 0
        ? `${amount(minor)} to pay by ${dayAndMonth(dueOn)}`
        : `${amount(-minor)} comes to you by ${dayAndMonth(dueOn)}`
  return `${plural(cards, 'card')}, ${due}`
}
