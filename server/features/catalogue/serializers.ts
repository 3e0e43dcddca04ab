import type {
  AudioBook,
  AudioBookCard,
  AudioFile,
  Book,
  BookCard,
  EBook,
  EBookCard,
  EditorialLink,
} from '#contract/catalogue.ts'
import { sampleAddress } from '../media/signed-addresses.ts'
import { isClaimable } from '../membership/entitlement.ts'
import { memberPrice, pounds } from '../prices/pricing.ts'
import type {
  BookRow,
  CardRow,
  CounterpartRow,
  LinkRow,
  CategoryRow,
  NationalityRow,
  PublisherRow,
  TitledRow,
} from './queries.ts'
import { type Countries, isBlockedIn } from '../../auth/country.ts'

export interface Viewer {
  readonly countries: Countries
  readonly hasCredit: boolean
  /** In per cent. */
  readonly memberDiscount?: number
  readonly elsewhere?: boolean
}

export interface OwnersPart {
  readonly audioFiles: AudioFile[]
  readonly download: string | null
}

export function bookCard(row: CardRow, viewer: Viewer, inLibrary: boolean): BookCard {
  return row.format === 'audio_book'
    ? audioBookCard(row, viewer, inLibrary)
    : eBookCard(row, viewer, inLibrary)
}

const audioBookCard = (row: CardRow, viewer: Viewer, inLibrary: boolean): AudioBookCard => ({
  '@id': `/api/audio_books/${row.slug}`,
  '@type': 'AudioBook',
  entityType: 'audioBook',
  ...cardFields(row, viewer, inLibrary),
})

const eBookCard = (row: CardRow, viewer: Viewer, inLibrary: boolean): EBookCard => ({
  '@id': `/api/e_books/${row.slug}`,
  '@type': 'EBook',
  entityType: 'eBook',
  ...cardFields(row, viewer, inLibrary),
})

interface Ownership {
  readonly inLibrary: boolean
  readonly owned: OwnersPart | null
}

export function bookItem(
  row: BookRow,
  viewer: Viewer,
  { inLibrary, owned }: Ownership,
  related: RelatedEditorial,
  isDemo: boolean,
): Book {
  const sampleOnly =
    isDemo && row.format === 'audio_book' && row.chapters.length === 0 && row.sample_id !== null
  const fields = { ...itemFields(row, sampleOnly, owned), ...related }
  return row.format === 'audio_book'
    ? ({
        '@context': '/api/contexts/AudioBook',
        ...audioBookCard(row, viewer, inLibrary),
        ...fields,
        inStepSample: row.in_step && row.in_step_sample,
        audioBook: null,
        eBook: row.counterpart && counterpart('e_books', row.counterpart, viewer),
      } satisfies AudioBook)
    : ({
        '@context': '/api/contexts/EBook',
        ...eBookCard(row, viewer, inLibrary),
        ...fields,
        accessibility: accessibilitySentences(row.accessibility),
        accessibilitySummary: row.accessibility_summary,
        audioBook: row.counterpart && counterpart('audio_books', row.counterpart, viewer),
        eBook: null,
      } satisfies EBook)
}

function cardFields(row: CardRow, viewer: Viewer, inLibrary: boolean) {
  const { countries, hasCredit, memberDiscount, elsewhere = false } = viewer
  const moveToLibrary = hasCredit && !inLibrary && row.sellable === true && isClaimable(row)
  const sample = sampleOf(row)
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
    inStep: row.in_step,
    bookBackgroundColour: row.background_colour,
    containerBackgroundColour: row.container_colour,
    textColour: row.text_colour,
    ...length(row.length_minutes),
    pages: row.pages,
    sample,
    sampleSeconds: sample === null || row.sample_ms === null ? null : row.sample_ms / 1000,
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
    ...(row.bookseller_words && {
      bookseller: { words: row.bookseller_words, name: row.bookseller_name ?? '' },
    }),
  }
}

function sampleOf(row: CardRow): string | null {
  if (!row.published || row.sellable === null) return null
  if (row.sample_id === null || row.sample_extension === null) return null
  return sampleAddress(row.id, row.sample_id, row.sample_extension)
}

