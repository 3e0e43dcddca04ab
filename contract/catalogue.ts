import Type, { type Static } from 'typebox'
import {
  CalendarDate,
  embedded,
  Ids,
  NullableInteger,
  NullableNumber,
  NullableString,
  nullable,
  paging,
  Pounds,
  Slug,
} from './atoms.ts'
import { endpoint, publicIn } from './endpoint.ts'
import { collection, item } from './hydra.ts'
import { PAGE_SIZE } from './limits.ts'
import { Person } from './people.ts'
import { SeriesPlace } from './series-place.ts'

export const Style = embedded('Style', { id: Type.Integer(), title: Type.String() })
export const Category = embedded('Category', {
  id: Type.Integer(),
  name: Type.String(),
  visible: Type.Boolean(),
  weight: Type.Integer(),
})
export const Location = embedded('Location', { id: Type.Integer(), title: Type.String() })
export const Nationality = embedded('Nationality', { id: Type.Integer(), title: Type.String() })
export const PublisherLink = embedded('Publisher', { id: Type.Integer(), name: Type.String(), slug: Slug })

/** The same title in the other format, shown as the second line of a card and of a book's page. */
export const Counterpart = embedded('Counterpart', {
  slug: Slug,
  price: Pounds,
  subscriptionPrice: Pounds,
  pages: NullableInteger,
  lengthHours: NullableInteger,
  lengthMin: NullableInteger,
})
export type Counterpart = Static<typeof Counterpart>

/**
 * The fields of a card; a full book has them too (ENT-39).
 *
 * `cover330` and `cover900` are WebP URLs; with the ending `.avif` they are AVIF, and with another ending in place
 * of `-330.webp` they are 600 px wide (`-600.webp`, `-600.avif`) or the crop without type for sizes below 96 px
 * (`-thumb.webp`). `cover` is a JPEG for clients without WebP.
 * `coverPlaceholder` is 4×4 average colours, 96 hex digits. `price` is the cover price, `subscriptionPrice` the
 * member's price. `geoBlocked` refers to the visitor's country.
 */
const cardFields = {
  id: Type.Integer(),
  slug: Slug,
  title: Type.String(),
  cover: Type.String(),
  cover330: Type.String(),
  cover900: Type.String(),
  coverAlt: Type.String(),
  coverPlaceholder: NullableString,
  price: Pounds,
  subscriptionPrice: Pounds,
  /** Null without a discount code (OP-77). */
  discountPrice: NullableNumber,
  /** Whether it is on sale; `geoBlocked` says whether that applies to the visitor's country. */
  published: Type.Boolean(),
  geoBlocked: Type.Boolean(),
  inLibrary: Type.Boolean(),
  edition: Type.Boolean(),
  secondEdition: Type.Boolean(),
  currentlyHighlighted: Type.Boolean(),
  moveToLibrary: Type.Boolean(),
  availableAsCard: Type.Boolean(),
  /** Both formats are sold, and the sentences of one are found in the other. */
  inStep: Type.Boolean(),
  bookBackgroundColour: NullableString,
  containerBackgroundColour: NullableString,
  textColour: NullableString,
  lengthHours: NullableInteger,
  lengthMin: NullableInteger,
  pages: NullableInteger,
  /** URL of the free sample; null without one. */
  sample: NullableString,
  /** Measured length of the sample; null if unknown. */
  sampleSeconds: NullableNumber,
  style: nullable(Style),
  category: nullable(Category),
  publisher: nullable(PublisherLink),
  authors: Type.Array(Person),
  narrators: Type.Array(Person),
  /** Cards show the first one. */
  series: Type.Array(SeriesPlace),
  /** What one of the shop's booksellers says about it. */
  bookseller: Type.Optional(Type.Object({ words: Type.String(), name: Type.String() })),
  /** The first sentence of its description, as plain text; only in lists by author or narrator. */
  about: Type.Optional(Type.String()),
}

export const AudioBookCard = embedded('AudioBook', { entityType: Type.Literal('audioBook'), ...cardFields })
export const EBookCard = embedded('EBook', { entityType: Type.Literal('eBook'), ...cardFields })
export type AudioBookCard = Static<typeof AudioBookCard>
export type EBookCard = Static<typeof EBookCard>
export type BookCard = AudioBookCard | EBookCard

/**
 * A chapter with sound, for owners only. `url` is signed and valid for hours; if it is refused, fetch the book again.
 * `playtime` is measured, in seconds.
 */
