import { startOfDay } from '../../commands/days.ts'
import type { Shop } from '../../shop.ts'
import { type DayOfSales, type Sales, selectDays } from './rows.ts'

export type { DayOfSales, Sales } from './rows.ts'

/** What was sold on these days, the first and the last of them too, and all of it together. */
export async function salesOf(
  { db, config: { shopZone: zone } }: Pick<Shop, 'db' | 'config'>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<{ readonly days: readonly DayOfSales[]; readonly total: Sales }> {
  const span = { from: startOfDay(from, zone), until: startOfDay(to, zone, 1), zone }
  const days = await selectDays(db, span)
  return { days, total: days.reduce(plus, NOTHING) }
}

const NOTHING: Sales = {
  orders: 0,
  taxedMinor: 0,
  vatMinor: 0,
  untaxedMinor: 0,
  backMinor: 0,
  backVatMinor: 0,
}

const plus = (sum: Sales, day: DayOfSales): Sales => ({
  orders: sum.orders + day.orders,
  taxedMinor: sum.taxedMinor + day.taxedMinor,
  vatMinor: sum.vatMinor + day.vatMinor,
  untaxedMinor: sum.untaxedMinor + day.untaxedMinor,
  backMinor: sum.backMinor + day.backMinor,
  backVatMinor: sum.backVatMinor + day.backVatMinor,
})
