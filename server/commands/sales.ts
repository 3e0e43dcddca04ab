import { Option } from '@commander-js/extra-typings'
import { SALES_GROUPS, type SalesGroup } from '#contract/office/sales-groups.ts'
import { day } from '../settings/days.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { type Group, showCommand } from './command-line.ts'
import type { Shown } from './frame.ts'
import { table, CSV_MARK, csvLine } from '../print/table.ts'
import { formatPounds } from '../format.ts'
import type { Shop } from '../shop.ts'
import { salesBy, salesOf } from '../features/sales/service.ts'
import { periodOf } from '../features/sales/period.ts'
import type { Sales } from '../features/sales/queries.ts'

export const salesCommand: Group = ({ show }) =>
  showCommand('sales')
    .description(
      'Prints sales, VAT and refunds by day, in the shop’s time zone; this month by default. Cards that bookshops sold are in their statements.',
    )
    .option('--from <day>', 'The first day, like 2026-11-01')
    .option('--to <day>', 'The last day, like 2026-11-30')
    .option('--quarter <quarter>', 'Instead of --from and --to, like 2026-Q4')
    .addOption(
      new Option(
        '--by <what>',
        'Instead of days. The sales of a title with two authors are divided equally; an order counts in each group that has one of its lines. “rate” is the VAT of each country by its rate, for your own return (GB) and for the One Stop Shop (the others), which are quarterly',
      ).choices(SALES_GROUPS),
    )
    .option('--csv', 'For a spreadsheet, in pounds: npm run --silent sales -- --csv > november.csv')
    .action((options) => show(options, (shop) => list(shop, options)))

interface Span {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly quarter?: string | undefined
}

interface ListOptions extends Span {
  readonly by?: SalesGroup | undefined
  readonly csv?: true | undefined
}

async function list(shop: Shop, { by, csv, ...asked }: ListOptions): Promise<Shown> {
  const span = spanOf(shop, asked)
  const { from, to } = span
  const json = await (by ? salesBy(shop, { ...span, by }) : salesOf(shop, span))
  const named =
    'days' in json
      ? json.days.map((one) => [one.day, one] as const)
      : json.groups.map((one) => [one.name, one] as const)
  const rows = [...named, ['Total', json.total] as const]
  const heads = [by ? HEAD_OF[by] : 'Day', ...HEADS]
  if (csv)
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

function spanOf(shop: Shop, { from, to, quarter }: Span): { readonly from: string; readonly to: string } {
  if (quarter !== undefined) {
    const period = /q/i.test(quarter) ? periodOf(quarter) : undefined
    if (!period || from !== undefined || to !== undefined)
      throw new BadSetting('A quarter is written 2026-Q4, without --from and --to.')
    return period
  }
  const last = to ?? day(shop.clock.now(), shop.config.shopZone)
  return { from: from ?? `${last.slice(0, 8)}01`, to: last }
}

const HEAD_OF: Readonly<Record<SalesGroup, string>> = {
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
