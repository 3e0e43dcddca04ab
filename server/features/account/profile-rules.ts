import { randomUUID } from 'node:crypto'
import type { Caller } from '../../guards/caller.ts'
import { liveSessionsOf } from '../../guards/live-sessions.ts'
import {
  countHit,
  countOrRefuse,
  forgetHits,
  type LimitOf,
  refuseOverLimit,
  selectTallies,
} from '../../guards/rate-limit.ts'
import { queueMail } from '../../outside/mail/queue.ts'
import { forgetMailsTo } from '../../outside/mail/rows.ts'
import { notFound, unprocessable } from '../../refusals.ts'
import type { Shop } from '../../shop.ts'
import { EXPORTS_OF, WRONG_PASSWORDS } from './limits.ts'
import { inHashingQueue } from './hashing.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import {
  anonymiseOrders,
  deleteSubscriber,
  deleteUser,
  type ProfileFields,
  selectOwnLibrary,
  selectOwnOrderLines,
  selectOwnPlaces,
  selectOwnReadingPlaces,
  selectPasswordHash,
  updateProfile,
} from './profile-rows.ts'
import { closeProofs, selectAddressee } from './proof-rows.ts'
import { revokeSessions, selectUser, updatePasswordHash } from './rows.ts'
import { type Accounts, loggedUser } from './rules.ts'

/** Somebody else's account is not there (API-98). */
export function refuseOthers(caller: Caller, id: string): void {
  if (caller.userId !== id.toLowerCase()) throw notFound()
}

export async function changeProfile(shop: Shop, caller: Caller, fields: ProfileFields) {
  const trimmed = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? kept(name, value) : value,
    ]),
  )
  await updateProfile(shop.db, caller.userId, trimmed)
  // The country decides what is sold: the next call already sees it.
  liveSessionsOf(shop).forget(caller.sessionId)
  return loggedUser(shop, caller.userId)
}

/** What was emptied is nothing, but for the names, which nobody can be without. */
function kept(name: string, value: string): string | null {
  const text = value.trim()
  return text === '' && name !== 'firstName' && name !== 'lastName' ? null : text
}

interface PasswordChange {
  readonly oldPassword: string
  readonly newPassword: string
}

/** Answers a new token of the same session; all others end. */
export async function changePassword(
  { shop, access }: Accounts,
  { userId, sessionId }: Caller,
  { oldPassword, newPassword }: PasswordChange,
): Promise<string> {
  const { db, now } = shop
  const limit: LimitOf = [WRONG_PASSWORDS, `change of ${userId}`]
  refuseOverLimit([limit], await selectTallies(db, [limit]), now())
  const current = await selectPasswordHash(db, userId)
  const matches = await inHashingQueue((hash) => passwordMatches(hash, current ?? null, oldPassword))
  if (!matches) {
    await countHit(db, ...limit, now())
    throw unprocessable('oldPassword', 'Invalid credentials.')
  }
  await forgetHits(db, ...limit)
  const passwordHash = await hashPassword(newPassword)
  const ended = await db.transaction(async (tx) => {
    await updatePasswordHash(tx, userId, passwordHash)
    const revoked = await revokeSessions(tx, userId, sessionId, now())
    await closeProofs(tx, 'reset', userId, now())
    const to = await selectAddressee(tx, { userId })
    if (to)
      await queueMail(tx, {
        to: to.email,
        kind: 'password_changed',
        key: `password_changed:${randomUUID()}`,
        data: { firstName: to.firstName },
      })
    return revoked
  })
  for (const id of ended) liveSessionsOf(shop).forget(id)
  return access.issue({ userId, sessionId })
}

/** Erases the person; the orders stay, of nobody. A second call finds no session any more. */
export async function deleteAccount(shop: Shop, userId: string): Promise<void> {
  const { db, now } = shop
  const ended = await db.transaction(async (tx) => {
    const to = await selectAddressee(tx, { userId })
    if (!to) return []
    await anonymiseOrders(tx, userId)
    await forgetMailsTo(tx, to.email)
    await deleteSubscriber(tx, to.email)
    const revoked = await revokeSessions(tx, userId, null, now())
    await deleteUser(tx, userId)
    await queueMail(tx, {
      to: to.email,
      kind: 'account_deleted',
      key: `account_deleted:${userId}`,
      data: { firstName: to.firstName },
    })
    return revoked
  })
  for (const id of ended) liveSessionsOf(shop).forget(id)
}

/** Everything the shop keeps about a person, as rows. */
export async function ownData({ db, now }: Shop, userId: string) {
  await countOrRefuse(db, EXPORTS_OF, userId, now())
  const row = await selectUser(db, userId)
  if (!row) throw notFound()
  return {
    user: row.user,
    library: await selectOwnLibrary(db, userId),
    places: await selectOwnPlaces(db, userId),
    readingPlaces: await selectOwnReadingPlaces(db, userId),
    orderLines: await selectOwnOrderLines(db, userId),
    exportedAt: now(),
  }
}
export type OwnData = Awaited<ReturnType<typeof ownData>>
