import type { CatalogueIndex, IndexedBook, IndexedPerson, IndexedSeries } from '../catalogue-index.ts'
import type { AudioBook, AudioBookCard, Book, BookCard, EBook, EBookCard } from '../catalogue.ts'
import type { EditorialCard } from '../editorial.ts'

export interface Catalogue extends CatalogueIndex {
  readonly bookBy: ReadonlyMap<number, IndexedBook>
  readonly personBy: ReadonlyMap<number, IndexedPerson>
  readonly seriesBy: ReadonlyMap<number, IndexedSeries>
  readonly articleBy: ReadonlyMap<number, EditorialCard>
  readonly titleOf: {
    readonly tag: (id: number) => string
    readonly location: (id: number) => string
  }
}

const byId = <T extends { readonly id: number }>(all: readonly T[]): ReadonlyMap<number, T> =>
  new Map(all.map((each) => [each.id, each]))

export function openCatalogue(index: CatalogueIndex): Catalogue {
  const [tags, locations] = [byId(index.tags), byId(index.locations)]
  return {
    ...index,
    bookBy: byId(index.books),
    personBy: byId(index.people),
    seriesBy: byId(index.series),
    articleBy: byId(index.articles),
    titleOf: {
      tag: (id) => tags.get(id)?.title ?? '',
      location: (id) => locations.get(id)?.title ?? '',
    },
  }
}

export const cardOf = (catalogue: Catalogue, book: IndexedBook): BookCard =>
  book.eBook
    ? ({
        '@id': `/api/e_books/${book.slug}`,
        '@type': 'EBook',
        entityType: 'eBook',
        ...cardFields(catalogue, book),
      } satisfies EBookCard)
    : ({
        '@id': `/api/audio_books/${book.slug}`,
        '@type': 'AudioBook',
        entityType: 'audioBook',
        ...cardFields(catalogue, book),
      } satisfies AudioBookCard)

/** A book's page from the index, which lacks the sample, the chapters and an owner's fields. */
export function bookOf(catalogue: Catalogue, book: IndexedBook): Book {
  const card = cardOf(catalogue, book)
  const fields = {
    download: null,
    hideDownload: book.noDownload ?? false,
    sampleText: null,
    preorder: book.preorder ?? null,
    retired: false,
    sampleOnly: false,
    summary: book.summary ?? '',
    violence: book.violence ?? false,
    publisherBookLink: null,
    publisherBookName: null,
    metaDescription: null,
    metaKeywords: book.keywords ?? null,
    firstPublished: book.firstPublished ?? null,
    language: book.language === undefined ? null : { title: book.language },
    translator: book.translator === undefined ? null : (personIn(catalogue, book.translator) ?? null),
    locations: (book.locations ?? []).map((id) => ({
      '@id': `/api/locations/${id}`,
      '@type': 'Location' as const,
      id,
      title: catalogue.titleOf.location(id),
    })),
    tags: (book.tags ?? []).map((id) => ({ title: catalogue.titleOf.tag(id) })),
    audioFiles: [],
    chapters: [],
    spiSIN: book.spiSIN ?? null,
    relatedArticles: linksOf(catalogue, book, 'article'),
    relatedInterviews: linksOf(catalogue, book, 'interview'),
    relatedDiscussions: linksOf(catalogue, book, 'discussion'),
  }
  const other = counterpartOf(catalogue, book)
  return card.entityType === 'audioBook'
    ? ({
        '@context': '/api/contexts/AudioBook',
        ...card,
        ...fields,
        inStepSample: false,
        audioBook: null,
        eBook: other,
      } satisfies AudioBook)
    : ({
        '@context': '/api/contexts/EBook',
        ...card,
        ...fields,
        accessibility: [],
        accessibilitySummary: null,
        audioBook: other,
        eBook: null,
      } satisfies EBook)
}

function cardFields(catalogue: Catalogue, book: IndexedBook) {
  const cover = book.cover === undefined ? undefined : `/media/covers/${book.cover.slice(0, 2)}/${book.cover}`
  const [background = null, container = null, text = null] = book.colours ?? []
  const style = catalogue.styles.find(({ id }) => id === book.style)
  const category = catalogue.categories.find(({ id }) => id === book.category)
  const publisher = catalogue.publishers.find(({ id }) => id === book.publisher)
  return {
    id: book.id,
    slug: book.slug,
    title: book.title,
    cover: cover ? `${cover}-900.jpg` : '',
    cover330: cover ? `${cover}-330.webp` : '',
    cover900: cover ? `${cover}-900.webp` : '',
    coverAlt: book.alt ?? '',
    coverPlaceholder: book.placeholder ?? null,
    price: book.price,
    subscriptionPrice: book.member,
    discountPrice: null,
    published: !book.unsold,
    geoBlocked: book.blocked ?? false,
    inLibrary: false,
    edition: book.edition ?? false,
    secondEdition: book.highlighted ?? false,
    currentlyHighlighted: book.highlighted ?? false,
    moveToLibrary: false,
    availableAsCard: book.asCard ?? false,
    inStep: book.inStep ?? false,
    bookBackgroundColour: background,
    containerBackgroundColour: container,
    textColour: text,
    ...lengthOf(book),
    pages: book.pages ?? null,
    sample: null,
    sampleSeconds: null,
    style: style ?? null,
    category: category ?? null,
    publisher: publisher
      ? {
          '@id': publisher['@id'],
          '@type': publisher['@type'],
          id: publisher.id,
          name: publisher.name,
          slug: publisher.slug,
        }
      : null,
    ...(book.bookseller && { bookseller: book.bookseller }),
    authors: (book.authors ?? []).flatMap((id) => personIn(catalogue, id) ?? []),
    narrators: (book.narrators ?? []).flatMap((id) => personIn(catalogue, id) ?? []),
    series: (book.series ?? []).flatMap(({ id, number }) => {
      const named = catalogue.seriesBy.get(id)
      if (!named) return []
      const { slug, title, last } = named
      return [{ '@id': `/api/series/${slug}`, '@type': 'Series' as const, id, slug, title, number, last }]
    }),
  }
}

const lengthOf = ({ minutes }: IndexedBook) => ({
  lengthHours: minutes === undefined ? null : Math.floor(minutes / 60),
  lengthMin: minutes === undefined ? null : minutes % 60,
})

export const fullNameOf = ({ first, last }: IndexedPerson): string => `${first} ${last}`.trim()

function personIn({ personBy }: Catalogue, id: number) {
  const person = personBy.get(id)
  return (
    person && {
      firstName: person.first,
      lastName: person.last,
      fullName: fullNameOf(person),
      slug: person.slug,
    }
  )
}

export function counterpartOf({ bookBy }: Catalogue, book: IndexedBook) {
  const other = book.other === undefined ? undefined : bookBy.get(book.other)
  if (!other) return null
  return {
    '@id': `/api/${other.eBook ? 'e_books' : 'audio_books'}/${other.slug}`,
    '@type': 'Counterpart' as const,
    slug: other.slug,
    price: other.price,
    subscriptionPrice: other.member,
    pages: other.pages ?? null,
    ...lengthOf(other),
  }
}

const linksOf = ({ articleBy }: Catalogue, book: IndexedBook, kind: EditorialCard['entityType']) =>
  (book.articles ?? []).flatMap((id) => {
    const card = articleBy.get(id)
    if (card?.entityType !== kind) return []
    const { slug, title, shortDescription, image, altText } = card
    return [{ slug, title, shortDescription, image, altText }]
  })
