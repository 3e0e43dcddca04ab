import { Feed } from 'feed'
import { PRODUCT } from '#contract/limits.ts'
import type { Db } from '../../db/open.ts'
import { selectFeedItems } from './rows.ts'

const NEWEST = 50
const FEEDS = {
  articles: { kind: 'article', title: 'Articles', words: 'Essays from the shop.' },
  interviews: { kind: 'interview', title: 'Podcasts', words: 'Writers and readers, recorded.' },
} as const
export type FeedName = keyof typeof FEEDS

/** RSS 2.0 of what was written or recorded; a recording that anybody may hear comes as an enclosure. */
export async function rss(db: Db, origin: string, name: FeedName): Promise<string> {
  const { kind, title, words } = FEEDS[name]
  const items = await selectFeedItems(db, kind, NEWEST)
  const newest = items[0]
  const feed = new Feed({
    id: `${origin}/${name}`,
    title: `${title} | ${PRODUCT}`,
    description: words,
    link: `${origin}/${name}`,
    language: 'en-GB',
    copyright: PRODUCT,
    feedLinks: { rss: `${origin}/feeds/${name}.xml` },
    ...(newest ? { updated: new Date(newest.published_at) } : {}),
  })
  for (const item of items) {
    const link = `${origin}/${name}/${item.slug}`
    feed.addItem({
      id: link,
      link,
      title: item.title,
      description: item.short_description,
      date: new Date(item.published_at),
      ...(item.author ? { author: [{ name: item.author }] } : {}),
      ...(item.audio_id && item.audio_extension
        ? {
            audio: {
              url: `${origin}/media/recordings/${item.audio_id}.${item.audio_extension}`,
              type: 'audio/mpeg',
              length: item.audio_bytes ?? 0,
            },
          }
        : {}),
    })
  }
  return feed.rss2()
}
