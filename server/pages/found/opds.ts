import type { BookCard } from '#contract/catalogue.ts'
import { CURRENCY, PRODUCT } from '#contract/limits.ts'

const TYPE = 'application/opds+json'

export interface OpdsList {
  readonly origin: string
  readonly path: string
  readonly title: string
  readonly cards: readonly BookCard[]
  readonly total: number
  readonly page: number
  readonly itemsPerPage: number
}

/** The door of the catalogue for reading apps (OPDS 2.0). */
export const opdsHome = (origin: string) => ({
  metadata: { title: PRODUCT },
  links: [{ rel: 'self', href: `${origin}/opds`, type: TYPE }],
  navigation: [
    { href: `${origin}/opds/audiobooks`, title: 'Audiobooks', type: TYPE, rel: 'subsection' },
    { href: `${origin}/opds/ebooks`, title: 'E-books', type: TYPE, rel: 'subsection' },
  ],
})

/** One page of one format, with what each title costs and where it is sold. */
export function opdsList({ origin, path, title, cards, total, page, itemsPerPage }: OpdsList) {
  const at = (number: number) => `${origin}${path}?page=${number}`
  const last = Math.max(1, Math.ceil(total / itemsPerPage))
  return {
    metadata: { title: `${title} | ${PRODUCT}`, numberOfItems: total, itemsPerPage, currentPage: page },
    links: [
      { rel: 'self', href: at(page), type: TYPE },
      { rel: 'first', href: at(1), type: TYPE },
      { rel: 'last', href: at(last), type: TYPE },
      ...(page > 1 ? [{ rel: 'previous', href: at(page - 1), type: TYPE }] : []),
      ...(page < last ? [{ rel: 'next', href: at(page + 1), type: TYPE }] : []),
    ],
    publications: cards.map((card) => publication(card, origin)),
  }
}

function publication(card: BookCard, origin: string) {
  const page = `${origin}/${card.entityType === 'audioBook' ? 'audiobooks' : 'ebooks'}/${card.slug}`
  return {
    metadata: {
      '@type': card.entityType === 'audioBook' ? 'http://schema.org/Audiobook' : 'http://schema.org/Book',
      identifier: page,
      title: card.title,
      author: card.authors.map(({ fullName }) => ({ name: fullName })),
      ...(card.narrators.length > 0
        ? { narrator: card.narrators.map(({ fullName }) => ({ name: fullName })) }
        : {}),
      ...(card.publisher ? { publisher: { name: card.publisher.name } } : {}),
      ...(card.lengthHours === null
        ? {}
        : { duration: (card.lengthHours * 60 + (card.lengthMin ?? 0)) * 60 }),
      ...(card.pages ? { numberOfPages: card.pages } : {}),
    },
    links: [
      { rel: 'alternate', href: page, type: 'text/html' },
      {
        rel:
          card.price === 0
            ? 'http://opds-spec.org/acquisition/open-access'
            : 'http://opds-spec.org/acquisition/buy',
        href: page,
        type: 'text/html',
        properties: { price: { value: card.price, currency: CURRENCY } },
      },
    ],
    images: [
      { href: origin + card.cover, type: 'image/jpeg', width: 900 },
      { href: origin + card.cover330, type: 'image/webp', width: 330 },
    ],
  }
}
