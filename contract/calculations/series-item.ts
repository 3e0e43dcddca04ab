import type { AudioBookCard, BookCard, EBookCard } from '../catalogue.ts'
import type { Series, SeriesSummary } from '../series.ts'

type Summary = Pick<SeriesSummary, 'id' | 'slug' | 'title' | 'titles' | 'last'>

export interface Work {
  readonly number: string | null
  readonly title: string
  readonly storyPlace: number
  readonly comesOut: string | null
  readonly chapterSeconds: readonly number[]
  readonly audioBookId: number | null
  readonly eBookId: number | null
}

export const seriesSummary = ({ id, slug, title, titles, last }: Summary): SeriesSummary => ({
  '@id': `/api/series/${slug}`,
  '@type': 'Series',
  id,
  slug,
  title,
  titles,
  last,
})

/** @param cards the cards of all its books that the reader can see */
export function seriesItem(
  { row, works }: { readonly row: Omit<Summary, 'titles'>; readonly works: readonly Work[] },
  cards: readonly BookCard[],
): Series {
  const cardBy = new Map(cards.map((card) => [card.id, card]))
  const inOrder = works.map(({ audioBookId, eBookId, chapterSeconds, ...work }) => ({
    ...work,
    chapterSeconds: [...chapterSeconds],
    audioBook: cardIn<AudioBookCard>(cardBy, audioBookId),
    eBook: cardIn<EBookCard>(cardBy, eBookId),
  }))
  return {
    '@context': '/api/contexts/Series',
    ...seriesSummary({ ...row, titles: works.length }),
    authors: eachOnce(cards.flatMap(({ authors }) => authors)),
    narrators: eachOnce(cards.flatMap(({ narrators }) => narrators)),
    hasStoryOrder: works.some(({ storyPlace }, index) => storyPlace !== index + 1),
    inOrder,
  }
}

const cardIn = <C extends BookCard>(cards: ReadonlyMap<number, BookCard>, id: number | null): C | null =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the format whose id it is decides which it is
  ((id === null ? undefined : cards.get(id)) as C | undefined) ?? null

const eachOnce = <P extends { readonly fullName: string }>(people: readonly P[]): P[] => [
  ...new Map(people.map((person) => [person.fullName, person])).values(),
]
