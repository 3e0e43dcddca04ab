import { titleOf } from './catalogue/words.ts'
import { hiddenIn, hiddenInNames } from './hidden-characters.ts'
import { ImportRefused } from './refused.ts'
import type { BookFile } from './book-file.ts'
import type { DesiredPublisher } from '#server/features/catalogue/vocabulary-queries.ts'
import {
  type Described,
  layOver,
  type FoundEbook,
  type FoundSound,
  type FoundTitle,
  type SoundTags,
} from './found.ts'
import { type PersonName, personOf, publisherOf, wholeName } from '#server/features/catalogue/names.ts'
import { publicationDate, languageOf, personNames } from './plan-fields.ts'
import { richText } from '#server/features/catalogue/rich-text.ts'
import { type FoundSeries, type GivenSeries, givenSeries } from '#server/features/catalogue/series-names.ts'

export interface Said {
  readonly title: string
  readonly shortTitle: string
  readonly authors: readonly PersonName[]
  readonly narrators: readonly PersonName[]
  readonly translator: PersonName | undefined
  readonly publisher: DesiredPublisher | undefined
  readonly series: readonly GivenSeries[]
  readonly summary: string
  readonly firstPublished: string | null
  readonly language: string | null
  readonly tags: readonly string[]
  /** From the folder names, because no other source had them. */
  readonly guessed: readonly string[]
}

/** In order of precedence: `book.json`, other files of the folder, tags of the sound, EPUB, folder names. */
export function saidOf(found: FoundTitle, first: FoundSound | undefined, epub: FoundEbook | undefined): Said {
  const { book = {}, beside = {}, placed = { title: found.folder.replaceAll('_', ' ').trim() } } = found
  const sound = first ? ofTags(first.tags) : {}
  // The e-book's description is usually longer than the one in tags.
  const told = layOver(epub ?? {}, sound, { description: epub?.description }, beside)
  const isOwn: Record<Guess, boolean> = {
    title: book.title !== undefined,
    authors: book.authors !== undefined,
    narrators: book.audiobook?.narrators !== undefined || !first,
    published: book.firstPublished !== undefined,
  }
  const lacking = GUESSES.filter(
    (field) => !isOwn[field] && told[field] === undefined && placed[field]?.length,
  )
  const all = layOver(Object.fromEntries(lacking.map((field) => [field, placed[field]])), told)
  const { series, fromFolder } = seriesOf(book, placed, told.series)

  const shortTitle = book.title ?? all.title ?? found.folder
  for (const [what, text] of [
    ['title', shortTitle],
    ['subtitle', all.subtitle ?? ''],
  ] as const) {
    const hidden = hiddenIn(what, text)
    if (hidden !== undefined) throw new ImportRefused(hidden)
  }
  const translator = book.translator ?? (all.translator && personOf(all.translator))
  const named = {
    authors: book.authors?.map(wholeName) ?? personNames(all.authors),
    narrators: book.audiobook?.narrators?.map(wholeName) ?? personNames(all.narrators),
    translator: translator ? wholeName(translator) : undefined,
    publisher: book.publisher ?? publisherOf(all.publisher),
    series,
  }
  const hidden = hiddenInNames({ ...named, publisher: named.publisher?.name })
  if (hidden !== undefined) throw new ImportRefused(hidden)
  return {
    ...named,
    title: book.title ?? titleOf(shortTitle, all.subtitle ?? ''),
    shortTitle,
    summary: richText(book.summary ?? all.description ?? ''),
    firstPublished: book.firstPublished ?? publicationDate(all.published),
    language: book.language ?? languageOf(all.language),
    tags: [...new Set(book.tags ?? all.tags)].sort(),
    guessed: [...lacking.map((field) => GUESS_WORDS[field]), ...fromFolder],
  }
}

type Guess = 'title' | 'authors' | 'narrators' | 'published'
const GUESS_WORDS: Record<Guess, string> = {
  title: 'title',
  authors: 'author',
  narrators: 'narrator',
  published: 'year',
}
const GUESSES = ['title', 'authors', 'narrators', 'published'] as const satisfies readonly Guess[]

const ofTags = ({ album, artists, year, ...tags }: SoundTags): Described => ({
  title: album,
  authors: artists,
  narrators: tags.narrators,
  publisher: tags.publisher,
  published: year ? String(year) : undefined,
  description: tags.description,
  series: tags.series,
})

/** A missing number is taken from the folder name if it has the same series. */
function seriesOf(
  book: BookFile,
  placed: Described,
  told: readonly FoundSeries[] = [],
): { series: GivenSeries[]; fromFolder: string[] } {
  if (book.series) return { series: givenSeries(book.series), fromFolder: [] }
  const [folder] = givenSeries(placed.series ?? [])
  const named = givenSeries(told)
  if (named.length === 0 && folder)
    return { series: [folder], fromFolder: ['series', ...(folder.number === null ? [] : ['number'])] }
  const lacks = ({ slug, number }: GivenSeries) => number === null && slug === folder?.slug
  if (!folder?.number || !named.some(lacks)) return { series: named, fromFolder: [] }
  return {
    series: named.map((each) => (lacks(each) ? { ...each, number: folder.number } : each)),
    fromFolder: ['number in the series'],
  }
}
