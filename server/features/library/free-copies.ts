import { and, eq, inArray } from 'drizzle-orm'
import { libraryEntries } from '../../db/schema/library.ts'
import { refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { publish } from '../feed/service.ts'
import { grantTitle } from './service.ts'

interface Copies {
  readonly userId: string
  readonly bookIds: readonly number[]
}

/**
 * For an author or the press; a copy stays in the library like a bought one. Returns how many weren't there.
 *
 * @throws 422 if all of them are
 */
export async function giveCopies(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  { userId, bookIds }: Copies,
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

const givenTo = ({ userId, bookIds }: Copies) =>
  and(
    eq(libraryEntries.userId, userId),
    inArray(libraryEntries.bookId, [...bookIds]),
    eq(libraryEntries.source, 'owner'),
  )

export async function hasCopies({ db }: Pick<Shop, 'db'>, copies: Copies): Promise<boolean> {
  const rows = await db.select({ id: libraryEntries.id }).from(libraryEntries).where(givenTo(copies))
  return rows.length > 0
}

/** A bought title is taken back by a refund. Returns how many were taken. */
export async function takeCopies({ db, clock }: Pick<Shop, 'db' | 'clock'>, copies: Copies): Promise<number> {
  return db.transaction(async (tx) => {
    const taken = await tx.delete(libraryEntries).where(givenTo(copies)).returning({ id: libraryEntries.id })
    await publish(tx, copies.userId, { type: 'library' }, clock.now())
    return taken.length
  })
}
