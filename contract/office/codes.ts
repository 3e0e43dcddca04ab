import Type, { type Static } from 'typebox'
import { DISCOUNT_TYPES, type DiscountType } from '../discounts.ts'
import { Instant, nullable } from '../atoms.ts'
import { LIST_QUERY, officeEndpoint, officePage } from './office-endpoint.ts'

const Minor = Type.Integer()
const Day = Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\d$` })
const STATES = ['works', 'later', 'over', 'stopped'] as const
export type CodeState = (typeof STATES)[number]
const State = Type.Unsafe<CodeState>({ type: 'string', enum: [...STATES] })
const Target = Type.Unsafe<DiscountType>({ type: 'string', enum: [...DISCOUNT_TYPES] })

export const ListedCode = Type.Object({
  code: Type.String(),
  /** `20% off`, `£5.00 off` */
  discount: Type.String(),
  target: Target,
  /** With it, all its uses may be taken. */
  uses: nullable(Type.Integer()),
  taken: Type.Integer(),
  state: State,
  startsAt: nullable(Instant),
  endsAt: nullable(Instant),
  /** What it took off paid orders so far. */
  costMinor: Minor,
  /** What those orders brought. */
  soldMinor: Minor,
})
export type ListedCode = Static<typeof ListedCode>

const FILTERS = {
  words: Type.Optional(Type.String({ maxLength: 64 })),
  state: Type.Optional(State),
} as const

export const listOfficeCodes = officeEndpoint({
  method: 'GET',
  path: '/api/office/codes',
  summary: 'Discount codes with their uses and what they cost so far',
  may: 'codes.read',
  query: Type.Object({ ...LIST_QUERY, ...FILTERS }),
  reply: officePage(ListedCode, Type.Object({ costMinor: Minor })),
})
export const exportOfficeCodes = officeEndpoint({
  method: 'GET',
  path: '/api/office/codes/export',
  summary: 'The codes of a list as CSV',
  may: 'codes.read',
  fresh: true,
  query: Type.Object(FILTERS),
})

const NewCodes = Type.Object({
  /** One code; without it, `count` random ones that begin with `prefix`. */
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_000 })),
  prefix: Type.Optional(Type.String({ maxLength: 20 })),
  percent: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  amountMinor: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999_99 })),
  target: Target,
  title: Type.Optional(Type.String({ maxLength: 200 })),
  from: Type.Optional(Day),
  until: Type.Optional(Day),
  uses: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  oncePerAccount: Type.Boolean(),
  /** Of memberships: how many months; 0 for every payment, absent for the first one. */
  months: Type.Optional(Type.Integer({ minimum: 0, maximum: 120 })),
})
export const planOfficeCodes = officeEndpoint({
  method: 'POST',
  path: '/api/office/codes/plan',
  summary: 'What new codes would do, in words',
  may: 'codes.change',
  body: NewCodes,
  reply: Type.Object({ words: Type.String() }),
})
export const makeOfficeCodes = officeEndpoint({
  method: 'POST',
  path: '/api/office/codes',
  summary: 'Create a code, or many random ones',
  may: 'codes.change',
  body: NewCodes,
  reply: Type.Object({ codes: Type.Array(Type.String()) }),
})
const CodeIn = Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) })
const Switched = Type.Object({ entry: Type.Integer(), what: Type.String() })
export const stopCode = officeEndpoint({
  method: 'POST',
  path: '/api/office/codes/{code}/stop',
  summary: 'End a code',
  may: 'codes.change',
  params: CodeIn,
  reply: Switched,
})
export const startCode = officeEndpoint({
  method: 'POST',
  path: '/api/office/codes/{code}/start',
  summary: 'Let an ended code work again',
  may: 'codes.change',
  params: CodeIn,
  reply: Switched,
})
