import type {
  AudioBook,
  AudioBookCard,
  AudioFile,
  Book,
  BookCard,
  EBook,
  EBookCard,
} from '#contract/catalogue.ts'
import { isClaimable } from '../membership/entitlement.ts'
import { memberPrice, pounds } from '../prices/service.ts'
import type { RelatedEditorial } from './related-editorial.ts'
import { categoryItem, locationItem, styleItem } from './lookup-serializers.ts'
import { accessibilitySentences } from './accessibility.ts'
import type { BookRow, CardRow } from './queries.ts'
import { type Countries, isBlockedIn } from '../../auth/country.ts'

/** The same row makes a different card in another country or with a credit to spend. */
export interface Viewer {
  readonly countries: Countries
  readonly hasCredit: boolean
  /** In per cent. */
  readonly memberDiscount?: number
  readonly elsewhere?: boolean
}

/** Signed addresses. */
export interface OwnersPart {
  readonly audioFiles: AudioFile[]
  readonly download: string | null
}

export function bookCard(row: CardRow, viewer: Viewer, inLibrary: boolean): BookCard {
  return row.format === 'audio_book'
    ? audioBookCard(row, viewer, inLibrary)
    : eBookCard(row, viewer, inLibrary)
}

export const audioBookCard = (row: CardRow, viewer: Viewer, inLibrary: boolean): AudioBookCard => ({
  '@id': `/api/audio_books/${row.slug}`,
  '@type': 'AudioBook',
  entityType: 'audioBook',
  ...cardFields(row, viewer, inLibrary),
})

export const eBookCard = (row: CardRow, viewer: Viewer, inLibrary: boolean): EBookCard => ({
  '@id': `/api/e_books/${row.slug}`,
  '@type': 'EBook',
  entityType: 'eBook',
  ...cardFields(row, viewer, inLibrary),
})

export interface Ownership {
  readonly inLibrary: boolean
  /** Null without a session. */
  readonly owned: OwnersPart | null
}

export function bookItem(
  row: BookRow,
  viewer: Viewer,
  sample: string | null,
  { inLibrary, owned }: Ownership,
  related: RelatedEditorial,
  isDemo: boolean,
): Book {
  const sampleOnly =
    isDemo && row.format === 'audio_book' && row.chapters.length === 0 && row.sample_id !== null
  const fields = { ...itemFields(row, sample, sampleOnly, owned), ...related }
  return row.format === 'audio_book'
    ? ({
        '@context': '/api/contexts/AudioBook',
        ...audioBookCard(row, viewer, inLibrary),
        ...fields,
        audioBook: null,
        eBook: counterpart('e_books', row),
      } satisfies AudioBook)
    : ({
        '@context': '/api/contexts/EBook',
        ...eBookCard(row, viewer, inLibrary),
        ...fields,
        accessibility: accessibilitySentences(row.accessibility),
        accessibilitySummary: row.accessibility_summary,
        audioBook: counterpart('audio_books', row),
        eBook: null,
      } satisfies EBook)
}

function cardFields(row: CardRow, viewer: Viewer, inLibrary: boolean) {
  const { countries, hasCredit, memberDiscount, elsewhere = false } = viewer
  const moveToLibrary = hasCredit && !inLibrary && row.sellable === true && isClaimable(row)
  const cover =
    row.cover_id === null ? undefined : `/media/covers/${row.cover_id.slice(0, 2)}/${row.cover_id}`
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    cover: cover ? `${cover}-900.jpg` : '',
    cover330: cover ? `${cover}-330.webp` : '',
    cover900: cover ? `${cover}-900.webp` : '',
    coverAlt: row.cover_alt,
    coverPlaceholder: row.placeholder,
    price: pounds(row.price_minor),
    subscriptionPrice: pounds(memberPrice(row.price_minor, row.member_price_minor, memberDiscount)),
    discountPrice: null,
    published: row.sellable === true,
    // A free book, or one claimed with a credit, is not a sale.
    geoBlocked:
      isBlockedIn(row.blocked_countries, countries) || (elsewhere && row.price_minor > 0 && !moveToLibrary),
    inLibrary,
    edition: row.edition,
    secondEdition: row.second_edition,
    currentlyHighlighted: row.second_edition,
    moveToLibrary,
    availableAsCard: row.available_as_card,
    bookBackgroundColour: row.background_colour,
    containerBackgroundColour: row.container_colour,
    textColour: row.text_colour,
    ...length(row.length_minutes),
    pages: row.pages,
    style:
      row.style_id === null || row.style === null ? null : styleItem({ id: row.style_id, title: row.style }),
    category:
      row.category_id === null || row.category === null
        ? null
        : categoryItem({
            id: row.category_id,
            name: row.category,
            visible: row.category_visible ?? true,
            weight: row.category_weight ?? 0,
          }),
    publisher:
      row.publisher_id === null || row.publisher === null || row.publisher_slug === null
        ? null
        : {
            '@id': `/api/publishers/${row.publisher_slug}`,
            '@type': 'Publisher' as const,
            id: row.publisher_id,
            name: row.publisher,
            slug: row.publisher_slug,
          },
    authors: peopleIn(row, 'author'),
    narrators: peopleIn(row, 'narrator'),
    series: row.series.map(seriesPlace),
  }
}

function itemFields(row: BookRow, sample: string | null, sampleOnly: boolean, owned: OwnersPart | null) {
  return {
    download: owned?.download ?? null,
    // False while a file is still being made.
    hideDownload: row.hide_download || !row.downloadable,
    sample,
    sampleSeconds: sample === null || row.sample_ms === null ? null : row.sample_ms / 1000,
    sampleText: row.published ? row.sample_text : null,
    preorder: row.sellable ? null : row.preorder,
    retired: row.state === 'retired',
    sampleOnly,
    summary: row.summary,
    violence: row.violence,
    publisherBookLink: row.publisher_book_link,
    publisherBookName: row.publisher_book_name,
    metaDescription: row.meta_description,
    metaKeywords: row.meta_keywords,
    firstPublished: row.first_published,
    language: row.language === null ? null : { title: row.language },
    translator: row.translator === null ? null : person(row.translator),
    locations: row.locations.map(locationItem),
    tags: row.tags,
    audioFiles: owned?.audioFiles ?? [],
    chapters: row.chapters.map((chapter) => ({
      chapterTitle: chapter.title,
      chapterOrderNumber: chapter.number,
      playtime: chapter.durationMs / 1000,
    })),
    spiSIN: row.spi_sin,
  }
}

function counterpart(kind: 'audio_books' | 'e_books', { counterpart: other }: BookRow) {
  if (!other) return null
  return {
    '@id': `/api/${kind}/${other.slug}`,
    '@type': 'Counterpart' as const,
    slug: other.slug,
    price: pounds(other.priceMinor),
    pages: other.pages,
    ...length(other.lengthMinutes),
  }
}

const length = (minutes: number | null) => ({
  lengthHours: minutes === null ? null : Math.floor(minutes / 60),
  lengthMin: minutes === null ? null : minutes % 60,
})

const peopleIn = ({ people }: CardRow, role: 'author' | 'narrator') =>
  people.flatMap(([as, ...named]) => (as === role ? [person(named)] : []))

const person = ([firstName, lastName, slug]: readonly [string, string, string | null]) => ({
  firstName,
  lastName,
  fullName: `${firstName} ${lastName}`.trim(),
  slug,
})

const seriesPlace = (place: CardRow['series'][number]) => ({
  '@id': `/api/series/${place.slug}`,
  '@type': 'Series' as const,
  ...place,
})
