import type { Stored } from './place-batch-queries.ts'
import type { Place } from './place-order.ts'

/** The places that an event left behind. */
export interface StoredEvent {
  readonly slug: string
  /** The resume point that stands now. */
  readonly bookTime: Stored
  /** The time that stands for the event's chapter. */
  readonly chapterTime: Stored
  readonly otherPlace: Place | null
  readonly isNewBook: boolean
  readonly isNewChapter: boolean
}
