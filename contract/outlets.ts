import Type, { type Static } from 'typebox'
import { CalendarDate, embedded, Instant, NullableString, Pounds, Uuid } from './atoms.ts'
import { AudioBookCard } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'

/** What is earned or owed may be below nothing: more was taken back in a month than was sold. */
const Balance = Type.Number()

/** What stands between shop and bookshop over a while: cards and what they cost, later purchases and their commission. */
const reckoning = {
  cards: Type.Integer(),
  /** What the cards cost over the counter. */
  sold: Balance,
  /** The shop's part of it, VAT included. */
  owed: Balance,
  /** In `owed`. */
  vat: Balance,
  /** Titles that its readers bought here themselves, less those given back. */
  purchases: Type.Integer(),
  commission: Balance,
  /** `sold` less `owed`, and the commission. */
  keeps: Balance,
  /** `owed` less the commission; below nothing the shop pays. */
  toPay: Balance,
}

/** The month so far, in the shop's zone. */
export const OutletAccount = Type.Object({
  from: CalendarDate,
  to: CalendarDate,
  ...reckoning,
  /** How cards are sold: 60 and 10. */
  discountPercent: Type.Integer(),
  commissionPercent: Type.Integer(),
})
export type OutletAccount = Static<typeof OutletAccount>

const statementFields = {
  id: Uuid,
  number: Type.String(),
  /** First and last day of the month; the last day of a bookshop that closed. */
  from: CalendarDate,
  to: CalendarDate,
  madeAt: Instant,
  dueOn: CalendarDate,
  ...reckoning,
  /** Short-lived addresses of its files, to be followed at once. */
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

/** What happened, with the terms of that day. A card's line names no reader, a commission's not even a title. */
export const StatementLine = Type.Object({
  id: Uuid,
  kind: Type.Unsafe<StatementLineKind>({ type: 'string', enum: [...STATEMENT_LINE_KINDS] }),
  at: Instant,
  title: NullableString,
  /** The last four figures of the card's number. */
  ending: NullableString,
  /** The card's price, or what a reader paid without VAT. */
  of: Balance,
  percent: Type.Integer(),
  /** What the bookshop owes by it; a commission is below nothing. */
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

/** A title that came as a card, and what its card costs. */
export const CardAddition = embedded('CardAddition', {
  id: Type.Integer(),
  since: Instant,
  price: Pounds,
  audioBook: AudioBookCard,
})
export type CardAddition = Static<typeof CardAddition>

/** Titles that came as cards in a month of the shop's zone, newest first; without `month`, this one. */
export const listAdditions = endpoint({
  method: 'GET',
  path: '/api/outlet/additions',
  summary: 'New titles as cards',
  access: 'outlet',
  part: 'cards',
  query: Type.Object({ month: Type.Optional(Month) }),
  reply: collection(CardAddition),
})
