import Type, { type Static } from 'typebox'
import { Instant, nullable, NullableInteger, NullableString } from '../atoms.ts'
import { type ShopPart, SHOP_PARTS } from '../shop-details.ts'
import { AnyObject, LIST_QUERY, officeEndpoint, officePage } from './office-endpoint.ts'

export const DOCUMENT_KINDS = [
  'home',
  'menus',
  'faq',
  'article',
  'interview',
  'discussion',
  'page',
  'newsletter',
  'month',
] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]
export const PIECE_KINDS = ['article', 'interview', 'discussion'] as const
export type PieceKind = (typeof PIECE_KINDS)[number]

const closed = { additionalProperties: false } as const
const Words = Type.String({ maxLength: 60_000 })
const Flag = Type.Boolean()
const Slugs = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 200 })
const Part = nullable(Type.Unsafe<ShopPart>({ type: 'string', enum: [...SHOP_PARTS] }))
const Moment = nullable(Type.String({ maxLength: 40 }))

/** A draft may be incomplete, but has all fields. `body` is Markdown. */
export const PieceContent = Type.Object(
  {
    title: Words,
    summary: Words,
    shortDescription: Words,
    body: Words,
    /** The author's full name in lower case. */
    author: NullableString,
    hideAuthor: Flag,
    category: NullableString,
    type: NullableString,
    books: Slugs,
    featured: Flag,
    special: Flag,
    memberOnly: Flag,
    minimumTier: nullable(
      Type.Unsafe<'supporter' | 'reader'>({ type: 'string', enum: ['supporter', 'reader'] }),
    ),
    pictureId: NullableString,
    altText: Words,
    audioId: NullableString,
    parts: nullable(
      Type.Array(Type.Object({ seconds: Type.Integer(), title: Words }, closed), { maxItems: 100 }),
    ),
    videoLink: NullableString,
    link: NullableString,
    linkTitle: NullableString,
    metaDescription: NullableString,
    metaKeywords: NullableString,
    /** Null until it is published. */
    publishedAt: Moment,
    startsAt: Moment,
    endsAt: Moment,
    place: NullableString,
    placeNote: NullableString,
    admission: NullableString,
    goodToKnow: Type.Array(Words, { maxItems: 12 }),
    seats: NullableInteger,
    colours: Type.Object(
      { background: NullableString, container: NullableString, text: NullableString },
      closed,
    ),
  },
  closed,
)
export type PieceContent = Static<typeof PieceContent>

export const PageContent = Type.Object({ title: Words, body: Words, part: Part }, closed)
export type PageContent = Static<typeof PageContent>

export const FaqContent = Type.Object(
  {
    categories: Type.Array(
      Type.Object(
        {
          name: Words,
          questions: Type.Array(
            Type.Object({ question: Words, answer: Words, published: Flag, part: Part }, closed),
            { maxItems: 200 },
          ),
        },
        closed,
      ),
      { maxItems: 100 },
    ),
  },
  closed,
)
export type FaqContent = Static<typeof FaqContent>

const MenuEntries = Type.Array(
  Type.Object({ group: Words, title: Words, url: Words, style: NullableString, hidden: Flag }, closed),
  { maxItems: 200 },
)
export const MenusContent = Type.Object({ main: MenuEntries, search: MenuEntries }, closed)
export type MenusContent = Static<typeof MenusContent>

export const SEEN_BY = ['everyone', 'visitors', 'accounts', 'members'] as const
export type SeenBy = (typeof SEEN_BY)[number]

export const HomeContent = Type.Object(
  {
    panels: Type.Array(
      Type.Object(
        {
          section: Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9]*$', maxLength: 60 }),
          title: Words,
          visible: Flag,
          seenBy: Type.Unsafe<SeenBy>({ type: 'string', enum: [...SEEN_BY] }),
          from: Moment,
          until: Moment,
          /** In their order; null for the titles that are marked for this panel. */
          titles: nullable(Slugs),
        },
        closed,
      ),
      { maxItems: 100 },
    ),
    introText: Type.Object({ visitor: Words, user: Words, member: Words }, closed),
    aboutText: Words,
    appStoreLink: NullableString,
    playStoreLink: NullableString,
    guestPicks: Slugs,
    publishers: Slugs,
    staffPicks: Type.Array(
      Type.Object(
        { title: Words, description: Words, author: Words, visible: Flag, audioBook: NullableString },
        closed,
      ),
      { maxItems: 100 },
    ),
  },
  closed,
)
export type HomeContent = Static<typeof HomeContent>
export type HomePanelContent = HomeContent['panels'][number]

