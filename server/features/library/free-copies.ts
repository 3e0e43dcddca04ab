import { refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { publish } from '../feed/service.ts'
import { deleteFreeCopies, type FreeCopies, selectFreeCopies } from './queries.ts'
import { grantTitle } from './service.ts'

/**
 * For an author or the press; a copy stays in the library like a bought one. Returns how many weren't there.
 *
 * @throws 422 if all of them are
 */
export async function giveCopies(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  { userId, bookIds }: FreeCopies,
): Promise<number> {
  return db.transaction(async (tx) => {
    let given = 0
    for (const bookId of bookIds)
      if (await grantTitle(tx, { userId, bookId, source: 'owner', addedAt: clock.now() })) given += 1
    if (given === 0) throw refused('It is in their library already.')
    await publish(tx, userId, { type: 'library' }, clock.now())
    return given
  })
}

export async function hasCopies({ db }: Pick<Shop, 'db'>, copies: FreeCopies): Promise<boolean> {
  return (await selectFreeCopies(db, copies)).length > 0
}

/** A bought title is taken back by a refund. Returns how many were taken. */
export async function takeCopies(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  copies: FreeCopies,
): Promise<number> {
  return db.transaction(async (tx) => {
    const taken = await deleteFreeCopies(tx, copies)
    await publish(tx, copies.userId, { type: 'library' }, clock.now())
    return taken
  })
}
