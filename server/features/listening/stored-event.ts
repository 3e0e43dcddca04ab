import type { Stored } from './place-batch-queries.ts'
import type { Place } from './place-order.ts'

export interface StoredEvent {
  readonly slug: string
  readonly bookTime: Stored
  readonly chapterTime: Stored
  readonly otherPlace: Place | null
  readonly isNewBook: boolean
  readonly isNewChapter: boolean
}
