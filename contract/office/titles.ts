import Type, { type Static } from 'typebox'
import { Instant, nullable, NullableString } from '../atoms.ts'
import { LIST_QUERY, officeEndpoint, officePage } from './office-endpoint.ts'

const Minor = Type.Integer({ minimum: 0, maximum: 9_999_99 })
const enumOf = <const V extends string>(...values: readonly V[]) =>
  Type.Unsafe<V>({ type: 'string', enum: [...values] })

const Format = enumOf('audio_book', 'e_book')
/** `not-on-sale`: it is meant to be, and something is missing. */
export const TitleState = enumOf('on-sale', 'not-on-sale', 'draft', 'listed', 'retired')
export type TitleState = Static<typeof TitleState>
const Missing = enumOf('price', 'sound', 'text', 'cover', 'description', 'author')
export type Missing = Static<typeof Missing>

export const ListedTitle = Type.Object({
  id: Type.Integer(),
  slug: Type.String(),
  format: Format,
  title: Type.String(),
  authors: Type.String(),
  publisher: Type.String(),
  isbn: NullableString,
  cover: NullableString,
  state: TitleState,
  missing: Type.Array(Missing),
  preorder: NullableString,
  /** Null: it has none. */
  priceMinor: nullable(Minor),
  /** What members pay. */
  memberMinor: nullable(Minor),
  /** Fields that imports leave alone. */
  setByOwner: Type.Array(Type.String()),
  /** Sold in the last thirty days, without refunds and free audiobooks. */
  sold: Type.Integer(),
})
export type ListedTitle = Static<typeof ListedTitle>

const FILTERS = {
  words: Type.Optional(Type.String({ maxLength: 100 })),
  format: Type.Optional(Format),
  state: Type.Optional(TitleState),
  missing: Type.Optional(enumOf('price', 'sound', 'text', 'cover', 'description', 'author', 'any')),
  /** Whether the shop has it in the other format too. */
  other: Type.Optional(enumOf('yes', 'no')),
  /** Whether the owner has set its state or one of its fields, which imports then leave alone. */
  here: Type.Optional(enumOf('yes', 'no')),
} as const

export const listTitles = officeEndpoint({
  method: 'GET',
  path: '/api/office/titles',
  summary: 'Titles, one row for each format',
  may: 'titles.read',
  query: Type.Object({ ...LIST_QUERY, ...FILTERS }),
  reply: officePage(ListedTitle, Type.Object({})),
})
export const exportTitles = officeEndpoint({
  method: 'GET',
  // Not `titles/export`: that is the address of a title named “Export”.
  path: '/api/office/titles/list/export',
  summary: 'The titles of a list as CSV',
  may: 'titles.read',
  fresh: true,
  query: Type.Object({ sort: LIST_QUERY.sort, ...FILTERS }),
})

