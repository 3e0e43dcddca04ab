import type { TitleKey } from '#storage/title-key.ts'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'

interface Shelf {
  /** The titles that can be opened now, offline only downloads. */
  readonly titles: readonly ShelfEntry[]
  /** Started and not finished, last heard first. */
  readonly begun: readonly ShelfEntry[]
}

export interface OfferedTitle {
  readonly entry: ShelfEntry
  readonly heading: string
  readonly words: string
}

/** The audiobook to offer after a finished one: the queue's first, else a started one, else the newest unheard one. */
export function nextTitle(
  after: string,
  queue: readonly TitleKey[],
  { titles, begun }: Shelf,
): OfferedTitle | undefined {
  const isOther = ({ slug, format }: ShelfEntry) => format === 'audioBook' && slug !== after
  const others = titles.filter(isOther)
  const queued = queue.flatMap((key) => others.find((title) => title.key === key) ?? [])[0]
  if (queued) return { entry: queued, heading: 'Next in your queue', words: queued.words }
  const started = begun.find(isOther)
  if (started) return { entry: started, heading: 'Carry on with', words: started.words }
  const unheard = others.find(({ share }) => share === 0)
  const words = unheard?.words ? `${unheard.words}, not started` : 'Not started'
  return unheard && { entry: unheard, heading: 'Next on your shelf', words }
}
