import type { AudioBookCard, BookCard, EBookCard } from '#contract/catalogue.ts'
import type { Series, SeriesSummary } from '#contract/series.ts'
import type { Work } from './order.ts'
import type { SeriesRow, SummaryRow } from './rows.ts'

export const seriesSummary = ({ id, slug, title, titles, last }: SummaryRow): SeriesSummary => ({
  '@id': `/api/series/${slug}`,
  '@type': 'Series',
  id,
  slug,
  title,
  titles,
  last,
})

/** @param cards of all its books that the reader sees */
export function seriesItem(
  { row, works }: { readonly row: SeriesRow; readonly works: readonly Work[] },
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
