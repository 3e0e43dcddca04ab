import { day } from '../../commands/days.ts'
import {
  type OwnersCommand,
  ownersCommand,
  type Shown,
  textOf,
  type Typed,
} from '../../commands/owners-command.ts'
import { table } from '../../commands/table.ts'
import { formatPounds } from '../../format.ts'
import { CSV_MARK, csvLine } from '../../print/csv.ts'
import type { Shop } from '../../shop.ts'
import { type Sales, salesOf } from './rules.ts'

const USAGE = `Usage: npm run sales -- [--from 2026-11-01] [--to 2026-11-30] [--csv]

What was sold, by day where the shop is, with its VAT, and what went back. Without days it is this month. Cards that
bookshops sold stand in their statements.

  --csv  for a spreadsheet, in pounds: npm run --silent sales -- --csv > november.csv`

export const SALES: OwnersCommand = {
  name: 'sales',
  usage: USAGE,
  options: { from: { type: 'string' }, to: { type: 'string' }, csv: { type: 'boolean' } },
  withoutVerb: 'list',
  verbs: { list: (shop, typed) => (typed.words.length > 0 ? undefined : list(shop, typed)) },
}

async function list(shop: Shop, typed: Typed): Promise<Shown> {
  const today = day(shop.clock.now(), shop.config.shopZone)
  const to = textOf(typed, 'to') ?? today
  const from = textOf(typed, 'from') ?? `${to.slice(0, 8)}01`
  const { days, total } = await salesOf(shop, { from, to })
  const rows = [...days.map((one) => [one.day, one] as const), ['Total', total] as const]
  const json = { from, to, days, total }
  if (typed.values.csv === true)
    return {
      lines: [
        CSV_MARK + csvLine(HEADS).trimEnd(),
        ...rows.map(([name, sales]) =>
          csvLine([
            name,
            ...figuresOf(sales).map((minor, index) => (index === 0 ? minor : minor / 100)),
          ]).trimEnd(),
        ),
      ],
      json,
    }
  if (days.length === 0) return { lines: [`Nothing was sold from ${from} to ${to}.`], json }
  return {
    lines: table([
      HEADS,
      ...rows.map(([name, sales]) => [
        name,
        ...figuresOf(sales).map((minor, index) => (index === 0 ? String(minor) : formatPounds(minor))),
      ]),
    ]),
    json,
  }
}

const HEADS = [
  'Day',
  'Orders',
  'With VAT',
  'VAT in it',
  'Free of VAT',
  'Paid back',
  'VAT in that',
  'Left',
  'VAT due',
]

/** The number of orders, and then pence, in the order of the heads. */
const figuresOf = (sales: Sales): number[] => [
  sales.orders,
  sales.taxedMinor,
  sales.vatMinor,
  sales.untaxedMinor,
  sales.backMinor,
  sales.backVatMinor,
  sales.taxedMinor + sales.untaxedMinor - sales.backMinor,
  sales.vatMinor - sales.backVatMinor,
]

// Last, so that all above it is there.
if (import.meta.main) await ownersCommand(SALES)
