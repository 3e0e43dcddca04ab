import { DateTime } from 'luxon'
import { day } from '../settings/days.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { type OwnersCommand, ownersCommand, type Shown, textOf, type Typed } from './owner-command.ts'
import { table } from '../print/table.ts'
import { formatPounds } from '../format.ts'
import { CSV_MARK, csvLine } from '../print/csv.ts'
import type { Shop } from '../shop.ts'
import { type Group, GROUPS, salesBy, salesOf } from '../features/sales/service.ts'
import { type Sales } from '../features/sales/queries.ts'

const USAGE = `Usage: npm run sales -- [--from 2026-11-01] [--to 2026-11-30] [--by WHAT] [--csv]

Sales, VAT and refunds by day, in the shop’s time zone; this month by default. Cards that bookshops sold are in their
statements.

  --quarter  2026-Q4, instead of --from and --to
  --by       title, publisher, author, narrator, country, rate or code, instead of days. The sales of a title with two authors are
             divided equally; an order counts in each group that has one of its lines. “rate” is the VAT of each country by its
             rate, for your own return (GB) and for the One Stop Shop (the others), which are quarterly
  --csv      for a spreadsheet, in pounds: npm run --silent sales -- --csv > november.csv`

export const SALES: OwnersCommand = {
  name: 'sales',
  usage: USAGE,
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    quarter: { type: 'string' },
    by: { type: 'string' },
    csv: { type: 'boolean' },
  },
  withoutVerb: 'list',
  verbs: { list: (shop, typed) => (typed.words.length > 0 ? undefined : list(shop, typed)) },
}

async function list(shop: Shop, typed: Typed): Promise<Shown> {
  const span = spanOf(shop, typed)
  const { from, to } = span
  const by = groupOf(typed)
  const json = await (by ? salesBy(shop, { ...span, by }) : salesOf(shop, span))
  const named =
    'days' in json
      ? json.days.map((one) => [one.day, one] as const)
      : json.groups.map((one) => [one.name, one] as const)
  const rows = [...named, ['Total', json.total] as const]
  const heads = [by ? HEAD_OF[by] : 'Day', ...HEADS]
  if (typed.values.csv === true)
    return {
      lines: [
        CSV_MARK + csvLine(heads).trimEnd(),
        ...rows.map(([name, sales]) =>
          csvLine([
            name,
            ...figuresOf(sales).map((minor, index) => (index === 0 ? minor : minor / 100)),
          ]).trimEnd(),
        ),
      ],
      json: { from, to, ...json },
    }
  if (named.length === 0)
    return { lines: [`Nothing was sold from ${from} to ${to}.`], json: { from, to, ...json } }
  return {
    lines: table([
      heads,
      ...rows.map(([name, sales]) => [
        name,
        ...figuresOf(sales).map((minor, index) => (index === 0 ? String(minor) : formatPounds(minor))),
      ]),
    ]),
    json: { from, to, ...json },
  }
}

function spanOf(shop: Shop, typed: Typed): { readonly from: string; readonly to: string } {
  const quarter = textOf(typed, 'quarter')
  if (quarter !== undefined) {
    const [, year, number] = /^(\d{4})-?[qQ]([1-4])$/.exec(quarter) ?? []
    if (!year || textOf(typed, 'from') !== undefined || textOf(typed, 'to') !== undefined)
      throw new BadSetting('A quarter is written 2026-Q4, without --from and --to.')
    const first = DateTime.utc(Number(year), Number(number) * 3 - 2)
    return { from: first.toISODate()!, to: first.endOf('quarter').toISODate()! }
  }
  const to = textOf(typed, 'to') ?? day(shop.clock.now(), shop.config.shopZone)
  return { from: textOf(typed, 'from') ?? `${to.slice(0, 8)}01`, to }
}

function groupOf(typed: Typed): Group | undefined {
  const by = textOf(typed, 'by')
  const group = GROUPS.find((each) => each === by)
  if (by !== undefined && !group)
    throw new BadSetting(`Sales are shown by ${GROUPS.join(', ')}, not by “${by}”.`)
  return group
}

const HEAD_OF: Readonly<Record<Group, string>> = {
  title: 'Title',
  publisher: 'Publisher',
  author: 'Author',
  narrator: 'Narrator',
  country: 'Country',
  rate: 'VAT rate',
  code: 'Code',
}

const HEADS = [
  'Orders',
  'With VAT',
  'VAT in it',
  'Free of VAT',
  'Paid back',
  'VAT in that',
  'Left',
  'VAT due',
]

/** In the order of the columns; amounts are in pence. */
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

// Must come last: it uses the constants above.
if (import.meta.main) await ownersCommand(SALES)
