import type { DownloadFailure } from '#storage/sound-db.ts'

export const FAILURE_WORDS: Record<DownloadFailure, string> = {
  space: 'This device is full. Make some room and try again.',
  refused: 'This title can’t be downloaded just now. Try again later.',
  broken: 'The download didn’t finish. Try again.',
}

/** Its files are not made yet (BOOK-25). Nothing is kept of such a title; it can be asked for again. */
export class NothingYet extends Error {
  readonly words = 'There’s nothing to download yet. Its files are still being made.'
}
