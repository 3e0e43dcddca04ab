import type { Work } from '#contract/calculations/series-item.ts'
import type { Gap, Member, SeriesRow } from './queries.ts'

type Placed = Pick<Member, 'number' | 'published' | 'story' | 'title'> & {
  readonly firstPublished: string | null
}

/** In order of publication. Pure. */
export function worksOf({ members, gaps }: SeriesRow, isSeen: (member: Member) => boolean): Work[] {
  const works = [...Map.groupBy(members.filter(isSeen), workOf).values()]
  const missing = gaps.filter((gap) => !works.some((formats) => formats.some((book) => isSame(book, gap))))
  const all = [
    ...works.map((formats) => ({ ...formats[0]!, formats, comesOut: formats[0]!.preorder })),
    ...missing.map((gap) => ({ ...gap, formats: [], firstPublished: gap.comesOut })),
  ]
  const inStory = all.toSorted(by(({ story, number }) => story ?? placeOf(number)))
  return all.toSorted(by(({ published, number }) => published ?? placeOf(number))).map((work) => ({
    number: work.number,
    title: work.title,
    storyPlace: inStory.indexOf(work) + 1,
    comesOut: work.comesOut,
    chapterSeconds: work.formats.flatMap(({ chapterMs }) => chapterMs.map((ms) => ms / 1000)),
    audioBookId: idOf(work.formats, 'audio_book'),
    eBookId: idOf(work.formats, 'e_book'),
  }))
}

/** The same for both formats of a title. */
const workOf = ({ bookId, counterpartId }: Member): number => Math.min(bookId, counterpartId ?? bookId)

const idOf = (formats: readonly Member[], format: Member['format']): number | null =>
  formats.find((book) => book.format === format)?.bookId ?? null

/** Whether the shop now has the book of the gap. */
const isSame = (book: Member, gap: Gap): boolean =>
  (gap.number !== null && gap.number === book.number) || gap.title.toLowerCase() === book.title.toLowerCase()

/** 3 for “3–4”. A title without a number comes last. */
function placeOf(number: string | null): number {
  const first = /\d+(?:[.,]\d+)?/.exec(number ?? '')?.[0]
  return first === undefined ? Number.POSITIVE_INFINITY : Number(first.replace(',', '.'))
}

/** Ties are sorted by date, then by title. */
const by = (place: (work: Placed) => number) => (one: Placed, other: Placed) =>
  ascending(place(one), place(other)) ||
  ascending(one.firstPublished ?? '9999', other.firstPublished ?? '9999') ||
  one.title.localeCompare(other.title, 'en')

const ascending = <T extends number | string>(one: T, other: T): number =>
  one < other ? -1 : one > other ? 1 : 0
