import type { DownloadFailure } from '#device/sound-db.ts'

export const FAILURE_WORDS: Record<DownloadFailure, string> = {
  space: 'This device is full. Remove a download and try again.',
  refused: 'This title cannot be downloaded now. Try again later.',
  nothing: 'There is nothing to download yet. Its files are still being made.',
  broken: 'The download did not arrive whole. Try again.',
}
