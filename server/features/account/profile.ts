import { randomUUID } from 'node:crypto'
import { MESSAGES } from '#contract/messages.ts'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import { forgetReasons } from '../../db/logbook-queries.ts'
import type { Caller } from '../../auth/caller.ts'
import { liveSessionsOf } from '../../auth/live-sessions.ts'
import {
  countOrRefuse,
  type LimitOf,
  refuseOverLimit,
  selectTallies,
} from '../../rate-limiting/rate-limit.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { forgetMailsAbout, forgetMailsTo } from '../../integrations/mail/queries.ts'
import { notFound, outdated, unprocessable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { lockAccount } from '../membership/service.ts'
import { type Closing, closingOf, endingsInWords, recordClosing } from '../membership/account-closing.ts'
import { boughtBy, forgetBuyer } from '../orders/ledger.ts'
import type { Accounts } from './accounts.ts'
import { selectFormerAddresses, selectTracesOfChanges } from './email-address-queries.ts'
import { EXPORTS_OF, PASSWORD_CHANGES, turnOfAccount } from './limits.ts'
import { refuseGuessablePassword } from './password-strength.ts'
import { provesPassword } from './confirm-password.ts'
import { hashPassword } from './passwords.ts'
import {
  anonymiseGifts,
  forgetGiver,
  notifyOfClosing,
  deleteStatementsOf,
  deleteSubscriber,
  deleteUser,
  type ProfileFields,
  selectOwnBookmarks,
  selectOwnHighlightNotes,
  selectOwnHighlights,
  selectOwnEarlierNotes,
  selectOwnLibrary,
  selectOwnPlaces,
  selectOwnReadingPlaces,
  updateProfile,
} from './profile-queries.ts'
import { selectOwnRecords } from './data-export-queries.ts'
import { closeProofs, selectAddressee, selectPendingAddress } from './email-token-queries.ts'
import { replacePasswordHash, revokeSessions, selectUser } from './queries.ts'
import { loggedUser } from './service.ts'

/** @throws 404 for another user's account (API-98) */
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
  noteSecurity(shop, 'profile_changed', { userId: caller.userId, sessionId: caller.sessionId })
  // The country decides what is for sale; the next request must see the new one.
  liveSessionsOf(shop).forget(caller.sessionId)
  return loggedUser(shop, caller)
}

/** An empty field becomes null, except the names, which are required. */
function kept(name: string, value: string): string | null {
  const text = value.trim()
  return text === '' && name !== 'firstName' && name !== 'lastName' ? null : text
}

interface PasswordChange {
  readonly oldPassword: string
  readonly newPassword: string
}

/**
 * Returns a new token for the same session; all other sessions end. Of two concurrent changes one succeeds and the
 * other gets 409: a client must never report success for a password that does not open the account.
 * @throws 422 for a wrong old password or an easy new one, 429 after too many changes
 */
