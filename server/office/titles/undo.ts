import type { LogbookEntry } from '../../db/logbook-queries.ts'
import type { Undoable } from '../../features/activity/service.ts'
import { restorePrices, stopPriceChange } from '../../features/catalogue/price-changes.ts'
import { selectPriceChangesAt } from '../../features/catalogue/price-changes-queries.ts'
import { refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { restoreFields } from './fields.ts'
import { restoreStates } from './states.ts'

/** Commands write no values that an undo could read. */
const whyNot = async (_shop: Shop, { before, undoes }: LogbookEntry): Promise<string | null> =>
  undoes !== null
    ? 'This was an undo itself.'
    : before === null || typeof before !== 'object'
      ? 'A command did this: take it back by a command.'
      : null

const taking = (
  what: string,
  carryOut: (shop: Shop, entry: LogbookEntry) => Promise<unknown>,
): Pick<Undoable, 'may' | 'undo'> => ({
  may: 'titles.change',
  undo: async (shop, entry) => ({
    kind: entry.command,
    about: entry.about,
    what,
    before: entry.after,
    after: entry.before,
    carryOut: () => carryOut(shop, entry),
  }),
})

export const undoTitlePrice: Undoable = {
  ...taking('Put the prices back', (shop, { before, after }) => restorePrices(shop.db, before, after)),
  whyNot,
}
export const undoTitleState: Undoable = {
  ...taking('Put the states back', (shop, { before }) => restoreStates(shop, before)),
  whyNot,
}
export const undoTitleEdit: Undoable = {
  ...taking('Put the former values back', (shop, { before, after }) => restoreFields(shop, before, after)),
  whyNot,
}
export const undoTitleSchedule: Undoable = taking('Gave the planned prices up', async (shop, { after }) => {
  if (typeof after !== 'object' || after === null || !('startsAt' in after)) return
  const { startsAt } = after
  if (typeof startsAt !== 'string') return
  const ids = Array.isArray(after.books) ? after.books.map(Number) : []
  const open = await selectPriceChangesAt(shop.db, ids, new Date(startsAt))
  if (open.length === 0) throw refused('These prices are over, or were given up.')
  for (const { id } of open) await stopPriceChange(shop, id)
})