/** Limited because the preview has a line for each title. */
const Ids = Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
  minItems: 1,
  maxItems: 1_000,
  uniqueItems: true,
})
/** In the shop's time zone. */
const LocalTime = Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d$` })

const PRICING = {
  ids: Ids,
  how: enumOf('set', 'percent', 'pounds'),
  /** Pence, or per cent; negative makes it cheaper. */
  by: Type.Integer({ minimum: -9_999_99, maximum: 9_999_99 }),
  /** What members pay, if it isn't the usual discount; only for `set`. */
  memberMinor: Type.Optional(nullable(Minor)),
  round: Type.Optional(enumOf('penny', 'ten', 'fifty', 'pound', 'nines')),
  from: Type.Optional(LocalTime),
  until: Type.Optional(LocalTime),
} as const
export type Pricing = Static<ReturnType<typeof Type.Object<typeof PRICING>>>

export const PricePlan = Type.Object({
  rows: Type.Array(
    Type.Object({
      id: Type.Integer(),
      title: Type.String(),
      format: Format,
      nowMinor: nullable(Minor),
      thenMinor: Minor,
      memberMinor: Minor,
    }),
  ),
  /** Sentences: what else it touches. */
  touches: Type.Array(Type.String()),
  /** The sum of all new prices, sent back with the change. */
  shownMinor: Type.Integer(),
  startsLater: Type.Boolean(),
})
export type PricePlan = Static<typeof PricePlan>

export const planPrices = officeEndpoint({
  method: 'POST',
  path: '/api/office/titles/prices/plan',
  summary: 'What new prices would be, and what else they touch',
  may: 'titles.change',
  body: Type.Object(PRICING),
  reply: PricePlan,
})
export const setPrices = officeEndpoint({
  method: 'POST',
  path: '/api/office/titles/prices',
  summary: 'Set prices, at once or for a time',
  may: 'titles.change',
  body: Type.Object({ ...PRICING, shownMinor: Type.Integer() }),
  reply: Type.Object({ entry: Type.Integer(), what: Type.String() }),
})

const STATING = { ids: Ids, state: enumOf('draft', 'listed', 'on-sale', 'retired') } as const
export const planStates = officeEndpoint({
  method: 'POST',
  path: '/api/office/titles/states/plan',
  summary: 'What a state would change for titles',
  may: 'titles.change',
  body: Type.Object(STATING),
  reply: Type.Object({
    rows: Type.Array(
      Type.Object({
        id: Type.Integer(),
        title: Type.String(),
        format: Format,
        now: TitleState,
        becomes: TitleState,
        /** Why it can't be, or what is missing. */
        note: NullableString,
        isRefused: Type.Boolean(),
      }),
    ),
    touches: Type.Array(Type.String()),
  }),
})
export const setStates = officeEndpoint({
  method: 'POST',
  path: '/api/office/titles/states',
  summary: 'Put titles on sale, or take them off it',
  may: 'titles.change',
  body: Type.Object(STATING),
  reply: Type.Object({ entry: Type.Integer(), what: Type.String() }),
})

/** Any JSON value of a field, checked by the server for the field that it is for. */
const FieldValue = Type.Unsafe<unknown>({})

export const EditedBook = Type.Object({
  ...ListedTitle.properties,
  values: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  /** What the folder or catalogue says about fields that were set here. */
  sourceSays: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  /** The state that its folder or row gives it. */
  sourceState: Type.String(),
  isStateSetHere: Type.Boolean(),
  isOfCatalogue: Type.Boolean(),
  importedFrom: NullableString,
  owners: Type.Integer(),
  /** Owned, or in an order, a gift or on a card: it can't be deleted. */
  isBound: Type.Boolean(),
  chapters: Type.Array(
    Type.Object({
      number: Type.Integer(),
      title: Type.String(),
      /** SHA-256 of its file. */
      sound: Type.String(),
      durationMs: Type.Integer(),
    }),
  ),
  changes: Type.Array(
    Type.Object({
      id: Type.Integer(),
      priceMinor: Minor,
      startsAt: Instant,
      endsAt: nullable(Instant),
      isRunning: Type.Boolean(),
    }),
  ),
})
export type EditedBook = Static<typeof EditedBook>

const Slug = Type.Object({ slug: Type.String({ maxLength: 200 }) })

export const getTitle = officeEndpoint({
  method: 'GET',
  path: '/api/office/titles/{slug}',
  summary: 'A title in all its formats, with what its folder says',
  may: 'titles.read',
  params: Slug,
  reply: Type.Object({
    slug: Type.String(),
    books: Type.Array(EditedBook),
    /** The plans of this month and later that have it. */
    months: Type.Array(
      Type.Object({
        /** `2026-12` */
        month: Type.String(),
        list: enumOf('highlights', 'editions'),
      }),
    ),
    /** A month's plan decides whether it is an edition or a highlight. */
    isMonthPlanned: Type.Boolean(),
    languages: Type.Array(Type.String()),
    categories: Type.Array(Type.String()),
    styles: Type.Array(Type.String()),
    publishers: Type.Array(Type.String()),
  }),
})

export const changeTitle = officeEndpoint({
  method: 'PATCH',
  path: '/api/office/titles/{slug}',
  summary: 'Change texts, people, shelves and highlights of a title',
  may: 'titles.change',
  params: Slug,
  body: Type.Object({
    /** Without one: in each format that has the field. */
    format: Type.Optional(Format),
    values: Type.Record(Type.String({ maxLength: 40 }), FieldValue),
  }),
  reply: Type.Object({ entry: nullable(Type.Integer()), what: Type.String() }),
})

export const followFolder = officeEndpoint({
  method: 'POST',
  path: '/api/office/titles/{slug}/follow',
  summary: 'Take what the folder or catalogue says about a field again',
  may: 'titles.change',
  params: Slug,
  body: Type.Object({ format: Type.Optional(Format), field: Type.String({ maxLength: 40 }) }),
  reply: Type.Object({ entry: Type.Integer(), what: Type.String() }),
})

const LARGEST_COVER = 4_000_000
const Hex = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' })
const Changed = Type.Object({ entry: nullable(Type.Integer()), what: Type.String() })

export const setCover = officeEndpoint({
  method: 'PUT',
  path: '/api/office/titles/{slug}/cover',
  summary: 'Set the cover of a format, already cropped, and the colours taken from it',
  may: 'titles.change',
  params: Slug,
  body: Type.Object({
    format: Format,
    base64: Type.String({
      minLength: 1,
      maxLength: Math.ceil(LARGEST_COVER / 3) * 4,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
    }),
    /** For both formats, which share them. */
    colours: Type.Optional(
      Type.Object(
        { backgroundColour: Hex, containerColour: Hex, textColour: Hex },
        { additionalProperties: false },
      ),
    ),
  }),
  largestBody: LARGEST_COVER * 2,
  reply: Changed,
})
export const drawCover = officeEndpoint({
  method: 'POST',
  path: '/api/office/titles/{slug}/cover/draw',
  summary: 'Set the cover that the importer draws for a title without a picture',
  may: 'titles.change',
  params: Slug,
  body: Type.Object({ format: Format }),
  reply: Changed,
})

const NamedSound = Type.Object({
  title: Type.String({ maxLength: 300 }),
  sound: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
const Chapters = Type.Array(NamedSound, { minItems: 1, maxItems: 2_000 })

/** A new sound is sent as a recording before: see `POST /api/office/sounds`. */
export const changeChapters = officeEndpoint({
  method: 'PUT',
  path: '/api/office/titles/{slug}/chapters',
  summary: 'Set the order, names and sounds of an audiobook’s chapters',
  may: 'titles.change',
  params: Slug,
  body: Type.Object({
    /** As the screen had them: 409 if they have been changed since. */
    seen: Chapters,
    chapters: Chapters,
  }),
  reply: Changed,
})
export const setText = officeEndpoint({
  method: 'PUT',
  path: '/api/office/titles/{slug}/text',
  summary: 'Set the EPUB of an e-book, which was uploaded before, as a recording is',
  may: 'titles.change',
  params: Slug,
  body: Type.Object({ batch: Type.String({ format: 'uuid' }) }),
  reply: Changed,
})
export const removeText = officeEndpoint({
  method: 'DELETE',
  path: '/api/office/titles/{slug}/text',
  summary: 'Remove the EPUB of an e-book that nobody owns',
  may: 'titles.change',
  params: Slug,
  reply: Changed,
})

export const deleteTitle = officeEndpoint({
  method: 'POST',
  path: '/api/office/titles/{slug}/delete',
  summary: 'Delete a title that nobody owns, ordered or was given',
  may: 'titles.change',
  params: Slug,
  body: Type.Object({
    /** Without one: all its formats. */
    format: Type.Optional(Format),
    /** The title, typed by hand. */
    name: Type.String({ maxLength: 500 }),
    because: Type.String({ minLength: 1, maxLength: 500, pattern: String.raw`\S` }),
  }),
  status: 204,
})

export const endPriceChange = officeEndpoint({
  method: 'DELETE',
  path: '/api/office/titles/price-changes/{id}',
  summary: 'Give up a price for later, or end it now',
  may: 'titles.change',
  params: Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }),
  reply: Type.Object({ what: Type.String() }),
})
