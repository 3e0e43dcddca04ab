import type { AudioBook, Book, EBook } from '#contract/catalogue.ts'
import type { Series, SeriesTitle } from '#contract/series.ts'
import { openedDownloads } from '#features/downloads/lazy.ts'

/** The downloaded titles of a series, by number; null if there are none. */
export async function seriesOnDevice(slug: string): Promise<Series | null> {
  const holdings = (await openedDownloads())?.holdings() ?? []
  return seriesOf(
    slug,
    holdings.flatMap(({ title }) => (title.kept === 1 && title.page ? [title.page] : [])),
  )
}

/** Pages stored before there were series lack them. */
type Kept<B extends Book> = Omit<B, 'series'> & Partial<Pick<B, 'series'>>

export function seriesOf(slug: string, pages: readonly (Kept<AudioBook> | Kept<EBook>)[]): Series | null {
  const placeIn = ({ series }: Kept<AudioBook> | Kept<EBook>) => series?.find((place) => place.slug === slug)
  const held = pages.filter((page) => placeIn(page) !== undefined)
  const [first] = held
  const place = first && placeIn(first)
  if (!place) return null
  const inOrder = [...new Set(held.map(({ title }) => title))]
    .map((title) => titleOf(held.filter((page) => page.title === title)))
    .toSorted((one, other) => placeOf(one) - placeOf(other))
  return {
    '@context': '/api/contexts/Series',
    '@id': `/api/series/${slug}`,
    '@type': 'Series',
    id: place.id,
    slug,
    title: place.title,
    last: place.last,
    titles: inOrder.length,
    authors: eachOnce(held.flatMap(({ authors }) => authors)),
    narrators: eachOnce(held.flatMap(({ narrators }) => narrators)),
    hasStoryOrder: false,
    inOrder,
  }

  function titleOf(formats: readonly (Kept<AudioBook> | Kept<EBook>)[]): SeriesTitle {
    const audioBook = formats.find((page) => page.entityType === 'audioBook')
    const eBook = formats.find((page) => page.entityType === 'eBook')
    return {
      number: placeIn(formats[0]!)!.number,
      title: formats[0]!.title,
      storyPlace: 1,
      comesOut: null,
      chapterSeconds: audioBook?.chapters.map(({ playtime }) => playtime) ?? [],
      audioBook: audioBook ? { ...audioBook, series: audioBook.series!, inLibrary: true } : null,
      eBook: eBook ? { ...eBook, series: eBook.series!, inLibrary: true } : null,
    }
  }
}

const placeOf = ({ number }: SeriesTitle): number => {
  const place = Number.parseFloat(number ?? '')
  return Number.isNaN(place) ? Number.MAX_VALUE : place
}

const eachOnce = <P extends { readonly fullName: string }>(people: readonly P[]): P[] => [
  ...new Map(people.map((person) => [person.fullName, person])).values(),
]
