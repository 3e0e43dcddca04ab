import type { BookCard } from '#contract/catalogue.ts'
import type { LibraryEntry } from '#contract/library.ts'
import type { OwnBook, OwnTitle } from './places-db.ts'
import { titleKey } from './title-key.ts'

export interface OwnTitles {
  readonly titles: readonly OwnTitle[]
  /** True if all titles are stored here, not only those of pages that were shown. */
  readonly whole: boolean
}

export interface LibraryPage {
  'hydra:totalItems': number
  'hydra:member': LibraryEntry[]
}

export function isNews({ titles, whole }: OwnTitles, first: LibraryPage): boolean {
  if (!whole || titles.length !== first['hydra:totalItems']) return true
  const known = new Map(titles.map((title) => [title.key, title]))
  return first['hydra:member']
    .flatMap(ownTitle)
    .some((title) => JSON.stringify(title) !== JSON.stringify(known.get(title.key)))
}

export function ownTitle({
  addedAt,
  audioBook,
  eBook,
  chapterSeconds,
  chapterTitles,
}: LibraryEntry): OwnTitle[] {
  const card = audioBook ?? eBook
  if (!card) return []
  const key = titleKey(card.entityType === 'eBook' ? 'ebook' : 'audio', card.slug)
  return [{ key, addedAtMs: Date.parse(addedAt), book: ownBook(card), chapterSeconds, chapterTitles }]
}

/** Leaves out prices and availability, which would be outdated. */
export const ownBook = ({
  entityType,
  slug,
  title,
  authors,
  narrators,
  series,
  cover330,
  cover900,
  coverPlaceholder,
  bookBackgroundColour,
  containerBackgroundColour,
  textColour,
  lengthHours,
  lengthMin,
  pages,
}: BookCard): OwnBook => ({
  ...{ entityType, slug, title, authors, narrators, series, cover330, cover900, coverPlaceholder },
  ...{ bookBackgroundColour, containerBackgroundColour, textColour, lengthHours, lengthMin, pages },
})
