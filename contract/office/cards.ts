import Type, { type Static } from 'typebox'
import { Email, Instant, nullable, NullableString, Uuid } from '../atoms.ts'
import { officeEndpoint } from './office-endpoint.ts'

const Minor = Type.Integer()
const Count = Type.Integer({ minimum: 0 })
const Slug = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 80 })
const Share = Type.Integer({ minimum: 0, maximum: 100 })
const CardNumber = Type.String({ minLength: 4, maxLength: 40 })
const Because = Type.String({ minLength: 1, maxLength: 500, pattern: String.raw`\S` })

const Layout = Type.Unsafe<'printer' | 'a4'>({ type: 'string', enum: ['printer', 'a4'] })

export const CardBatch = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  cover: NullableString,
  background: NullableString,
  /** The only bookshop that may sell them. */
  outlet: NullableString,
  priceMinor: Minor,
  madeAt: Instant,
  made: Count,
  sold: Count,
  opened: Count,
  voided: Count,
})
export type CardBatch = Static<typeof CardBatch>

export const FoundCard = Type.Object({
  number: Type.String(),
  title: Type.String(),
  batch: Type.Integer(),
  state: Type.Unsafe<'unsold' | 'sold' | 'opened' | 'void'>({
    type: 'string',
    enum: ['unsold', 'sold', 'opened', 'void'],
  }),
  /** What became of it, in sentences; never whose it is. */
  lines: Type.Array(Type.String()),
})
export type FoundCard = Static<typeof FoundCard>

export const Bookshop = Type.Object({
  slug: Type.String(),
  name: Type.String(),
  emails: Type.Array(Type.String()),
  discountPercent: Type.Integer(),
  commissionPercent: Type.Integer(),
  closedAt: nullable(Instant),
  /** This month so far. */
  cards: Type.Integer(),
  soldMinor: Minor,
  toPayMinor: Minor,
  /** Newest first. */
  statements: Type.Array(
    Type.Object({
      id: Uuid,
      number: Type.String(),
      from: Type.String(),
      dueOn: Type.String(),
      /** Negative if the shop owes the bookshop. */
      toPayMinor: Minor,
      /** As a member of staff said. */
      paidOn: NullableString,
      paidBy: NullableString,
      remindedAt: nullable(Instant),
    }),
  ),
})
export type Bookshop = Static<typeof Bookshop>

export const getCards = officeEndpoint({
  method: 'GET',
  path: '/api/office/cards',
  summary: 'Batches of cards, bookshops with their statements, and requests for starter packs',
  may: 'cards.read',
  reply: Type.Object({
    batches: Type.Array(CardBatch),
    bookshops: Type.Array(Bookshop),
    /** Audiobooks that cards can be made for. */
    titles: Type.Array(Type.Object({ slug: Type.String(), title: Type.String(), priceMinor: Minor })),
    packs: Type.Array(
      Type.Object({
        id: Uuid,
        askedAt: Instant,
        packs: Count,
        shopName: Type.String(),
        town: Type.String(),
        contact: Type.String(),
        email: Type.String(),
      }),
    ),
  }),
})
export const exportBatches = officeEndpoint({
  method: 'GET',
  path: '/api/office/cards/batches/export',
  summary: 'Batches of cards as CSV',
  may: 'cards.read',
  fresh: true,
  query: Type.Object({
    /** Of the batches, with commas; all without it. */
    ids: Type.Optional(Type.String({ maxLength: 4_000, pattern: String.raw`^\d{1,9}(,\d{1,9})*$` })),
  }),
})
/** A POST, because a card's code opens its audiobook, and addresses are logged. */
export const findCard = officeEndpoint({
  method: 'POST',
  path: '/api/office/cards/find',
  summary: 'What became of a card, by its number, its code or its last four digits',
  may: 'cards.read',
  body: Type.Object({ number: CardNumber }),
  reply: Type.Object({ cards: Type.Array(FoundCard) }),
})

