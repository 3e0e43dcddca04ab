import type { BookCard } from '#contract/catalogue.ts'
import type { LibraryEntry } from '#contract/library.ts'
import type { OwnBook, OwnTitle } from './places-db.ts'
import { titleKey } from './title-key.ts'

/** The account's titles as this device knows them, newest first. */
export interface OwnTitles {
  readonly titles: readonly OwnTitle[]
  /** Every one of them was taken in here; not only those of which somebody saw the page. */
  readonly whole: boolean
}

export interface LibraryPage {
  'hydra:totalItems': number
  'hydra:member': LibraryEntry[]
}

/** Whether the server's first page says anything that is not known here. */
export function isNews({ titles, whole }: OwnTitles, first: LibraryPage): boolean {
  if (!whole || titles.length !== first['hydra:totalItems']) return true
  const known = new Map(titles.map((title) => [title.key, title]))
  return first['hydra:member']
    .flatMap(ownTitle)
    .some((title) => JSON.stringify(title) !== JSON.stringify(known.get(title.key)))
}

export function ownTitle({ addedAt, audioBook, eBook, chapterSeconds }: LibraryEntry): OwnTitle[] {
  const card = audioBook ?? eBook
  if (!card) return []
  const key = titleKey(card.entityType === 'eBook' ? 'ebook' : 'audio', card.slug)
  return [{ key, addedAtMs: Date.parse(addedAt), book: ownBook(card), chapterSeconds }]
}

/** Prices and what is sold today are left out: they would be of yesterday. */
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
