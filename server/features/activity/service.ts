import type { Permission } from '#contract/office/permissions.ts'
import type { StaffCaller } from '../../auth/staff.ts'
import { insertEntry, type LogbookEntry, noteOutcome } from '../../db/logbook-queries.ts'
import type { LogbookValue } from '../../db/schema/logbook.ts'
import type { Shop } from '../../shop.ts'

/** Something that a member of staff does. Nothing is changed before `carryOut`. */
export interface Act<Result> {
  /** As the owner's command for it is called: `orders refund`. */
  readonly kind: string
  /** The thing, as in the logbook: `order M-100012`. */
  readonly about: string
  readonly userId?: string | null
  /** One sentence in the past tense, without personal data: `Refunded £9.99`. */
  readonly what: string
  readonly because?: string
  /** What was there, and what is there now: shown in the log, and read by the undo. */
  readonly before?: LogbookValue
  readonly after?: LogbookValue
  readonly undoes?: number
  readonly carryOut: () => Promise<Result>
}

/** Writes who and why into the activity log, then does it. The entry's number is what can be undone. */
export async function act<Result>(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  staff: { readonly staffId: string | null; readonly name: string },
  { kind, about, userId = null, what, because = '', before, after, undoes, carryOut }: Act<Result>,
): Promise<{ readonly entry: number; readonly result: Result }> {
  const entry = await insertEntry(db, {
    at: now(),
    by: staff.name,
    staffId: staff.staffId,
    command: kind,
    about,
    userId,
    what,
    because: because.trim(),
    before,
    after,
    undoes,
  })
  try {
    const result = await carryOut()
    await noteOutcome(db, entry, 'done')
    return { entry, result }
  } catch (error) {
    await noteOutcome(db, entry, 'failed')
    throw error
  }
}

/** How acts of one kind are undone. `server/office/undoable-acts.ts` lists them all. */
export interface Undoable {
  /** The permission that is needed to undo it. */
  readonly may: Permission
  /** Asks for the passkey, as the act did. */
  readonly fresh?: true
  /** Why this one can't be undone, such as “The money has left.”; null if it can. */
  readonly whyNot?: (shop: Shop, entry: LogbookEntry) => Promise<string | null>
  /** The act that takes it back. */
  readonly undo: (shop: Shop, entry: LogbookEntry, staff: StaffCaller) => Promise<Act<unknown>>
}
