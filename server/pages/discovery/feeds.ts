import type { Db } from '../../db/open.ts'
import { calendarFile } from '../../print/calendar-file.ts'
import { selectEventDay, selectFeedItems } from './queries.ts'
import type { BookCard } from '#contract/catalogue.ts'
import { CURRENCY } from '#contract/limits.ts'
import type { OwnersDetails } from '../../settings/owners-details.ts'

const NEWEST = 50
const FEEDS = {
  articles: { kind: 'article', title: 'Articles', words: 'Essays from the shop.' },
  interviews: { kind: 'interview', title: 'Podcasts', words: 'Writers and readers, recorded.' },
} as const
export type FeedName = keyof typeof FEEDS

/** RSS 2.0. Authors are in Dublin Core, because RSS requires their email address. */
export async function rss(db: Db, origin: string, shopName: string, name: FeedName): Promise<string> {
  const { kind, title, words } = FEEDS[name]
  const items = await selectFeedItems(db, kind, NEWEST)
  const newest = items[0]
  const { Feed } = await import('feed')
  const feed = new Feed({
    id: `${origin}/${name}`,
    title: `${title} | ${shopName}`,
    description: words,
    link: `${origin}/${name}`,
    language: 'en-GB',
    copyright: shopName,
    image: `${origin}/icons/icon-512.png`,
    ...(name === 'interviews' ? { podcast: true } : {}),
    feedLinks: { rss: `${origin}/feeds/${name}.xml` },
    ...(newest ? { updated: new Date(newest.published_at) } : {}),
  })
  for (const item of items) {
    const link = `${origin}/${name}/${item.slug}`
    feed.addItem({
      id: link,
      link,
      title: item.title,
      description: item.short_description || item.summary,
      // Never empty, because it also declares the namespace for the authors.
      content: absolute(item.main || item.short_description || item.title, origin),
      date: new Date(item.published_at),
      ...(item.author ? { extensions: [{ name: 'dc:creator', objects: { _text: item.author } }] } : {}),
      ...(item.audio_id && item.audio_extension
        ? {
            audio: {
              url: `${origin}/media/recordings/${item.audio_id}.${item.audio_extension}`,
              type: item.audio_extension === 'm4a' ? 'audio/mp4' : 'audio/mpeg',
              length: item.audio_bytes ?? 0,
              ...(item.audio_ms && name === 'interviews'
                ? { duration: Math.round(item.audio_ms / 1000) }
                : {}),
            },
          }
        : {}),
    })
  }
  return feed.rss2()
}

/** Undefined for an unknown event, or one without a day. */
export async function eventCalendar(
  db: Db,
  origin: string,
  shopName: string,
  slug: string,
): Promise<string | undefined> {
  const event = await selectEventDay(db, slug)
  if (!event) return undefined
  const { id, title, place, place_note, starts_at: startsAt, ends_at: endsAt } = event
  return calendarFile(shopName, {
    id: `event-${id}`,
    title,
    startsAt,
    endsAt,
    place: [place, place_note].filter(Boolean).join('. ') || null,
    url: `${origin}/discussions/${slug}`,
  })
}

/** Feeds are read elsewhere, so addresses within the shop need its origin. */
const absolute = (html: string, origin: string): string =>
  html
    .replaceAll(/(?<=\b(?:href|src)=")\/(?!\/)/g, `${origin}/`)
    .replaceAll(/(?<=[",] ?)\/media\/covers\//g, `${origin}/media/covers/`)

const TYPE = 'application/opds+json'
export const PUBLICATION_TYPE = 'application/opds-publication+json'

export interface OpdsList {
  readonly origin: string
  readonly shopName: string
  readonly path: string
  readonly title: string
  readonly cards: readonly BookCard[]
  readonly total: number
  readonly page: number
  readonly itemsPerPage: number
}

/** The root of the catalogue for reading apps (OPDS 2.0). */
export const opdsHome = (origin: string, details: OwnersDetails) => ({
  metadata: { title: details.name },
  links: [{ rel: 'self', href: `${origin}/opds`, type: TYPE }],
  navigation: [
    ['/opds/audiobooks', 'Audiobooks'],
    ['/opds/ebooks', 'E-books'],
  ].flatMap(([path = '', title]) =>
    details.isOpen(path) ? [{ href: origin + path, title, type: TYPE, rel: 'subsection' }] : [],
  ),
})

export function opdsList({ origin, shopName, path, title, cards, total, page, itemsPerPage }: OpdsList) {
  const at = (number: number) => `${origin}${path}?page=${number}`
  const last = Math.max(1, Math.ceil(total / itemsPerPage))
  return {
    metadata: { title: `${title} | ${shopName}`, numberOfItems: total, itemsPerPage, currentPage: page },
    links: [
      { rel: 'self', href: at(page), type: TYPE },
      { rel: 'first', href: at(1), type: TYPE },
      { rel: 'last', href: at(last), type: TYPE },
      ...(page > 1 ? [{ rel: 'previous', href: at(page - 1), type: TYPE }] : []),
      ...(page < last ? [{ rel: 'next', href: at(page + 1), type: TYPE }] : []),
    ],
    publications: cards.map((card) => opdsPublication(card, origin)),
  }
}

export function opdsPublication(card: BookCard, origin: string) {
  const path = `${card.entityType === 'audioBook' ? 'audiobooks' : 'ebooks'}/${card.slug}`
  const page = `${origin}/${path}`
  const seconds = ((card.lengthHours ?? 0) * 60 + (card.lengthMin ?? 0)) * 60
  const people = (all: BookCard['authors']) => all.map(({ fullName }) => ({ name: fullName }))
  return {
    metadata: {
      '@type': card.entityType === 'audioBook' ? 'http://schema.org/Audiobook' : 'http://schema.org/Book',
      identifier: page,
      title: card.title,
      ...(card.authors.length > 0 ? { author: people(card.authors) } : {}),
      ...(card.narrators.length > 0 ? { narrator: people(card.narrators) } : {}),
      ...(card.publisher ? { publisher: { name: card.publisher.name } } : {}),
      ...seriesIn(card, origin),
      ...(seconds > 0 ? { duration: seconds } : {}),
      ...(card.pages ? { numberOfPages: card.pages } : {}),
    },
    links: [
      { rel: 'self', href: `${origin}/opds/${path}`, type: PUBLICATION_TYPE },
      { rel: 'alternate', href: page, type: 'text/html' },
      {
        // Even a free title needs an account, and `open-access` means without one.
        rel: `http://opds-spec.org/acquisition${card.price === 0 ? '' : '/buy'}`,
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

/** The place in a series as a number, because reading apps sort by it: 3 for “3–4”. */
function seriesIn({ series }: BookCard, origin: string) {
  if (series.length === 0) return {}
  return {
    belongsTo: {
      series: series.map(({ slug, title, number }) => {
        const position = Number.parseFloat(number ?? '')
        return {
          name: title,
          ...(Number.isNaN(position) ? {} : { position }),
          links: [{ href: `${origin}/series/${slug}`, type: 'text/html' }],
        }
      }),
    },
  }
}
