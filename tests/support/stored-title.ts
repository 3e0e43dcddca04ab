import type { StoredTitle } from '#storage/sound-db.ts'

/** A title in the device's database without files, neither downloaded nor requested. */
export const aStoredTitle = (more: Partial<StoredTitle> = {}): StoredTitle => ({
  key: 'audio/salt',
  title: 'The Salt Ledger',
  authors: [],
  narrators: [],
  cover: null,
  coverType: '',
  colours: [null, null, null],
  files: [],
  kept: 0,
  wanted: 0,
  failure: null,
  lost: 0,
  addedAtMs: 1,
  finishedAtMs: null,
  ...more,
})