export const AudioFile = Type.Object({
  url: Type.String(),
  chapterTitle: Type.String(),
  chapterOrderNumber: Type.Integer({ minimum: 1 }),
  playtime: Type.Number({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String(),
})
export type AudioFile = Static<typeof AudioFile>

/** The public data of a chapter: its number, name and length in seconds. */
export const ChapterOutline = Type.Object({
  chapterTitle: Type.String(),
  chapterOrderNumber: Type.Integer({ minimum: 1 }),
  playtime: Type.Number({ minimum: 0 }),
})

export const EditorialLink = Type.Object({
  slug: Slug,
  title: Type.String(),
  shortDescription: Type.String(),
  image: NullableString,
  altText: Type.String(),
})
export type EditorialLink = Static<typeof EditorialLink>

const bookFields = {
  ...cardFields,
  /** A signed URL of an audiobook's zip or an e-book's file, for owners; null without one. */
  download: NullableString,
  hideDownload: Type.Boolean(),
  sampleText: NullableString,
  /** The release date of an announced title; null for any other. */
  preorder: nullable(CalendarDate),
  /** No longer sold; owners keep it. */
  retired: Type.Boolean(),
  /** True for demo titles whose only sound is the sample. */
  sampleOnly: Type.Boolean(),
  /** Sanitised HTML. */
  summary: Type.String(),
  violence: Type.Boolean(),
  publisherBookLink: NullableString,
  publisherBookName: NullableString,
  metaDescription: NullableString,
  metaKeywords: NullableString,
  firstPublished: nullable(CalendarDate),
  language: nullable(Type.Object({ title: Type.String() })),
  translator: nullable(Person),
  locations: Type.Array(Location),
  tags: Type.Array(Type.Object({ title: Type.String() })),
  /** Owner only; empty for others, and for an owner while the files are not ready. */
  audioFiles: Type.Array(AudioFile),
  chapters: Type.Array(ChapterOutline),
  spiSIN: NullableString,
  audioBook: nullable(Counterpart),
  eBook: nullable(Counterpart),
  relatedArticles: Type.Array(EditorialLink),
  relatedInterviews: Type.Array(EditorialLink),
  relatedDiscussions: Type.Array(EditorialLink),
}

/** Whether `in_step/sample.vtt` has the sentences of the sample. */
const listeningFields = { inStepSample: Type.Boolean() }
export const AudioBook = item('AudioBook', {
  entityType: Type.Literal('audioBook'),
  ...bookFields,
  ...listeningFields,
})
/** Accessibility as sentences, and in the publisher's own words; empty and null if unknown. */
const readingFields = { accessibility: Type.Array(Type.String()), accessibilitySummary: NullableString }
export const EBook = item('EBook', { entityType: Type.Literal('eBook'), ...bookFields, ...readingFields })
export type AudioBook = Static<typeof AudioBook>
export type EBook = Static<typeof EBook>
export type Book = AudioBook | EBook

const filters = {
  ...paging(PAGE_SIZE.collection),
  'styles[]': Type.Optional(Ids),
  'categories[]': Type.Optional(Ids),
  'locations[]': Type.Optional(Ids),
  'publishers[]': Type.Optional(Ids),
  'nationalities[]': Type.Optional(Ids),
  'series[]': Type.Optional(Ids),
  /** Ids of people. */
  'authors[]': Type.Optional(Ids),
  'narrators[]': Type.Optional(Ids),
  'lengthHours[gte]': Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  'lengthHours[lte]': Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  'pages[gte]': Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
  spiSIN: Type.Optional(Type.String({ maxLength: 13 })),
  availableAsCard: Type.Optional(Type.Boolean()),
  /** `/editions` and the themed pages: exactly the titles with this mark. */
  edition: Type.Optional(Type.Boolean()),
  memoir: Type.Optional(Type.Boolean()),
  writersDilemma: Type.Optional(Type.Boolean()),
  inStep: Type.Optional(Type.Boolean()),
}
const BookQuery = Type.Object(filters)
export type BookQuery = Static<typeof BookQuery>

const BySlug = Type.Object({ slug: Type.String({ maxLength: 160 }) })

/** Newest first. An unknown style gives an empty page, not an error. */
export const listAudioBooks = endpoint({
  method: 'GET',
  path: '/api/audio_books',
  summary: 'Audiobooks, newest first',
  access: 'public',
  query: BookQuery,
  reply: collection(AudioBookCard),
})
export const listEBooks = endpoint({
  method: 'GET',
  path: '/api/e_books',
  summary: 'E-books, newest first',
  ...publicIn('eBooks'),
  query: BookQuery,
  reply: collection(EBookCard),
})

/** 404 for an unknown slug; 403 for a title that the caller may not see (BOOK-15). */
export const getAudioBook = endpoint({
  method: 'GET',
  path: '/api/audio_books/{slug}',
  summary: 'One audiobook',
  access: 'public',
  params: BySlug,
  reply: AudioBook,
})
export const getEBook = endpoint({
  method: 'GET',
  path: '/api/e_books/{slug}',
  summary: 'One e-book',
  access: 'public',
  params: BySlug,
  reply: EBook,
})

const shelf = Type.Object({ ...paging(PAGE_SIZE.collection), 'styles[]': Type.Optional(Ids) })

/** Exactly the books with `currentlyHighlighted` (HOME-06). */
export const listSecondEditions = endpoint({
  method: 'GET',
  path: '/api/audio_books/second_editions',
  summary: 'Current highlights',
  ...publicIn('audiobooks'),
  query: shelf,
  reply: collection(AudioBookCard),
})
/** What it has in common with a title that the caller finished; null without such a title. */
const Shared = Type.Object({
  kind: Type.Enum(['series', 'author', 'narrator', 'tag']),
  name: Type.String(),
  finished: Type.String(),
})
const SuggestedAudioBook = Type.Object({ book: AudioBookCard, shared: nullable(Shared) })
export type SuggestedAudioBook = Static<typeof SuggestedAudioBook>

/** Three highlights and editions that the caller doesn't own, chosen in the shop from what they finished. */
export const listSuggestedAudioBooks = endpoint({
  method: 'GET',
  path: '/api/suggested_audio_books',
  summary: 'Audiobooks to choose from, for the caller',
  access: 'user',
  notInView: true,
  reply: collection(SuggestedAudioBook),
})
export const listLatestAudioBooks = endpoint({
  method: 'GET',
  path: '/api/audio_books/latest',
  summary: 'Newest published audiobooks',
  ...publicIn('audiobooks'),
  query: shelf,
  reply: collection(AudioBookCard),
})
export const listRelatedAudioBooks = endpoint({
  method: 'GET',
  path: '/api/audio_books/{slug}/tag_related',
  summary: 'Audiobooks that share a tag',
  ...publicIn('audiobooks'),
  params: BySlug,
  query: Type.Object(paging(PAGE_SIZE.collection)),
  reply: collection(AudioBookCard),
})
/**
 * Audiobooks that at least ten people chose who finished this one, the most chosen first. Counted once a day; the reply has
 * no numbers and no names. 404 for an unknown book.
 */
export const listChosenByFinishers = endpoint({
  method: 'GET',
  path: '/api/audio_books/{slug}/chosen_by_finishers',
  summary: 'Audiobooks that others who finished it chose',
  access: 'user',
  part: 'audiobooks',
  params: BySlug,
  reply: collection(AudioBookCard),
})
export const listRelatedEBooks = endpoint({
  method: 'GET',
  path: '/api/e_books/{slug}/tag_related',
  summary: 'E-books that share a tag',
  ...publicIn('eBooks'),
  params: BySlug,
  query: Type.Object(paging(PAGE_SIZE.collection)),
  reply: collection(EBookCard),
})
/** Audiobooks featured on the home page, in the owner's order. */
export const listFeaturedAudioBooks = endpoint({
  method: 'GET',
  path: '/api/home_panels_featured_audio_books',
  summary: 'Featured audiobooks',
  ...publicIn('audiobooks'),
  reply: collection(AudioBookCard),
})

const lookup = Type.Object(paging(30))

export const listStyles = endpoint({
  method: 'GET',
  path: '/api/styles',
  summary: 'Styles',
  access: 'public',
  query: lookup,
  reply: collection(Style),
})
const Publisher = {
  id: Type.Integer(),
  name: Type.String(),
  slug: Slug,
  about: NullableString,
  website: NullableString,
}
/** Only `withBooks`: the number of their titles on sale, audiobooks if the shop sells them, and the newest three. */
const theirBooks = {
  titles: Type.Optional(Type.Integer({ minimum: 0 })),
  newest: Type.Optional(Type.Array(Type.Union([AudioBookCard, EBookCard]))),
}
export const listPublishers = endpoint({
  method: 'GET',
  path: '/api/publishers',
  summary: 'Publishers',
  access: 'public',
  query: Type.Object({ ...paging(PAGE_SIZE.publishers), withBooks: Type.Optional(Type.Boolean()) }),
  reply: collection(embedded('Publisher', { ...Publisher, ...theirBooks })),
})
/** By slug, or by id (OP-27). */
export const getPublisher = endpoint({
  method: 'GET',
  path: '/api/publishers/{slug}',
  summary: 'One publisher',
  access: 'public',
  params: BySlug,
  reply: item('Publisher', Publisher),
})
export const listPublisherAudioBooks = endpoint({
  method: 'GET',
  path: '/api/publishers/{slug}/audio_books',
  summary: 'A publisher’s audiobooks',
  ...publicIn('audiobooks'),
  params: BySlug,
  query: Type.Object(paging(PAGE_SIZE.collection)),
  reply: collection(AudioBookCard),
})
export const listCategories = endpoint({
  method: 'GET',
  path: '/api/categories',
  summary: 'Categories',
  access: 'public',
  query: lookup,
  reply: collection(Category),
})
export const listLocations = endpoint({
  method: 'GET',
  path: '/api/locations',
  summary: 'Geographical settings',
  access: 'public',
  query: lookup,
  reply: collection(Location),
})
/** `audioBooks` and `eBooks` are the numbers of titles by authors of each nationality. */
export const listNationalities = endpoint({
  method: 'GET',
  path: '/api/nationalities',
  summary: 'Nationalities of authors',
  access: 'public',
  query: lookup,
  reply: collection(
    embedded('Nationality', {
      id: Type.Integer(),
      title: Type.String(),
      audioBooks: Type.Integer(),
      eBooks: Type.Integer(),
    }),
  ),
})
