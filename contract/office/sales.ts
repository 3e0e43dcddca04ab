import Type, { type Static } from 'typebox'
import { officeEndpoint } from './office-endpoint.ts'
import { HOLDER_KINDS, type HolderKind, SALES_GROUPS, type SalesGroup } from './sales-groups.ts'

const Minor = Type.Integer()
const Count = Type.Integer({ minimum: 0 })

/** `2026`, `2026-Q4`, `2026-11` or `2026-11-01..2026-11-30`, in the shop's time zone; this month by default. */
const PERIOD = Type.Optional(
  Type.String({
    pattern: String.raw`^\d{4}(-Q[1-4]|-\d\d)?$|^\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$`,
  }),
)
const SPAN = {
  /** As asked for, or this month. */
  period: Type.String(),
  from: Type.String(),
  to: Type.String(),
  /** Its last day is today or still to come. */
  isSoFar: Type.Boolean(),
} as const

const GroupName = Type.Unsafe<SalesGroup>({ type: 'string', enum: [...SALES_GROUPS] })
const Kind = Type.Unsafe<HolderKind>({ type: 'string', enum: [...HOLDER_KINDS] })

/** In pence. */
const FIGURES = {
  orders: Count,
  /** With VAT. */
  takenMinor: Minor,
  /** Refunds made in the period, of sales of any time. */
  refundedMinor: Minor,
  /** Taken less refunded, with VAT. */
  leftMinor: Minor,
  /** VAT in what is left. */
  vatMinor: Minor,
  /** What is left, without VAT. */
  netMinor: Minor,
} as const

export const SalesOfDay = Type.Object({ day: Type.String(), ...FIGURES })
export type SalesOfDay = Static<typeof SalesOfDay>

export const VatRate = Type.Object({
  country: Type.String(),
  percent: Type.Integer(),
  ...FIGURES,
})
export type VatRate = Static<typeof VatRate>

export const Sales = Type.Object({
  ...SPAN,
  days: Type.Array(SalesOfDay),
  total: Type.Object(FIGURES),
  membershipsMinor: Minor,
  rates: Type.Array(VatRate),
})
export type Sales = Static<typeof Sales>

export const getSales = officeEndpoint({
  method: 'GET',
  path: '/api/office/sales',
  summary: 'Sales, refunds and VAT of a period, by day and by rate of VAT',
  may: 'sales.read',
  query: Type.Object({ period: PERIOD }),
  reply: Sales,
})

const GROUP_FIGURES = {
  copies: Count,
  /** What discount codes took off. */
  discountMinor: Minor,
  ...FIGURES,
} as const

export const SoldGroup = Type.Object({ name: Type.String(), ...GROUP_FIGURES })
export type SoldGroup = Static<typeof SoldGroup>

export const getSalesBy = officeEndpoint({
  method: 'GET',
  path: '/api/office/sales/groups',
  summary: 'Sales of a period by title, publisher, author, narrator, country, rate or code',
  may: 'sales.read',
  query: Type.Object({ period: PERIOD, by: GroupName }),
  reply: Type.Object({ groups: Type.Array(SoldGroup), total: Type.Object(GROUP_FIGURES) }),
})
export const exportSales = officeEndpoint({
  method: 'GET',
  path: '/api/office/sales/export',
  summary: 'Sales of a period as CSV, by day or by a group',
  may: 'sales.export',
  fresh: true,
  query: Type.Object({ period: PERIOD, by: Type.Optional(GroupName) }),
})
export const exportOss = officeEndpoint({
  method: 'GET',
  path: '/api/office/sales/one-stop-shop/export',
  summary: 'A quarter’s sales to the European Union by country and rate, for the One Stop Shop, as CSV',
  may: 'sales.export',
  fresh: true,
  query: Type.Object({ period: Type.String({ pattern: String.raw`^\d{4}-Q[1-4]$` }) }),
})

const HOLDER = {
  copies: Count,
  /** Copies without a payment: `credits` to members, `cards` for cards, `free` for free titles and full discounts. */
  credits: Count,
  cards: Count,
  free: Count,
  discountMinor: Minor,
  takenMinor: Minor,
  refundedMinor: Minor,
  vatMinor: Minor,
  netMinor: Minor,
} as const

export const SoldByHolder = Type.Object({
  name: Type.String(),
  ...HOLDER,
  titles: Type.Array(Type.Object({ title: Type.String(), ...HOLDER })),
})
export type SoldByHolder = Static<typeof SoldByHolder>

export const getHolders = officeEndpoint({
  method: 'GET',
  path: '/api/office/sales/rights-holders',
  summary: 'What was sold and given away of each publisher’s, author’s or narrator’s titles',
  may: 'sales.read',
  query: Type.Object({ period: PERIOD, by: Kind }),
  reply: Type.Object({ ...SPAN, holders: Type.Array(SoldByHolder) }),
})
export const exportHolders = officeEndpoint({
  method: 'GET',
  path: '/api/office/sales/rights-holders/export',
  summary: 'The statement of one rights holder as PDF or CSV, or of all as CSV',
  may: 'sales.export',
  fresh: true,
  query: Type.Object({
    period: PERIOD,
    by: Kind,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
    as: Type.Unsafe<'pdf' | 'csv'>({ type: 'string', enum: ['pdf', 'csv'] }),
  }),
})
