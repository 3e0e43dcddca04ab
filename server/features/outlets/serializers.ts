import type { OutletAccount, OutletStatement, StatementLine } from '#contract/outlets.ts'
import { pounds } from '../prices/pricing.ts'
import { type StatementTotals, totalsOf } from './service.ts'
import type { LineRow, OutletRow, StatementRow, Sums } from './queries.ts'
import type { Month } from './time-zone.ts'

const sumsView = (sums: StatementTotals) => ({
  cards: sums.cards,
  sold: pounds(sums.soldMinor),
  owed: pounds(sums.owedMinor),
  vat: pounds(sums.vatMinor),
  purchases: sums.purchases,
  commission: pounds(sums.commissionMinor),
  keeps: pounds(sums.keepsMinor),
  toPay: pounds(sums.toPayMinor),
})

export const accountView = (outlet: OutletRow, { from, to }: Month, sums: Sums): OutletAccount => ({
  from,
  to,
  ...sumsView(totalsOf(sums)),
  discountPercent: outlet.discountPercent,
  commissionPercent: outlet.commissionPercent,
})

export const statementView = (
  { id, number, from, to, madeAt, dueOn }: StatementRow,
  sums: Sums,
  files: { readonly pdf: string; readonly csv: string },
): OutletStatement => ({
  '@id': `/api/outlet/statements/${id}`,
  '@type': 'OutletStatement',
  id,
  number,
  from,
  to,
  madeAt: madeAt.toISOString(),
  dueOn,
  ...sumsView(totalsOf(sums)),
  ...files,
})

export const lineView = ({
  id,
  kind,
  at,
  title,
  ending,
  ofMinor,
  percent,
  amountMinor,
}: LineRow): StatementLine => ({
  id,
  kind,
  at: at.toISOString(),
  title,
  ending,
  of: pounds(ofMinor),
  percent,
  amount: pounds(amountMinor),
})
