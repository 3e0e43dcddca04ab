import type { Book, BookCard } from '#contract/catalogue.ts'
import type { EditorialItem } from '#contract/editorial.ts'
import type { PersonPage } from '#contract/people.ts'
import type { Series } from '#contract/series.ts'
import { CURRENCY } from '#contract/limits.ts'
import { pathOf } from '#features/catalogue/model.ts'
import { authorOf, kindOf, KIND_WORDS } from '#features/editorial/model.ts'
import { shop } from '#features/shop-details/shop.ts'
import { plainText } from '#contract/calculations/plain-text.ts'
import { useRouter } from '@tanstack/react-router'

export type JsonLd = Readonly<Record<string, unknown>> & { readonly '@type': string }

const person = (name: string) => ({ '@type': 'Person', name })
/** With the address of their page, if they have one. */
const personIn = ({ fullName, slug }: Book['authors'][number], origin: string) => ({
  ...person(fullName),
  ...(slug ? { '@id': `${origin}/people/${slug}`, url: `${origin}/people/${slug}` } : {}),
})
const seller = (origin: string) => ({ '@type': 'BookStore', name: shop().name, url: `${origin}/` })

/** Audiobook or Book with its offer; `duration` as ISO 8601. */
export function bookJsonLd(book: Book, origin: string): JsonLd {
  const url = origin + pathOf(book)
  return {
    '@type': book.entityType === 'audioBook' ? 'Audiobook' : 'Book',
    '@id': url,
    url,
    name: book.title,
    image: origin + book.cover900,
    author: book.authors.map((author) => personIn(author, origin)),
    ...(book.entityType === 'audioBook'
      ? {
          readBy: book.narrators.map((narrator) => personIn(narrator, origin)),
          bookFormat: 'https://schema.org/AudiobookFormat',
          ...(book.lengthHours === null ? {} : { duration: `PT${book.lengthHours}H${book.lengthMin ?? 0}M` }),
        }
      : {
          bookFormat: 'https://schema.org/EBook',
          ...(book.pages ? { numberOfPages: book.pages } : {}),
        }),
    ...(book.translator ? { translator: person(book.translator.fullName) } : {}),
    ...seriesOf(book, origin),
    ...(book.publisher ? { publisher: { '@type': 'Organization', name: book.publisher.name } } : {}),
    ...(book.firstPublished ? { datePublished: book.firstPublished } : {}),
    ...(book.language ? { inLanguage: book.language.title } : {}),
    ...(book.category ? { genre: book.category.name } : {}),
    description: plainText(book.summary).slice(0, 500),
    offers: {
      '@type': 'Offer',
      url,
      price: book.price.toFixed(2),
      priceCurrency: CURRENCY,
      availability: book.published ? 'https://schema.org/InStock' : 'https://schema.org/OutOfStock',
      seller: seller(origin),
    },
  }
}

/** The book's series, with its position in the first of them. */
function seriesOf({ series }: Book, origin: string) {
  const [first] = series
  if (!first) return {}
  const url = (slug: string) => `${origin}/series/${slug}`
  return {
    isPartOf: series.map(({ slug, title }) => ({
      '@type': 'BookSeries',
      '@id': url(slug),
      url: url(slug),
      name: title,
    })),
    ...(first.number === null ? {} : { position: first.number }),
  }
}

export function seriesJsonLd(series: Series, origin: string): JsonLd {
  const url = `${origin}/series/${series.slug}`
  return {
    '@type': 'BookSeries',
    '@id': url,
    url,
    name: series.title,
    ...(series.authors.length > 0
      ? { author: series.authors.map((author) => personIn(author, origin)) }
      : {}),
    hasPart: series.inOrder.flatMap(({ number, audioBook, eBook }) =>
      [audioBook, eBook].flatMap((book) =>
        book
          ? [
              {
                '@type': book.entityType === 'audioBook' ? 'Audiobook' : 'Book',
                '@id': origin + pathOf(book),
                url: origin + pathOf(book),
                name: book.title,
                ...(number === null ? {} : { position: number }),
              },
            ]
          : [],
      ),
    ),
  }
}

export function personJsonLd({ slug, fullName, firstName, lastName }: PersonPage, origin: string): JsonLd {
  const url = `${origin}/people/${slug}`
  return {
    '@type': 'Person',
    '@id': url,
    url,
    name: fullName,
    ...(firstName ? { givenName: firstName, familyName: lastName } : {}),
  }
}

/** An Event if it has a date, otherwise an Article or a PodcastEpisode. */
export function editorialJsonLd(item: EditorialItem, origin: string): JsonLd {
  const url = `${origin}/${kindOf(item)}/${item.slug}`
  const common = {
    '@id': url,
    url,
    description: item.shortDescription || item.summary,
    ...(item.image ? { image: origin + item.image } : {}),
    isAccessibleForFree: !item.memberOnly,
  }
  const author = item.author ? person(authorOf(item)) : seller(origin)
  if (item.entityType === 'discussion' && item.startsAt)
    return {
      '@type': 'Event',
      ...common,
      name: item.title,
      // Midnight means that the time is unknown.
      startDate: item.startsAt.replace('T00:00:00Z', ''),
      eventStatus: 'https://schema.org/EventScheduled',
      ...(item.endsAt ? { endDate: item.endsAt } : {}),
      ...(item.place
        ? {
            eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
            location: { '@type': 'Place', name: item.place, address: item.place },
          }
        : {
            eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
            location: { '@type': 'VirtualLocation', url },
          }),
      organizer: seller(origin),
    }
  return {
    '@type': item.entityType === 'interview' ? 'PodcastEpisode' : 'Article',
    ...common,
    ...(item.entityType === 'interview' ? { name: item.title } : { headline: item.title }),
    ...(item.audioFile && !item.memberOnly
      ? { associatedMedia: recordingOf(item, item.audioFile, origin) }
      : {}),
    datePublished: item.publishedAt,
    author,
    publisher: seller(origin),
  }
}

const recordingOf = (item: EditorialItem, path: string, origin: string) => ({
  '@type': 'AudioObject',
  name: item.title,
  contentUrl: origin + path,
  ...(item.audioSeconds === null ? {} : { duration: `PT${Math.round(item.audioSeconds)}S` }),
})

const breadcrumbs = (steps: readonly { name: string; path: string }[], origin: string): JsonLd => ({
  '@type': 'BreadcrumbList',
  itemListElement: steps.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: origin + path,
  })),
})

export const bookTrail = (book: BookCard, origin: string): JsonLd =>
  breadcrumbs(
    [
      book.entityType === 'audioBook'
        ? { name: 'Audiobooks', path: '/audiobooks' }
        : { name: 'E-books', path: '/ebooks' },
      { name: book.title, path: pathOf(book) },
    ],
    origin,
  )

export const editorialTrail = (item: EditorialItem, origin: string): JsonLd => {
  const kind = kindOf(item)
  return breadcrumbs(
    [
      { name: KIND_WORDS[kind].title, path: `/${kind}` },
      { name: item.title, path: `/${kind}/${item.slug}` },
    ],
    origin,
  )
}

export const shopJsonLd = (origin: string): JsonLd => ({
  ...seller(origin),
  '@id': `${origin}/#shop`,
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${origin}/search-books?keyword={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
})

/**
 * Adds structured data, only to the server's markup: `of` is not called in the browser,
 * where its code is removed. It is rendered in the head, which is not hydrated.
 */
export function useStructuredData(of: ((origin: string) => readonly JsonLd[]) | false): void {
  const { origin, options } = useRouter()
  if (import.meta.env.SSR && of) Object.assign(options.context.answer, { things: of(origin) })
}
