import type { LogbookEntry } from '../../db/logbook-queries.ts'
import type { Shop } from '../../shop.ts'
import type { Undoable } from '../activity/service.ts'
import { selectDocument } from './queries.ts'
import { nameIn, putBackDocument, scheduleDocument, takeBackPublication } from './service.ts'

const documentOf = (shop: Shop, { about }: LogbookEntry) => {
  const { kind, key } = nameIn(about)
  return selectDocument(shop.db, kind, key)
}

export const publication: Undoable = {
  may: 'pages.change',
  async whyNot(shop, entry) {
    const row = await documentOf(shop, entry)
    if (!row || row.binnedAt) return 'It is in the bin.'
    return row.savedAt && row.savedAt.getTime() - entry.at.getTime() > PUBLISHING_MS
      ? 'It was changed since. Restore the older version from its history.'
      : null
  },
  undo: async (shop, { about }, staff) => ({
    kind: 'content take-back',
    about,
    what: 'Took the publication back',
    carryOut: () => takeBackPublication(shop, staff, nameIn(about)),
  }),
}

/** The entry is written just before the document. */
const PUBLISHING_MS = 10_000

export const schedule: Undoable = {
  may: 'pages.change',
  async whyNot(shop, entry) {
    const row = await documentOf(shop, entry)
    return (row?.publishAt?.toISOString() ?? null) === entry.after
      ? null
      : 'Its time was changed since, or is past.'
  },
  async undo(shop, { about, before }, staff) {
    const name = nameIn(about)
    const at = typeof before === 'string' ? new Date(before) : null
    return {
      kind: 'content schedule',
      about,
      what: 'Took the time back',
      carryOut: () => scheduleDocument(shop, staff, name, { at, words: '' }),
    }
  },
}

export const retirement: Undoable = {
  may: 'pages.change',
  async whyNot(shop, entry) {
    return (await documentOf(shop, entry))?.binnedAt ? null : 'It is no longer in the bin.'
  },
  undo: async (shop, { about }, staff) => ({
    kind: 'content put-back',
    about,
    what: 'Put it back from the bin',
    carryOut: () => putBackDocument(shop, staff, nameIn(about)),
  }),
}