const PRINTED_AT_MOST = 1_000
export const makeCardBatch = officeEndpoint({
  method: 'POST',
  path: '/api/office/cards/batches',
  summary: 'Create cards; replies with a ZIP of their table and their print file, which nothing shows again',
  may: 'cards.change',
  fresh: true,
  body: Type.Object({
    title: Slug,
    count: Type.Integer({ minimum: 1, maximum: PRINTED_AT_MOST }),
    bookshop: Type.Optional(Slug),
    priceMinor: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_99 })),
    layout: Layout,
  }),
})
export const replaceSoldCard = officeEndpoint({
  method: 'POST',
  path: '/api/office/cards/replace',
  summary:
    'Replace a sold card that can’t be read; replies with a ZIP of the new card, which nothing shows again',
  may: 'cards.change',
  fresh: true,
  body: Type.Object({ number: CardNumber, layout: Layout, because: Because }),
})
export const voidCardBatch = officeEndpoint({
  method: 'POST',
  path: '/api/office/cards/batches/{id}/void',
  summary: 'Invalidate the unsold cards of a batch',
  may: 'cards.change',
  fresh: true,
  params: Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }),
  body: Type.Object({ because: Because }),
  reply: Type.Object({ count: Count }),
})
export const voidOneCard = officeEndpoint({
  method: 'POST',
  path: '/api/office/cards/void',
  summary: 'Invalidate an unsold card',
  may: 'cards.change',
  fresh: true,
  body: Type.Object({ number: CardNumber, because: Because }),
  reply: Type.Object({ number: Type.String() }),
})

export const addBookshop = officeEndpoint({
  method: 'POST',
  path: '/api/office/bookshops',
  summary: 'Create a bookshop that sells cards, with an account for its staff',
  may: 'cards.change',
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100, pattern: String.raw`\S` }),
    email: Email,
    discountPercent: Share,
    commissionPercent: Share,
  }),
  reply: Type.Object({ slug: Type.String(), name: Type.String() }),
})
const Named = Type.Object({ slug: Slug })
export const changeBookshop = officeEndpoint({
  method: 'PATCH',
  path: '/api/office/bookshops/{slug}',
  summary: 'Change the terms of a bookshop for its next cards',
  may: 'cards.change',
  params: Named,
  body: Type.Object({ discountPercent: Share, commissionPercent: Share }),
  reply: Type.Object({ entry: Type.Integer(), what: Type.String() }),
})
export const moveBookshop = officeEndpoint({
  method: 'POST',
  path: '/api/office/bookshops/{slug}/address',
  summary: 'Change the address of a bookshop’s account, which then needs a new password',
  may: 'cards.change',
  fresh: true,
  params: Named,
  body: Type.Object({ email: Email, because: Because }),
  reply: Type.Object({ email: Type.String() }),
})
export const closeBookshop = officeEndpoint({
  method: 'POST',
  path: '/api/office/bookshops/{slug}/close',
  summary: 'Close a bookshop, with its last statement',
  may: 'cards.change',
  fresh: true,
  params: Named,
  body: Type.Object({ because: Because }),
  reply: Type.Object({ statement: NullableString }),
})
const StatementOf = Type.Object({ slug: Slug, id: Uuid })
export const markStatementPaid = officeEndpoint({
  method: 'POST',
  path: '/api/office/bookshops/{slug}/statements/{id}/paid',
  summary: 'Say when a statement of a bookshop was paid',
  may: 'cards.change',
  params: StatementOf,
  body: Type.Object({ on: Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\d$` }) }),
  reply: Type.Object({ entry: Type.Integer(), what: Type.String() }),
})
export const remindBookshop = officeEndpoint({
  method: 'POST',
  path: '/api/office/bookshops/{slug}/statements/{id}/remind',
  summary: 'Email a bookshop that a statement is to be paid',
  may: 'cards.change',
  params: StatementOf,
  reply: Type.Object({ what: Type.String() }),
})
export const exportStatement = officeEndpoint({
  method: 'GET',
  path: '/api/office/bookshops/{slug}/statements/{id}/export',
  summary: 'A statement of a bookshop as PDF or CSV',
  may: 'cards.read',
  fresh: true,
  params: StatementOf,
  query: Type.Object({ as: Type.Unsafe<'pdf' | 'csv'>({ type: 'string', enum: ['pdf', 'csv'] }) }),
})
export const finishStarterPack = officeEndpoint({
  method: 'POST',
  path: '/api/office/starter-packs/{id}/done',
  summary: 'Take a starter pack off the list, once its cards are on their way',
  may: 'cards.change',
  params: Type.Object({ id: Uuid }),
  reply: Type.Object({ shopName: Type.String() }),
})
