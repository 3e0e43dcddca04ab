import { useEffect, useState } from 'react'
import { flush } from '#sync/flush.ts'
import { followHighlights, highlightsOf, putHighlight, removeHighlight } from '#sync/marks.ts'
import type { Highlight } from '#storage/places-db.ts'
import { watchPlaces } from '#storage/places.ts'
import { connectivity } from '#net/connectivity.ts'
import { toast } from '#ui/toast.ts'
import type { Engine } from './engine.ts'
import type { ChosenWords } from './marked-words.ts'
import type { ReadingPosition } from './model.ts'

export interface Highlights {
  readonly list: readonly Highlight[]
  add: (words: ChosenWords, spot: ReadingPosition, note?: string) => void
  write: (highlight: Highlight, note: string) => void
  remove: (highlight: Highlight) => void
}

/**
 * The reader's highlights of one book, drawn in its text; stored at once and sent when the server can be
 * reached.
 */
export function useHighlights(ownerUuid: string, slug: string, engine: Engine | undefined): Highlights {
  const [list, setList] = useState<readonly Highlight[]>([])
  useEffect(() => watchPlaces(ownerUuid, (db) => highlightsOf(db, slug), setList), [ownerUuid, slug])
  useEffect(() => {
    if (connectivity.snapshot() !== 'offline') void followHighlights(ownerUuid, slug).catch(() => undefined)
  }, [ownerUuid, slug])
  useEffect(() => engine?.marks.show(list.map(({ locator }) => locator)), [engine, list])

  const keep = (kept: Promise<unknown>) =>
    void kept.then(
      () => void flush(ownerUuid).catch(() => undefined),
      () => toast('That didn’t save. This device is out of space.'),
    )
  const put = (highlight: Parameters<typeof putHighlight>[1]) => keep(putHighlight(ownerUuid, highlight))
  return {
    list,
    add: ({ locator, quote }, { share, chapter }, note = '') =>
      put({
        ...{ id: crypto.randomUUID(), slug, locator, share, quote, chapter: chapter.slice(0, 300), note },
        madeAtMs: Date.now(),
      }),
    write: (highlight, note) => put({ ...highlight, note }),
    remove(highlight) {
      keep(removeHighlight(ownerUuid, highlight.id))
      // A new id: a removed highlight stays removed on every device.
      const back = () => put({ ...highlight, id: crypto.randomUUID() })
      toast('Highlight removed.', { action: { label: 'Undo', onPress: back } })
    },
  }
}
