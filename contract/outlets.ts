import Type, { type Static } from 'typebox'
import {
  CalendarDate,
  Email,
  embedded,
  Instant,
  nullable,
  NullableString,
  PERSON_NAME,
  Pounds,
  Slug,
  Uuid,
  visibleLine,
} from './atoms.ts'
import { AudioBookCard } from './catalogue.ts'
import { endpoint, publicIn } from './endpoint.ts'
import { collection } from './hydra.ts'
import { STARTER_PACK } from './limits.ts'

/** May be negative: more was returned in a month than was sold. */
const Balance = Type.Number()

/** The account between shop and bookshop for a period: cards and their price, later purchases and their commission. */
const reckoning = {
  cards: Type.Integer(),
  sold: Balance,
  /** The shop's share of it, VAT included. */
  owed: Balance,
  /** Included in `owed`. */
  vat: Balance,
  /** Number of titles that the bookshop's readers bought in the shop, less refunded ones. */
  purchases: Type.Integer(),
  commission: Balance,
  /** `sold` less `owed`, plus the commission. */
  keeps: Balance,
  /** `owed` less the commission; if negative, the shop pays. */
  toPay: Balance,
}

/** The current month, in the shop's time zone. */
export const OutletAccount = Type.Object({
  from: CalendarDate,
  to: CalendarDate,
  ...reckoning,
  /** The bookshop's terms: by default 60 and 10. */
  discountPercent: Type.Integer(),
  commissionPercent: Type.Integer(),
})
export type OutletAccount = Static<typeof OutletAccount>

const statementFields = {
  id: Uuid,
  number: Type.String(),
  /** First and last day of the month; for a closed bookshop, its last day. */
  from: CalendarDate,
  to: CalendarDate,
  madeAt: Instant,
  dueOn: CalendarDate,
  /** As the shop's staff said; null if not yet. */
  paidOn: nullable(CalendarDate),
  ...reckoning,
  /** Short-lived URLs of the files; follow them at once. */
  pdf: Type.String(),
  csv: Type.String(),
}
export const OutletStatement = embedded('OutletStatement', statementFields)
export type OutletStatement = Static<typeof OutletStatement>

export const STATEMENT_LINE_KINDS = [
  'card',
  'card_taken_back',
  'commission',
  'commission_taken_back',
  'commission_given_back',
] as const
export type StatementLineKind = (typeof STATEMENT_LINE_KINDS)[number]

/**
 * An entry with the terms of its day. A card's entry does not identify the reader, a commission's not even the title.
 */
export const StatementLine = Type.Object({
  id: Uuid,
  kind: Type.Unsafe<StatementLineKind>({ type: 'string', enum: [...STATEMENT_LINE_KINDS] }),
  at: Instant,
  title: NullableString,
  ending: NullableString,
  /** The card's price, or what a reader paid without VAT. */
  of: Balance,
  percent: Type.Integer(),
  /** What the bookshop owes for it; negative for a commission. */
  amount: Balance,
})
export type StatementLine = Static<typeof StatementLine>

export const seeOutletAccount = endpoint({
  method: 'GET',
  path: '/api/outlet/account',
  summary: 'The caller’s bookshop, this month so far',
  access: 'outlet',
  reply: OutletAccount,
})
/** Newest first. */
export const listStatements = endpoint({
  method: 'GET',
  path: '/api/outlet/statements',
  summary: 'Statements of the caller’s bookshop',
  access: 'outlet',
  reply: collection(OutletStatement),
})
export const seeStatement = endpoint({
  method: 'GET',
  path: '/api/outlet/statements/{id}',
  summary: 'One statement, with its lines',
  access: 'outlet',
  params: Type.Object({ id: Uuid }),
  reply: embedded('OutletStatement', { ...statementFields, lines: Type.Array(StatementLine) }),
})

const Month = Type.String({ pattern: '^20\\d\\d-(0[1-9]|1[0-2])$' })

export const CardAddition = embedded('CardAddition', {
  id: Type.Integer(),
  since: Instant,
  price: Pounds,
  audioBook: AudioBookCard,
})
export type CardAddition = Static<typeof CardAddition>

/**
 * Titles that became available as cards in `month` (in the shop's time zone), newest first. Default: the current month.
 */
export const listAdditions = endpoint({
  method: 'GET',
  path: '/api/outlet/additions',
  summary: 'New titles as cards',
  access: 'outlet',
  part: 'cards',
  query: Type.Object({ month: Type.Optional(Month) }),
  reply: collection(CardAddition),
})

/** What a bookshop with the usual terms keeps of a card, in pounds. */
export const CardSum = Type.Object({
  sold: Pounds,
  /** By the shop, at the end of the month. */
  invoiced: Pounds,
  keeps: Pounds,
  /** For the same price paid in the shop later: of the price without VAT. */
  commission: Pounds,
})
export type CardSum = Static<typeof CardSum>

export const seeCardSum = endpoint({
  method: 'GET',
  path: '/api/card_sums/{slug}',
  summary: 'What a bookshop earns by a card of this title',
  ...publicIn('cards'),
  params: Type.Object({ slug: Slug }),
  reply: CardSum,
})

const StarterPackWish = Type.Object({
  shop: visibleLine(STARTER_PACK.shop),
  /** The person to write to. */
  name: Type.String({ minLength: 1, maxLength: STARTER_PACK.name, pattern: PERSON_NAME }),
  email: Email,
  town: visibleLine(STARTER_PACK.town),
  packs: Type.Integer({ minimum: 1, maximum: STARTER_PACK.most }),
})
export type StarterPackWish = Static<typeof StarterPackWish>

/**
 * A bookshop asks for its first cards, with or without an account. The owner gets an email and an entry on the to-do
 * list, the bookshop a copy by email. The same text again changes nothing. 429 after too many.
 */
export const askForStarterPack = endpoint({
  method: 'POST',
  path: '/api/starter_packs',
  summary: 'Ask for a starter pack of cards',
  access: 'open',
  part: 'cards',
  status: 204,
  body: StarterPackWish,
})
