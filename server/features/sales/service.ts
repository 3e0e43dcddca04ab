import type { HolderKind, SalesGroup } from '#contract/office/sales-groups.ts'
import { startOfDay } from '../../settings/days.ts'
import type { Shop } from '../../shop.ts'
import { spread } from '../prices/pricing.ts'
import {
  type DayOfSales,
  type MoneyBack,
  type Sales,
  selectDays,
  selectLines,
  selectMoneyBack,
  type SoldLine,
} from './queries.ts'

export async function salesOf(
  { db, config: { shopZone: zone } }: Pick<Shop, 'db' | 'config'>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<{ readonly days: readonly DayOfSales[]; readonly total: Sales }> {
  const span = { from: startOfDay(from, zone), until: startOfDay(to, zone, 1), zone }
  const days = await selectDays(db, span)
  return { days, total: days.reduce(plus, NO_SALES) }
}

export interface GroupOfSales extends Sales {
  readonly name: string
  /** Lines that cost something. */
  readonly copies: number
  /** Prices before discount codes, in pence. */
  readonly beforeMinor: number
}

/** A title with several authors or narrators is divided equally among them, so that the groups add up to the total. */
export async function salesBy(
  { db, config: { shopZone: zone } }: Pick<Shop, 'db' | 'config'>,
  { from, to, by }: { readonly from: string; readonly to: string; readonly by: SalesGroup },
): Promise<{ readonly groups: readonly GroupOfSales[]; readonly total: AddedUp }> {
  const span = { from: startOfDay(from, zone), until: startOfDay(to, zone, 1) }
  return db.transaction(
    async (tx) => {
      const lines = await selectLines(tx, span)
      const labels = labelsOf(lines)
      const { groups, total } = addUp(lines, await selectMoneyBack(tx, span), (line) =>
        groupNames(line, by, labels),
      )
      return {
        groups: [...groups]
          .map(([name, sums]) => ({ name, ...sums }))
          .sort((one, two) => remainingOf(two) - remainingOf(one) || one.name.localeCompare(two.name, 'en')),
        total,
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

const FIGURES = [
  'taxedMinor',
  'untaxedMinor',
  'vatMinor',
  'backMinor',
  'backVatMinor',
  'beforeMinor',
] as const

export type AddedUp = Omit<GroupOfSales, 'name'>

interface Sums {
  readonly orders: Set<string>
  copies: number
  readonly figures: { -readonly [Figure in (typeof FIGURES)[number]]: number }
}

/** Divides each line equally among the groups that `namesOf` returns. A line without a group is left out. */
export function addUp(
  lines: readonly SoldLine[],
  moneyBack: readonly MoneyBack[],
  namesOf: (line: SoldLine) => readonly string[],
): { readonly groups: ReadonlyMap<string, AddedUp>; readonly total: AddedUp } {
  const groups = new Map<string, Sums>()
  const everything = noSums()
  const add = (line: SoldLine, figures: Partial<Sums['figures']>, isSale: boolean) => {
    const names = namesOf(line)
    if (names.length === 0) return
    for (const figure of FIGURES) {
      const minor = figures[figure]
      if (minor === undefined) continue
      everything.figures[figure] += minor
      const shares = spread(
        minor,
        names.map(() => 1),
      )
      names.forEach((name, index) => (sumsOf(groups, name).figures[figure] += shares[index]!))
    }
    if (!isSale) return
    for (const sums of [everything, ...names.map((name) => sumsOf(groups, name))]) {
      sums.orders.add(line.orderId)
      if (line.priceMinor > 0) sums.copies += 1
    }
  }
  const byOrder = Map.groupBy(lines, ({ orderId }) => orderId)
  for (const line of lines) {
    if (!line.isSold) continue
    const { vatPercent, priceMinor, vatMinor, beforeMinor } = line
    const paid = vatPercent > 0 ? { taxedMinor: priceMinor } : { untaxedMinor: priceMinor }
    add(line, { ...paid, vatMinor, beforeMinor }, true)
  }
  for (const back of moneyBack)
    for (const { line, backMinor, backVatMinor } of refundedLines(back, byOrder.get(back.orderId) ?? []))
      add(line, { backMinor, backVatMinor }, false)
  const addedUp = ({ orders, copies, figures }: Sums): AddedUp => ({
    orders: orders.size,
    copies,
    ...figures,
  })
  return {
    groups: new Map([...groups].map(([name, sums]) => [name, addedUp(sums)])),
    total: addedUp(everything),
  }
}

export const remainingOf = ({ taxedMinor, untaxedMinor, backMinor }: Omit<Sales, 'orders'>): number =>
  taxedMinor + untaxedMinor - backMinor

/** Among the chosen lines, or all lines if those cost less than was refunded; `selectDays` does it in SQL. */
function refundedLines({ minor, lines: ids }: MoneyBack, ofOrder: readonly SoldLine[]) {
  const chosen = ofOrder.filter(({ id }) => ids?.includes(id))
  const chosenMinor = sumOf(chosen, 'priceMinor')
  const among = chosenMinor > 0 && minor <= chosenMinor ? chosen : ofOrder
  const vat = Math.round((minor * sumOf(among, 'vatMinor')) / sumOf(among, 'priceMinor'))
  const backMinor = spread(
    minor,
    among.map(({ priceMinor }) => priceMinor),
  )
  const backVatMinor = spread(
    vat,
    among.map(({ vatMinor }) => vatMinor),
  )
  return among.map((line, index) => ({
    line,
    backMinor: backMinor[index]!,
    backVatMinor: backVatMinor[index]!,
  }))
}

const sumOf = (lines: readonly SoldLine[], figure: 'priceMinor' | 'vatMinor'): number =>
  lines.reduce((sum, line) => sum + line[figure], 0)

function groupNames(line: SoldLine, by: SalesGroup, labels: ReadonlyMap<string, string>): readonly string[] {
  if (by === 'country') return [line.country]
  if (by === 'rate') return [`${line.country} ${line.vatPercent}%`]
  if (by === 'code') return [line.code ?? 'no code']
  if (by === 'title') return [labels.get(titleKey(line))!]
  if (line.kind !== 'title') return ['memberships']
  return holdersOf(line, by)
}

export function holdersOf(
  { publisher, authors, narrators }: Pick<SoldLine, 'publisher' | 'authors' | 'narrators'>,
  by: HolderKind,
): readonly string[] {
  if (by === 'publisher') return [publisher ?? 'no publisher']
  const names = [...new Set(by === 'author' ? authors : narrators)]
  return names.length > 0 ? names : [`no ${by}`]
}

type TitleOfLine = Pick<SoldLine, 'kind' | 'bookId' | 'format' | 'title'>

export const titleKey = ({ kind, bookId, title }: TitleOfLine): string => `${kind} ${bookId ?? title}`

export function labelsOf(lines: readonly TitleOfLine[]): ReadonlyMap<string, string> {
  const last = new Map(lines.map((line) => [titleKey(line), line]))
  const plain = ({ kind, format, title }: TitleOfLine) => {
    if (kind === 'title') return `${title} (${format === 'e_book' ? 'e-book' : 'audiobook'})`
    return kind === 'membership' ? `Membership: ${title}` : `Membership given: ${title}`
  }
  const counts = Map.groupBy(last.values(), plain)
  return new Map(
    [...last].map(([key, line]) => {
      const label = plain(line)
      return [key, counts.get(label)!.length > 1 ? `${label} ${line.bookId}` : label]
    }),
  )
}

const noSums = (): Sums => ({
  orders: new Set(),
  copies: 0,
  figures: { taxedMinor: 0, vatMinor: 0, untaxedMinor: 0, backMinor: 0, backVatMinor: 0, beforeMinor: 0 },
})

function sumsOf(groups: Map<string, Sums>, name: string): Sums {
  const sums = groups.get(name) ?? noSums()
  groups.set(name, sums)
  return sums
}

const NO_SALES: Sales = {
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
