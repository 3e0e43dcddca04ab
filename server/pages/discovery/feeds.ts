import type { Db } from '../../db/open.ts'
import { selectFeedItems } from './queries.ts'

const NEWEST = 50
const FEEDS = {
  articles: { kind: 'article', title: 'Articles', words: 'Essays from the shop.' },
  interviews: { kind: 'interview', title: 'Podcasts', words: 'Writers and readers, recorded.' },
} as const
export type FeedName = keyof typeof FEEDS

/**
 * RSS 2.0 with full articles and interviews; a recording that is open to everyone is an enclosure. Authors are in
 * Dublin Core, because RSS requires their email address.
 */
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

/** Feeds are read elsewhere, so addresses within the shop need its origin. */
const absolute = (html: string, origin: string): string =>
  html
    .replaceAll(/(?<=\b(?:href|src)=")\/(?!\/)/g, `${origin}/`)
    .replaceAll(/(?<=[",] ?)\/media\/covers\//g, `${origin}/media/covers/`)
