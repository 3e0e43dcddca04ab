import Type, { type Static, type TSchema } from 'typebox'
import { CalendarDate, NullableInteger, NullableNumber, NullableString, Slug } from './atoms.ts'
import {
  AudioBookCard,
  Category,
  listNationalities,
  listPublishers,
  listStyles,
  listLocations,
} from './catalogue.ts'
import {
  Access,
  ArticleCard,
  Discussion,
  DiscussionCard,
  InterviewCard,
  MurmurationType,
} from './editorial.ts'
import { endpoint } from './endpoint.ts'

const flag = Type.Optional(Type.Literal(true))
const ids = Type.Array(Type.Integer())

/**
 * One format of a title as a visitor of the country sees it: its card, the fields that lists filter by, and, within the
 * size limit, the fields of its page. Compact, because the index holds thousands of them: false and empty fields are
 * left out; people, series and tags are referenced by id.
 */
export const IndexedBook = Type.Object({
  id: Type.Integer(),
  eBook: flag,
  slug: Slug,
  title: Type.String(),
  price: Type.Number(),
  member: Type.Number(),
  cover: Type.Optional(Type.String()),
  alt: Type.Optional(Type.String()),
  placeholder: Type.Optional(Type.String()),
  /** The colours of background, container and text. */
  colours: Type.Optional(Type.Array(NullableString)),
  minutes: Type.Optional(Type.Integer()),
  pages: Type.Optional(Type.Integer()),
  style: Type.Optional(Type.Integer()),
  category: Type.Optional(Type.Integer()),
  publisher: Type.Optional(Type.Integer()),
  authors: Type.Optional(ids),
  narrators: Type.Optional(ids),
  translator: Type.Optional(Type.Integer()),
  series: Type.Optional(Type.Array(Type.Object({ id: Type.Integer(), number: NullableString }))),
  locations: Type.Optional(ids),
  tags: Type.Optional(ids),
  /** The id of the other format, if that is on sale. */
  other: Type.Optional(Type.Integer()),
  /** Listed, but not on sale yet. */
  unsold: flag,
  blocked: flag,
  edition: flag,
  highlighted: flag,
  /** Its place in the month's list, if an editor ordered it. */
  editionPlace: Type.Optional(Type.Integer()),
  highlightPlace: Type.Optional(Type.Integer()),
  asCard: flag,
  inStep: flag,
  memoir: flag,
  writersDilemma: flag,
  violence: flag,
  noDownload: flag,
  featured: Type.Optional(Type.Integer()),
  spiSIN: Type.Optional(Type.String()),
  preorder: Type.Optional(CalendarDate),
  firstPublished: Type.Optional(CalendarDate),
  language: Type.Optional(Type.String()),
  keywords: Type.Optional(Type.String()),
  bookseller: AudioBookCard.properties.bookseller,
  /** Ids of journal pieces about the title. */
  articles: Type.Optional(ids),
  /** Sanitised HTML; left out if the index would be too large. */
  summary: Type.Optional(Type.String()),
})
export type IndexedBook = Static<typeof IndexedBook>

export const IndexedPerson = Type.Object({
  id: Type.Integer(),
  first: Type.String(),
  last: Type.String(),
  slug: NullableString,
  nationality: Type.Optional(Type.Integer()),
  about: Type.Optional(Type.String()),
  /**
   * The numbers of audiobooks written, e-books written and audiobooks read, as on the person's page. Left out if the
   * index has all of them.
   */
  counts: Type.Optional(
    // Not a tuple: OpenAPI's linters don't know them.
    Type.Unsafe<[number, number, number]>({
      type: 'array',
      items: { type: 'integer' },
      minItems: 3,
      maxItems: 3,
    }),
  ),
})
export type IndexedPerson = Static<typeof IndexedPerson>

export const IndexedSeries = Type.Object({
  id: Type.Integer(),
  slug: Slug,
  title: Type.String(),
  /** The number of titles, as in the series’ summary. */
  titles: Type.Integer(),
  last: NullableInteger,
  works: Type.Array(
    Type.Object({
      number: NullableString,
      title: Type.String(),
      storyPlace: Type.Integer(),
      comesOut: NullableString,
      chapterSeconds: Type.Array(Type.Number()),
      audioBookId: NullableInteger,
      eBookId: NullableInteger,
    }),
  ),
})
export type IndexedSeries = Static<typeof IndexedSeries>

/** The fields of a journal page that its card lacks. */
export const IndexedText = Type.Object({
  id: Type.Integer(),
  main: Type.String(),
  access: Access,
  audioFile: NullableString,
  audioSeconds: NullableNumber,
  videoLink: NullableString,
  link: NullableString,
  linkTitle: NullableString,
  metaDescription: NullableString,
  metaKeywords: NullableString,
  ...Type.Pick(Discussion, [
    'endsAt',
    'place',
    'placeNote',
    'admission',
    'goodToKnow',
    'seats',
    'backgroundColour',
    'containerColour',
    'textColour',
    'parts',
  ]).properties,
  /** Ids of audiobooks. */
  books: ids,
})
export type IndexedText = Static<typeof IndexedText>

const memberOf = <M extends TSchema>(list: { reply: { properties: { 'hydra:member': { items: M } } } }) =>
  list.reply.properties['hydra:member'].items

export const CatalogueIndex = Type.Object({
  /** `CATALOGUE_INDEX.version` of the server's release. */
  version: Type.Integer(),
  /** False if the shop has more titles than the index. */
  complete: Type.Boolean(),
  /** The parts of the shop that the index covers. */
  audiobooks: Type.Boolean(),
  eBooks: Type.Boolean(),
  journal: Type.Boolean(),
  /** Newest first. */
  books: Type.Array(IndexedBook),
  people: Type.Array(IndexedPerson),
  /** Sorted by title. */
  series: Type.Array(IndexedSeries),
  tags: Type.Array(Type.Object({ id: Type.Integer(), title: Type.String() })),
  styles: Type.Array(memberOf(listStyles)),
  categories: Type.Array(Category),
  locations: Type.Array(memberOf(listLocations)),
  nationalities: Type.Array(memberOf(listNationalities)),
  publishers: Type.Array(memberOf(listPublishers)),
  types: Type.Array(MurmurationType),
  /** Newest first. */
  articles: Type.Array(Type.Union([ArticleCard, InterviewCard, DiscussionCard])),
  texts: Type.Array(IndexedText),
})
export type CatalogueIndex = Static<typeof CatalogueIndex>

/**
 * The data that a device uses without a network (limits: `CATALOGUE_INDEX` in limits.ts). Contains nothing personal.
 */
export const getCatalogueIndex = endpoint({
  method: 'GET',
  path: '/api/catalogue_index',
  summary: 'The catalogue for devices without a network',
  access: 'public',
  reply: CatalogueIndex,
})