function itemFields(row: BookRow, sampleOnly: boolean, owned: OwnersPart | null) {
  return {
    download: owned?.download ?? null,
    // False while a file is still being made.
    hideDownload: row.hide_download || !row.downloadable,
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

export const counterpart = (
  kind: 'audio_books' | 'e_books',
  other: CounterpartRow,
  { memberDiscount }: Pick<Viewer, 'memberDiscount'>,
) => ({
  '@id': `/api/${kind}/${other.slug}`,
  '@type': 'Counterpart' as const,
  slug: other.slug,
  price: pounds(other.priceMinor),
  subscriptionPrice: pounds(memberPrice(other.priceMinor, other.memberPriceMinor, memberDiscount)),
  pages: other.pages,
  ...length(other.lengthMinutes),
})

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

export interface RelatedEditorial {
  readonly relatedArticles: EditorialLink[]
  readonly relatedInterviews: EditorialLink[]
  readonly relatedDiscussions: EditorialLink[]
}

export const pictureAddress = (id: string | null): string | null =>
  id === null ? null : `/media/covers/${id.slice(0, 2)}/${id}-900.webp`

export const linkView = (row: LinkRow): EditorialLink => ({
  slug: row.slug,
  title: row.title,
  shortDescription: row.short_description,
  image: pictureAddress(row.picture_id),
  altText: row.alt_text,
})

const SENTENCES: Readonly<Record<string, string>> = {
  'sufficient:textual': 'A screen reader or a braille display can read all of it.',
  'feature:displayTransformability': 'Type, spacing and colours can be changed.',
  'feature:alternativeText': 'Its pictures are described.',
  'feature:longDescription': 'Its charts and drawings are described at length.',
  'feature:tableOfContents': 'It has a table of contents.',
  'feature:structuralNavigation': 'One can go through it by its headings.',
  'feature:index': 'Its index leads to the pages.',
  'feature:pageNavigation': 'It has the page numbers of the printed book.',
  'feature:readingOrder': 'It is read in the order that makes sense.',
  'feature:synchronizedAudioText': 'Its text and its recording go together.',
  'feature:MathML': 'Its formulas can be read aloud.',
  'feature:highContrastDisplay': 'Its text stands out strongly from the page.',
  'feature:ttsMarkup': 'It says how difficult words are spoken.',
  'feature:unlocked': 'No reading aid is locked out.',
  'hazard:flashing': 'Careful: something in it flashes.',
  'hazard:motionSimulation': 'Careful: something in it moves as if you moved.',
  'hazard:sound': 'Careful: sounds in it may be startling.',
  'hazard:none': 'Nothing in it flashes, moves or sounds suddenly.',
}

/** Synonyms from older and newer vocabularies. */
const SAME: Readonly<Record<string, string>> = {
  'feature:printPageNumbers': 'feature:pageNavigation',
  'feature:pageBreakMarkers': 'feature:pageNavigation',
  'feature:describedMath': 'feature:MathML',
  'feature:latex': 'feature:MathML',
}
const NO_HAZARDS = ['hazard:noFlashingHazard', 'hazard:noMotionSimulationHazard', 'hazard:noSoundHazard']

/** Facts without a sentence are left out. */
export function accessibilitySentences(codes: readonly string[]): string[] {
  const said = new Set(codes.map((code) => SAME[code] ?? code))
  if (NO_HAZARDS.every((code) => said.has(code))) said.add('hazard:none')
  // The book consists of text only.
  if (said.has('mode:textual') && [...said].filter((code) => code.startsWith('mode:')).length === 1)
    said.add('sufficient:textual')
  return Object.entries(SENTENCES).flatMap(([code, sentence]) => (said.has(code) ? [sentence] : []))
}

export const styleItem = ({ id, title }: TitledRow) => ({
  '@id': `/api/styles/${id}`,
  '@type': 'Style' as const,
  id,
  title,
})

export const locationItem = ({ id, title }: TitledRow) => ({
  '@id': `/api/locations/${id}`,
  '@type': 'Location' as const,
  id,
  title,
})

export const categoryItem = ({ id, name, visible, weight }: CategoryRow) => ({
  '@id': `/api/categories/${id}`,
  '@type': 'Category' as const,
  id,
  name,
  visible,
  weight,
})

export const nationalityItem = ({ id, title, audio_books: audioBooks, e_books: eBooks }: NationalityRow) => ({
  '@id': `/api/nationalities/${id}`,
  '@type': 'Nationality' as const,
  id,
  title,
  audioBooks,
  eBooks,
})

export const publisherItem = ({ id, name, slug, about, website }: PublisherRow) => ({
  '@id': `/api/publishers/${slug}`,
  '@type': 'Publisher' as const,
  id,
  name,
  slug,
  about,
  website,
})
