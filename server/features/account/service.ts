import { DAY_MS } from '#contract/durations.ts'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import type { Caller } from '../../auth/access.ts'
import { notSignedIn, notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { cartIdOf } from '../bag/guest-bag.ts'
import { feedToken } from '../feed/tokens.ts'
import { usableCardOf } from '../membership/saved-cards.ts'
import { benefitsOf, paysForOthers } from '../membership/service.ts'
import { selectPendingAddress } from './email-queries.ts'
import {
  revokeSessions,
  selectUser,
  type ProfileFields,
  updateListeningShown,
  updateProfile,
  type UserRow,
} from './queries.ts'
import { liveSessionsOf } from '../../auth/live-sessions.ts'
import { noteSecurity } from '../../auth/security-log.ts'

export const logOutEverywhere = async (tx: Db, userId: string, now: RealTime): Promise<void> => {
  await revokeSessions(tx, userId, {}, now)
}

export async function loggedUser(shop: Shop, { userId, sessionId }: Caller) {
  const { db, now, clock } = shop
  const [row, benefits, cartId, feed, paysSomeone, pendingEmail, savedCard] = await Promise.all([
    selectUser(db, userId),
    benefitsOf(db, userId, clock.now()),
    cartIdOf(db, userId),
    feedToken(shop, { userId, sessionId }),
    paysForOthers(db, userId),
    selectPendingAddress(db, userId, now()),
    usableCardOf(shop, userId),
  ])
  // Authentication found the account a moment ago, so it was deleted since then.
  if (!row) throw notSignedIn('Invalid JWT Token')
  return {
    row,
    benefits,
    cartId,
    feed,
    paysSomeone,
    pendingEmail,
    savedCard,
    listeningShownUntil: shownUntil(row, now()),
  }
}

/** Until when the shop's support may see what they listened to; null if it may not. */
export const shownUntil = (
  { user: { listeningShownUntil } }: Pick<UserRow, 'user'>,
  now: Date,
): Date | null => (listeningShownUntil && listeningShownUntil > now ? listeningShownUntil : null)

/** The permission expires after a day, so that customers need not remember to withdraw it. */
export async function showListening(shop: Shop, caller: Caller, isShown: boolean) {
  const until = isShown ? new Date(shop.now().getTime() + DAY_MS) : null
  await updateListeningShown(shop.db, caller.userId, until)
  return loggedUser(shop, caller)
}

/** @throws 404 for another user's account (API-98) */
export function refuseOthers(caller: Caller, id: string): void {
  if (caller.userId !== id.toLowerCase()) throw notFound()
}

export async function changeProfile(shop: Shop, caller: Caller, fields: ProfileFields) {
  const trimmed = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? trimmedField(name, value) : value,
    ]),
  )
  await updateProfile(shop.db, caller.userId, trimmed)
  noteSecurity(shop, 'profile_changed', { userId: caller.userId, sessionId: caller.sessionId })
  // The country decides what is for sale; the next request must see the new one.
  liveSessionsOf(shop).forget(caller.sessionId)
  return loggedUser(shop, caller)
}

function trimmedField(name: string, value: string): string | null {
  const text = value.trim()
  return text === '' && name !== 'firstName' && name !== 'lastName' ? null : text
}
