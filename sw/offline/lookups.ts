import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { cardOf, type Catalogue, fullNameOf } from '#contract/calculations/indexed-catalogue.ts'
import { seriesItem, seriesSummary } from '#contract/calculations/series-item.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import type { Answers } from './answer.ts'

type Paging = Parameters<typeof pageOf>[0]

export const LOOKUP_ANSWERS: Answers<
  | 'GET /api/styles'
  | 'GET /api/categories'
  | 'GET /api/locations'
  | 'GET /api/nationalities'
  | 'GET /api/publishers'
  | 'GET /api/publishers/{slug}'
  | 'GET /api/people/{slug}'
  | 'GET /api/series'
  | 'GET /api/series/{slug}'
> = {
  'GET /api/styles': ({ catalogue, ...asked }) => page('Style', asked, catalogue.styles),
  'GET /api/categories': ({ catalogue, ...asked }) => page('Category', asked, catalogue.categories),
  'GET /api/locations': ({ catalogue, ...asked }) => page('Location', asked, catalogue.locations),
  'GET /api/nationalities': ({ catalogue, ...asked }) => page('Nationality', asked, catalogue.nationalities),
  'GET /api/publishers': ({ catalogue, ...asked }) =>
    page(
      'Publisher',
      asked,
      asked.query.withBooks ? catalogue.publishers.map(withBooksIn(catalogue)) : catalogue.publishers,
      PAGE_SIZE.publishers,
    ),
  'GET /api/publishers/{slug}': ({ catalogue, params }) => {
    const publisher =
      catalogue.publishers.find(({ slug }) => slug === params.slug) ??
      catalogue.publishers.find(({ id }) => String(id) === params.slug)
    return publisher && { '@context': '/api/contexts/Publisher', ...publisher }
  },
  'GET /api/people/{slug}': ({ catalogue, params }) => personPage(catalogue, params.slug),
  'GET /api/series': ({ catalogue, ...asked }) =>
    page('Series', asked, catalogue.series.map(seriesSummary), PAGE_SIZE.publishers),
  'GET /api/series/{slug}': ({ catalogue, params }) => {
    const series = catalogue.series.find(({ slug }) => slug === params.slug)
    if (!series) return undefined
    const bookIds = series.works.flatMap(({ audioBookId, eBookId }) =>
      [audioBookId, eBookId].filter((id) => id !== null),
    )
    const books = bookIds.flatMap((id) => catalogue.bookBy.get(id) ?? [])
    // Don't answer with part of a series: the missing titles would look as if they weren't for sale.
    if (bookIds.length === 0 || books.length < bookIds.length) return undefined
    return seriesItem(
      { row: series, works: series.works },
      books.map((book) => cardOf(catalogue, book)),
    )
  },
}

function page<M>(
  type: string,
  { query, url }: { readonly query: Paging; readonly url: string },
  all: readonly M[],
  usual = 30,
) {
  const paging = pageOf(query, usual)
  const from = (paging.page - 1) * paging.itemsPerPage
  return hydraList({
    type,
    url,
    members: all.slice(from, from + paging.itemsPerPage),
    total: all.length,
    ...paging,
  })
}

const withBooksIn = (catalogue: Catalogue) => (publisher: Catalogue['publishers'][number]) => {
  const theirs = catalogue.books.filter(
    (book) => !book.eBook === catalogue.audiobooks && book.publisher === publisher.id,
  )
  const newest = theirs.slice(0, 3).map((book) => cardOf(catalogue, book))
  return { ...publisher, titles: theirs.length, newest }
}

function personPage(catalogue: Catalogue, slug: string) {
  const person = catalogue.people.find((each) => each.slug === slug)
  if (!person) return undefined
  const [writtenAudioBooks, writtenEBooks, readAudioBooks] = person.counts ?? countsIn(catalogue, person.id)
  return {
    '@context': '/api/contexts/Person',
    '@id': `/api/people/${slug}`,
    '@type': 'Person' as const,
    id: person.id,
    slug,
    firstName: person.first,
    lastName: person.last,
    fullName: fullNameOf(person),
    about: person.about ?? null,
    nationality: catalogue.nationalities.find(({ id }) => id === person.nationality)?.title ?? null,
    writtenAudioBooks,
    writtenEBooks,
    readAudioBooks,
  }
}

function countsIn({ books }: Catalogue, id: number): readonly [number, number, number] {
  const wrote = books.filter(({ authors }) => authors?.includes(id))
  return [
    wrote.filter(({ eBook }) => !eBook).length,
    wrote.filter(({ eBook }) => eBook).length,
    books.filter(({ eBook, narrators }) => !eBook && narrators?.includes(id)).length,
  ]
}