export async function changePassword(
  { shop, access }: Accounts,
  { userId, sessionId }: Caller,
  { oldPassword, newPassword }: PasswordChange,
): Promise<string> {
  const { db, now } = shop
  const owner = await selectUser(db, userId)
  if (!owner) throw notFound()
  await refuseGuessablePassword(newPassword, owner.user, 'newPassword')
  const changes: LimitOf = [PASSWORD_CHANGES, userId]
  refuseOverLimit([changes], await selectTallies(db, [changes]), now())
  const before = owner.user.passwordHash
  if (!(await provesPassword(shop, userId, oldPassword, before)))
    throw unprocessable('oldPassword', 'Invalid credentials.')
  await countOrRefuse(db, ...changes, now())
  const passwordHash = await hashPassword(newPassword, turnOfAccount(userId))
  const ended = await db.transaction(async (tx) => {
    if (!(await replacePasswordHash(tx, userId, { before, after: passwordHash })))
      throw outdated(ACCOUNT_MESSAGES.passwordJustChanged)
    const revoked = await revokeSessions(tx, userId, { keep: sessionId }, now())
    await closeProofs(tx, ['reset', 'change'], userId, now())
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
  noteSecurity(shop, 'password_changed', { userId, sessionId })
  return access.issue({ userId, sessionId })
}

/**
 * Deletes the personal data, keeps the orders without a user, and refunds what a withdrawal from the memberships would
 * refund now. Asks for the password because the token may be stolen or the phone unlocked. A second call finds no
 * session.
 * @throws 422 for a wrong password
 */
export async function deleteAccount(
  shop: Shop,
  userId: string,
  { password, shownMinor }: { readonly password: string; readonly shownMinor?: number | undefined },
): Promise<void> {
  if (!(await provesPassword(shop, userId, password)))
    throw unprocessable('password', ACCOUNT_MESSAGES.wrongPassword)
  await closeAccount(shop, userId, shownMinor)
}

export const previewDeletion = ({ db, clock }: Shop, userId: string): Promise<Closing> =>
  closingOf(db, userId, clock.now())

/**
 * Deletes an account without its password, for the shop's owner.
 *
 * @param shownMinor the refund in pence that the page showed; undefined refunds what is due
 * @throws 409 if the refund is no longer `shownMinor`
 */
export async function closeAccount(shop: Shop, userId: string, shownMinor?: number): Promise<void> {
  const { db, now, clock } = shop
  const ended = await db.transaction(async (tx) => {
    // Excludes concurrent charges, choices of free audiobooks and withdrawals.
    await lockAccount(tx, userId)
    const to = await selectAddressee(tx, { userId })
    if (!to) return []
    const closing = await closingOf(tx, userId, clock.now(), { lock: true })
    if (shownMinor !== undefined && shownMinor !== closing.amountMinor)
      throw outdated(MESSAGES.totalHasChanged)
    await recordClosing(tx, closing, clock.now())
    await forgetBuyer(tx, userId)
    await anonymiseGifts(tx, userId)
    await forgetGiver(tx, userId)
    await forgetReasons(tx, userId)
    await deleteStatementsOf(tx, { userId })
    const { former, proofIds } = await selectTracesOfChanges(tx, userId)
    await forgetMailsAbout(tx, proofIds)
    // An unconfirmed address may belong to another person: that person's emails and newsletter stay.
    for (const email of to.confirmedAt ? [to.email, ...former] : former) {
      await forgetMailsTo(tx, email)
      await deleteSubscriber(tx, email)
      await deleteStatementsOf(tx, { email })
    }
    const revoked = await revokeSessions(tx, userId, {}, now())
    await deleteUser(tx, userId)
    await queueMail(tx, {
      to: to.email,
      kind: 'account_deleted',
      key: `account_deleted:${userId}`,
      data: {
        firstName: to.firstName,
        ended: endingsInWords(shop, closing),
        amountMinor: closing.amountMinor,
      },
    })
    await notifyOfClosing(tx)
    return revoked
  })
  for (const id of ended) liveSessionsOf(shop).forget(id)
  noteSecurity(shop, 'account_deleted', { userId })
}

/**
 * All the shop's data about a user, for the export.
 * @throws 429 after too many exports
 */
export async function ownData({ db, now }: Shop, userId: string) {
  await countOrRefuse(db, EXPORTS_OF, userId, now())
  const row = await selectUser(db, userId)
  if (!row) throw notFound()
  return {
    user: row.user,
    library: await selectOwnLibrary(db, userId),
    places: await selectOwnPlaces(db, userId),
    bookmarks: await selectOwnBookmarks(db, userId),
    earlierNotes: await selectOwnEarlierNotes(db, userId),
    highlights: await selectOwnHighlights(db, userId),
    earlierHighlightNotes: await selectOwnHighlightNotes(db, userId),
    readingPlaces: await selectOwnReadingPlaces(db, userId),
    orderLines: await boughtBy(db, userId),
    pendingEmail: await selectPendingAddress(db, userId, now()),
    formerEmails: await selectFormerAddresses(db, userId),
    records: await selectOwnRecords(db, userId),
    exportedAt: now(),
  }
}
export type OwnData = Awaited<ReturnType<typeof ownData>>
