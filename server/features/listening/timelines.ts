import { LRUCache } from 'lru-cache'
import { atMost } from '../../lru.ts'
import { inBatches } from '../../http/in-batches.ts'
import type { Shop } from '../../shop.ts'
import { selectTimelines } from './queries.ts'
import type { ChapterOffsets } from './timeline.ts'

const KEPT_AT_MOST = 5_000

/**
 * Cached until the catalogue changes. Null, which is not cached, for a slug without an audiobook: so a new title is
 * found immediately.
 */
export function timelinesOf({ db, answers }: Shop): (slug: string) => Promise<ChapterOffsets | null> {
  const kept = new LRUCache<string, ChapterOffsets>(atMost(KEPT_AT_MOST))
  let generation = answers.generation
  const load = inBatches<string, ChapterOffsets | null>(
    async (slugs) => {
      const found = new Map((await selectTimelines(db, slugs)).map((timeline) => [timeline.slug, timeline]))
      return slugs.map((slug) => found.get(slug) ?? null)
    },
    { most: 200, waitingAtMost: 10_000 },
  )

  return async (slug) => {
    if (generation !== answers.generation) {
      kept.clear()
      generation = answers.generation
    }
    const known = kept.get(slug)
    if (known) return known
    const asked = generation
    const timeline = await load(slug)
    if (timeline && asked === answers.generation) kept.set(slug, timeline)
    return timeline
  }
}
