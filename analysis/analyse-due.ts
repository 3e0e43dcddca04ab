import type { Shop } from '#server/shop.ts'
import { analyseTitle } from './analyse-title.ts'
import { selectTitlesDue, selectTitleToAnalyse } from './queries.ts'

const TITLES_PER_RUN = 20

/** The job: titles that an import brought or changed, newest first. It stops in a chapter and begins it again later. */
export async function analyseDue(
  { db, media, config, log }: Pick<Shop, 'db' | 'media' | 'config' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  for (const slug of await selectTitlesDue(db, TITLES_PER_RUN)) {
    if (signal.aborted) return
    const title = await selectTitleToAnalyse(db, slug)
    if (!title) continue
    try {
      await analyseTitle({ db, media, dataDir: config.dataDir, signal }, title)
    } catch (error) {
      if (signal.aborted) return
      // One failure must not stop the rest; the next run tries it again.
      log.error({ err: error, slug }, 'a title could not be analysed')
    }
  }
}
