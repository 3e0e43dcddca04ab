import type { TitleKey } from '#storage/title-key.ts'
import { nextOfSeries } from '#features/library/order.ts'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import type { AtEnd } from '#features/player/settings.ts'

/** A row of the queue with its title, if known on this device. */
interface Queued {
  readonly id: string
  readonly key: TitleKey
}

interface Known {
  readonly owned: ReadonlyMap<TitleKey, ShelfEntry>
  /** The title can be played now: it is stored, or there is a connection. */
  readonly opens: (key: TitleKey) => boolean
}

export interface WhatNext {
  readonly entry: ShelfEntry
  /** "Book 2 of 5", "From your queue". */
  readonly why: string
  /** Its row, if it comes from the queue. */
  readonly row: Queued | undefined
}

/**
 * The title that plays after a book: the next of its series, else the first playable one of the queue, else
 * undefined. `leftOut` are titles that the listener declined.
 */
export function whatNext(
  after: TitleKey,
  {
    owned,
    opens,
    atEnd,
    queue,
    leftOut,
  }: Known & { atEnd: AtEnd; queue: readonly Queued[]; leftOut: ReadonlySet<TitleKey> },
): WhatNext | undefined {
  if (atEnd === 'silence') return undefined
  const next = atEnd === 'series' ? nextOfSeries(after, owned) : undefined
  if (next && opens(next.entry.key) && !leftOut.has(next.entry.key)) {
    const row = queue.find(({ key }) => key === next.entry.key)
    return { ...next, row }
  }
  const row = queue.find(({ key }) => key !== after && owned.has(key) && opens(key))
  const entry = row && owned.get(row.key)
  return entry && { entry, why: 'From your queue', row }
}