/** A title in a month's list, and what a bookseller says about it, on its page and among the editions. */
const MonthTitle = Type.Object(
  {
    slug: Type.String({ maxLength: 200 }),
    words: Type.String({ maxLength: 4_000 }),
    by: Type.String({ maxLength: 200 }),
  },
  closed,
)
export type MonthTitle = Static<typeof MonthTitle>
const MonthTitles = Type.Array(MonthTitle, { maxItems: 200 })
/** What members can choose from in a month, in order. The key is the month: `2026-12`. */
export const MonthContent = Type.Object({ highlights: MonthTitles, editions: MonthTitles }, closed)
export type MonthContent = Static<typeof MonthContent>
export type MonthList = keyof MonthContent

/** Only ever a draft: it is sent from its own screen. */
export const NewsletterContent = Type.Object({ markdown: Words }, closed)
export type NewsletterContent = Static<typeof NewsletterContent>

const Kind = Type.Unsafe<DocumentKind>({ type: 'string', enum: [...DOCUMENT_KINDS] })
const Key = Type.String({ pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', maxLength: 160 })
const ByKey = Type.Object({ kind: Kind, key: Key })
const Version = Type.Integer({ minimum: 0 })

/** `live`: as published; `hidden`: stored and not shown; `draft`: never published. */
export const DOCUMENT_STATES = ['live', 'hidden', 'draft', 'scheduled', 'binned'] as const
export type DocumentState = (typeof DOCUMENT_STATES)[number]
const State = Type.Unsafe<DocumentState>({ type: 'string', enum: [...DOCUMENT_STATES] })

export const ListedDocument = Type.Object({
  kind: Kind,
  key: Type.String(),
  title: Type.String(),
  author: NullableString,
  state: State,
  /** Something was typed that isn't published. */
  hasDraft: Type.Boolean(),
  /** When it was or will be published. */
  at: nullable(Instant),
  savedAt: nullable(Instant),
  savedBy: NullableString,
  isSetHere: Type.Boolean(),
  folderDiffers: Type.Boolean(),
  /** Until then it can be put back. */
  goneAt: nullable(Instant),
})
export type ListedDocument = Static<typeof ListedDocument>

const PIECE_FILTERS = {
  words: Type.Optional(Type.String({ maxLength: 100 })),
  kind: Type.Optional(Type.Unsafe<PieceKind>({ type: 'string', enum: [...PIECE_KINDS] })),
  state: Type.Optional(State),
} as const

export const listPieces = officeEndpoint({
  method: 'GET',
  path: '/api/office/journal',
  summary: 'The pieces of the Journal, with drafts and the bin',
  may: 'pages.read',
  query: Type.Object({ ...LIST_QUERY, ...PIECE_FILTERS }),
  reply: officePage(ListedDocument, Type.Object({})),
})
export const exportPieces = officeEndpoint({
  method: 'GET',
  path: '/api/office/journal/export',
  summary: 'The pieces of a list as CSV',
  may: 'pages.read',
  fresh: true,
  query: Type.Object({ sort: LIST_QUERY.sort, ...PIECE_FILTERS }),
})
export const listPages = officeEndpoint({
  method: 'GET',
  path: '/api/office/pages',
  summary: 'Pages, questions and menus',
  may: 'pages.read',
  reply: Type.Object({
    documents: Type.Array(ListedDocument),
    /** Pages that the law requires and that do not exist yet. The shop has a draft text for each. */
    toWrite: Type.Array(Type.Object({ key: Type.String(), title: Type.String() })),
  }),
})

export const PlannedMonth = Type.Object({
  /** `2026-12` */
  month: Type.String(),
  /** `as-before`: the month has no plan, so the plan of the month before applies. */
  state: Type.Unsafe<'past' | 'current' | 'planned' | 'as-before'>({
    type: 'string',
    enum: ['past', 'current', 'planned', 'as-before'],
  }),
  hasDraft: Type.Boolean(),
  savedBy: NullableString,
  highlights: Type.Array(Type.String()),
  editions: Type.Array(Type.String()),
})
export type PlannedMonth = Static<typeof PlannedMonth>
export const listMonths = officeEndpoint({
  method: 'GET',
  path: '/api/office/months',
  summary: 'Which titles are editions and highlights, month by month',
  may: 'pages.read',
  reply: Type.Object({
    months: Type.Array(PlannedMonth),
    /** False: the folders and each title decide. */
    isPlanned: Type.Boolean(),
  }),
})

const Missing = Type.Object({
  /** `categories.0.name`: the field that lacks it. */
  field: Type.String(),
  words: Type.String(),
})
export type Missing = Static<typeof Missing>

export const OfficeDocument = Type.Object({
  ...ListedDocument.properties,
  version: Version,
  /** By its kind: `PieceContent`, … The draft, else as published. */
  content: AnyObject,
  /** As the shop shows it; null if it doesn't. */
  published: nullable(AnyObject),
  /** What keeps it from being published. */
  missing: Type.Array(Missing),
  publishAt: nullable(Instant),
  /** The page in the shop. */
  address: Type.String(),
})
export type OfficeDocument = Static<typeof OfficeDocument>

export const getDocument = officeEndpoint({
  method: 'GET',
  path: '/api/office/documents/{kind}/{key}',
  summary: 'One document with its draft',
  may: 'pages.read',
  params: ByKey,
  reply: OfficeDocument,
})
export const startDocument = officeEndpoint({
  method: 'POST',
  path: '/api/office/documents',
  summary: 'Start a piece or a page',
  may: 'pages.change',
  body: Type.Object({
    kind: Type.Unsafe<PieceKind | 'page'>({ type: 'string', enum: [...PIECE_KINDS, 'page'] }),
    title: Type.String({ minLength: 1, maxLength: 300, pattern: String.raw`\S` }),
    /** The key of a page in `toWrite`: begins with the shop's draft text, at its address. */
    template: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  status: 201,
  reply: Type.Object({ kind: Kind, key: Type.String() }),
})
/** 409 if another member of staff has saved the draft since `version`. */
export const saveDraft = officeEndpoint({
  method: 'PUT',
  path: '/api/office/documents/{kind}/{key}/draft',
  summary: 'Save a draft, complete or not',
  may: 'pages.change',
  params: ByKey,
  body: Type.Object({ content: AnyObject, version: Version }),
  reply: Type.Object({
    version: Version,
    hasDraft: Type.Boolean(),
    savedAt: Instant,
    missing: Type.Array(Missing),
  }),
})
export const discardDraft = officeEndpoint({
  method: 'DELETE',
  path: '/api/office/documents/{kind}/{key}/draft',
  summary: 'Go back to what is published',
  may: 'pages.change',
  params: ByKey,
  reply: OfficeDocument,
})
const Done = Type.Object({ entry: Type.Integer(), document: OfficeDocument })
export const publishDocument = officeEndpoint({
  method: 'POST',
  path: '/api/office/documents/{kind}/{key}/publish',
  summary: 'Publish the draft',
  may: 'pages.change',
  params: ByKey,
  body: Type.Object({ version: Version }),
  reply: Done,
})
export const scheduleDocument = officeEndpoint({
  method: 'POST',
  path: '/api/office/documents/{kind}/{key}/schedule',
  summary: 'Publish the draft at a time',
  may: 'pages.change',
  params: ByKey,
  body: Type.Object({
    version: Version,
    /** In the shop's time zone; null cancels the scheduled publication. */
    at: nullable(Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d$` })),
  }),
  reply: Done,
})
export const retireDocument = officeEndpoint({
  method: 'POST',
  path: '/api/office/documents/{kind}/{key}/retire',
  summary: 'Take it from the shop, into the bin for 30 days',
  may: 'pages.change',
  params: ByKey,
  reply: Done,
})
export const putBackDocument = officeEndpoint({
  method: 'POST',
  path: '/api/office/documents/{kind}/{key}/put-back',
  summary: 'Put it back from the bin',
  may: 'pages.change',
  params: ByKey,
  reply: Done,
})
export const useFolder = officeEndpoint({
  method: 'POST',
  path: '/api/office/documents/{kind}/{key}/folder',
  summary: 'Publish what the folder says, and follow it again',
  may: 'pages.change',
  params: ByKey,
  reply: Done,
})

export const DocumentVersion = Type.Object({
  id: Type.Integer(),
  at: Instant,
  by: Type.String(),
  what: Type.Unsafe<'published' | 'draft'>({ type: 'string', enum: ['published', 'draft'] }),
  isCurrent: Type.Boolean(),
})
export type DocumentVersion = Static<typeof DocumentVersion>
export const listVersions = officeEndpoint({
  method: 'GET',
  path: '/api/office/documents/{kind}/{key}/versions',
  summary: 'What was published, newest first',
  may: 'pages.read',
  params: ByKey,
  reply: Type.Object({ versions: Type.Array(DocumentVersion) }),
})
/** The draft that it replaces becomes a version, so nothing is lost. */
export const restoreVersion = officeEndpoint({
  method: 'POST',
  path: '/api/office/documents/{kind}/{key}/restore',
  summary: 'Make an older version the draft',
  may: 'pages.change',
  params: ByKey,
  body: Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), version: Version }),
  reply: OfficeDocument,
})
/** HTML without scripts, as the shop will render it. */
export const previewDocument = officeEndpoint({
  method: 'GET',
  path: '/api/office/documents/{kind}/{key}/preview',
  summary: 'The page with the draft in it',
  may: 'pages.read',
  params: ByKey,
  query: Type.Object({ version: Type.Optional(Version) }),
})

/** What the editors choose from. */
export const listChoices = officeEndpoint({
  method: 'GET',
  path: '/api/office/choices',
  summary: 'Authors, categories, types and publishers',
  may: 'pages.read',
  reply: Type.Object({
    authors: Type.Array(Type.Object({ key: Type.String(), name: Type.String() })),
    categories: Type.Array(Type.String()),
    types: Type.Array(Type.String()),
    publishers: Type.Array(Type.Object({ slug: Type.String(), name: Type.String() })),
  }),
})
export const ChosenTitle = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  by: Type.String(),
  /** What a bookseller says about it, and who that is. */
  words: Type.String(),
  wordsBy: Type.String(),
  coverId: NullableString,
  background: NullableString,
  ink: NullableString,
})
export type ChosenTitle = Static<typeof ChosenTitle>
/** Audiobooks by words of the title or an author; or exactly these, in their order. */
export const findTitles = officeEndpoint({
  method: 'GET',
  path: '/api/office/choices/titles',
  summary: 'Titles to choose from',
  may: 'pages.read',
  query: Type.Object({
    words: Type.Optional(Type.String({ maxLength: 100 })),
    /** Also e-books that are no audiobook. */
    ebooks: Type.Optional(Type.Boolean()),
    slugs: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 200 })),
  }),
  reply: Type.Object({ titles: Type.Array(ChosenTitle) }),
})

/** For panels without titles of the owner's choice. */
export const listMarkedTitles = officeEndpoint({
  method: 'GET',
  path: '/api/office/choices/marked',
  summary: 'The titles that each panel of the home page shows by itself',
  may: 'pages.read',
  reply: Type.Object({
    sections: Type.Array(Type.Object({ section: Type.String(), titles: Type.Array(ChosenTitle) })),
    pieces: Type.Array(Type.String()),
  }),
})

/** Sent every few seconds while something is open, for each thing that two can edit. */
export const notePresence = officeEndpoint({
  method: 'POST',
  path: '/api/office/presence',
  summary: 'Say that one has something open, and learn who else has',
  may: null,
  body: Type.Object({
    thing: Type.String({ pattern: '^[a-z-]{1,30} [^\\s]{1,200}$', maxLength: 231 }),
    isTyping: Type.Boolean(),
    hasLeft: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({
    others: Type.Array(Type.Object({ name: Type.String(), isTyping: Type.Boolean() })),
  }),
})
