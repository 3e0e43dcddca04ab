import { roleMay } from '#contract/office/permissions.ts'
import { isFresh, type StaffCaller } from '../../auth/staff.ts'
import type { LogbookEntry } from '../../db/logbook-queries.ts'
import type { LogbookValue } from '../../db/schema/logbook.ts'
import { confirmAgain, forbidden, notFound, refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { act, type Undoable } from '../../features/activity/service.ts'
import { claimUndo, releaseUndo, selectEntry, selectUndone } from './queries.ts'

export type UndoTable = Readonly<Record<string, Undoable>>

export interface ShownEntry {
  readonly entry: LogbookEntry
  readonly canUndo: boolean
  readonly whyNot: string | null
  readonly undone: { readonly by: string; readonly at: Date } | null
}

export async function withUndo(
  shop: Shop,
  table: UndoTable,
  entries: readonly LogbookEntry[],
  caller: Pick<StaffCaller, 'role'>,
): Promise<ShownEntry[]> {
  const undone = await selectUndone(
    shop.db,
    entries.map(({ id }) => id),
  )
  return Promise.all(
    entries.map(async (entry) => {
      const by = undone.get(entry.id) ?? null
      const undoable = table[entry.command]
      if (by || !undoable || entry.outcome !== 'done' || !roleMay(caller.role, undoable.may))
        return { entry, canUndo: false, whyNot: null, undone: by }
      const whyNot = await whyNotOf(shop, undoable, entry)
      return { entry, canUndo: whyNot === null, whyNot, undone: null }
    }),
  )
}

/** An entry whose `before` was erased with a closed account has nothing left to go back to. */
const whyNotOf = async (shop: Shop, { whyNot }: Undoable, entry: LogbookEntry): Promise<string | null> =>
  (await whyNot?.(shop, entry)) ?? null

/**
 * Takes back one act, as an act of its own.
 *
 * @throws 404, 403 for a role that may not do it, 422 if it can't be undone
 */
export async function undoEntry(
  shop: Shop,
  table: UndoTable,
  caller: StaffCaller,
  id: number,
): Promise<{ entry: number; what: string; about: string }> {
  const entry = await selectEntry(shop.db, id)
  if (!entry) throw notFound()
  const undoable = table[entry.command]
  if (!undoable) throw refused('This can’t be undone.')
  if (!roleMay(caller.role, undoable.may)) throw forbidden('Your role can’t do this.')
  if (undoable.fresh && !isFresh(caller, shop.now())) throw confirmAgain()
  if (entry.outcome !== 'done') throw refused('This was never done, so there is nothing to undo.')
  const whyNot = await whyNotOf(shop, undoable, entry)
  if (whyNot !== null) throw refused(whyNot)
  if (!(await claimUndo(shop.db, id))) throw refused('This was undone already.')
  try {
    const taking = await undoable.undo(shop, entry, caller)
    const done = await act(shop, caller, { ...taking, undoes: id })
    return { entry: done.entry, what: taking.what, about: taking.about }
  } catch (error) {
    await releaseUndo(shop.db, id)
    throw error
  }
}

/** For the log's lines: plain text, or a list of fields. */
export function valueWords(value: LogbookValue | undefined): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([field, each]) => `${field}: ${valueWords(each) ?? 'nothing'}`)
    .join(', ')
}
