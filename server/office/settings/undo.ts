import { isDeepStrictEqual } from 'node:util'
import type { LogbookValue } from '../../db/schema/logbook.ts'
import type { Undoable } from '../../features/activity/service.ts'
import { planChange, standingFile, writeShopFile } from '../../features/shop-details/change-file.ts'
import { refused } from '../../http/http-errors.ts'

const isFields = (value: unknown): value is Readonly<Record<string, LogbookValue>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Restores the former values of the keys, unless they were changed again. */
export const UNDO_SETTINGS: Undoable = {
  may: 'settings.change',
  async undo(shop, { about, what, before, after }) {
    if (!isFields(before) || !isFields(after)) throw refused('The former settings are not known any more.')
    const { file } = await standingFile(shop)
    const now: Readonly<Record<string, unknown>> = { ...file }
    for (const [key, value] of Object.entries(after))
      if (!isDeepStrictEqual(now[key] ?? null, value))
        throw refused('These settings were changed again since. Undo that first.')
    const { next } = await planChange(shop, { changes: before })
    return {
      kind: 'settings change',
      about,
      what: `Took back: ${what}`,
      before: after,
      after: before,
      carryOut: () => writeShopFile(shop, next),
    }
  },
}
