import { randomBytes } from 'node:crypto'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import type { Caller } from '../../auth/access.ts'
import { liveSessionsOf } from '../../auth/live-sessions.ts'
import {
  addressKey,
  countOrRefuse,
  type LimitOf,
  refuseOverLimit,
  selectTallies,
} from '../../rate-limiting/rate-limit.ts'
import { queueUnasked } from '../../rate-limiting/unrequested-mail.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { notFound, refused, unprocessable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { updateBuyerEmail } from '../orders/queries.ts'
import {
  deleteFormerAddresses,
  insertFormerAddress,
  lockAddressee,
  updateAddress,
  closeProofs,
  type ProofRow,
  selectAddressee,
  selectPendingAddress,
  selectProofByToken,
  useUp,
} from './email-queries.ts'
import { CONFIRMATIONS_OF, EMAIL_CHANGES, PROOFS_FROM, turnOfAccount } from './limits.ts'
import { hashOfToken, type Addressee, mailConfirmation, mailNewPassword, storeProof } from './email-tokens.ts'
import { provesPassword, hashPassword } from './passwords.ts'
import { isReservedForAnother, revokeSessions, selectCredentials, updatePasswordHash } from './queries.ts'
import { loggedUser } from './service.ts'

interface EmailChange {
  readonly email: string
  readonly password: string
}

/**
 * The response doesn't reveal whether the new address has an account.
 * @throws 422 for the caller's own address or a wrong password, 429 after too many requests
 */
export async function requestEmailChange(shop: Shop, caller: Caller, { email, password }: EmailChange) {
  const { db, now } = shop
  const { userId, sessionId } = caller
  const to = await selectAddressee(db, { userId })
  if (!to) throw notFound()
  if (email.toLowerCase() === to.email.toLowerCase())
    throw unprocessable('email', ACCOUNT_MESSAGES.emailIsYoursAlready)
  const changes: LimitOf = [EMAIL_CHANGES, userId]
  refuseOverLimit([changes], await selectTallies(db, [changes]), now())
  if (!(await provesPassword(shop, userId, password)))
    throw unprocessable('password', ACCOUNT_MESSAGES.wrongPassword)
  await countOrRefuse(db, ...changes, now())
  await db.transaction(async (tx) => {
    await closeProofs(tx, 'change', userId, now())
    const id = await mailChange(shop, tx, to, email)
    const { firstName } = to
    const note = { to: to.email, key: `change_asked:${id}`, data: { firstName } }
    await queueMail(tx, { ...note, kind: 'email_change_asked' })
  })
  noteSecurity(shop, 'address_change_asked', { userId, sessionId, email })
  return loggedUser(shop, caller)
}

async function mailChange(shop: Shop, tx: Db, { userId, firstName }: Addressee, to: string): Promise<string> {
  const { id, token, code } = await storeProof(shop, tx, { userId, purpose: 'change', email: to })
  const mail = { to, key: `change:${id}` }
  if (await isTaken(tx, to, { userId, now: shop.now() }))
    await queueUnasked(tx, { ...mail, kind: 'email_in_use', data: { email: to } }, shop.now())
  else await queueUnasked(tx, { ...mail, kind: 'email_change', data: { firstName, token, code } }, shop.now())
  return id
}

const isTaken = async (db: Db, email: string, asking: { userId: string; now: RealTime }): Promise<boolean> =>
  (await selectCredentials(db, email)) !== undefined || (await isReservedForAnother(db, email, asking))

/**
 * An unconfirmed address, which may belong to another person, is replaced at once; a confirmed one by its link.
 * @throws 422 if the address is taken
 */
export async function correctAddress(
  shop: Shop,
  userId: string,
  email: string,
): Promise<'replaced' | 'asked'> {
  const { db, now } = shop
  const outcome = await db.transaction(async (tx) => {
    const before = await lockAddressee(tx, userId)
    if (!before) throw notFound()
    if (email.toLowerCase() === before.email.toLowerCase()) throw refused('This is their address already.')
    if (await isTaken(tx, email, { userId, now: now() }))
      throw refused(`There is an account with ${email} already.`)
    await closeProofs(tx, 'change', userId, now())
    if (before.confirmedAt) {
      const id = await mailChange(shop, tx, before, email)
      const note = { to: before.email, key: `change_asked:${id}`, data: { firstName: before.firstName } }
      await queueMail(tx, { ...note, kind: 'email_change_asked' })
      return 'asked'
    }
    if (!(await updateAddress(tx, userId, { email, confirmedAt: null })))
      throw refused(`There is an account with ${email} already.`)
    // Invalidate the links that were emailed to the mistyped address.
    await closeProofs(tx, ['confirm', 'reset'], userId, now())
    await updateBuyerEmail(tx, userId, before.email, email)
    await mailConfirmation(shop, tx, { ...before, email })
    return 'replaced'
  })
  noteSecurity(shop, outcome === 'replaced' ? 'address_changed' : 'address_change_asked', { userId, email })
  return outcome
}

/** Sends the email again; the earlier link stays valid. */
export async function resendEmailChange(shop: Shop, userId: string): Promise<void> {
  const { db, now } = shop
  const [to, email] = await Promise.all([
    selectAddressee(db, { userId }),
    selectPendingAddress(db, userId, now()),
  ])
  if (!to || email === null) return
  await countOrRefuse(db, CONFIRMATIONS_OF, userId, now())
  await db.transaction((tx) => mailChange(shop, tx, to, email))
}

export async function cancelEmailChange(shop: Shop, caller: Caller) {
  await closeProofs(shop.db, 'change', caller.userId, shop.now())
  return loggedUser(shop, caller)
}

/** Undefined for a link that was replaced or cancelled. Sessions stay active. */
export async function applyEmailChange(shop: Shop, proof: ProofRow): Promise<string | undefined> {
  const { db, now } = shop
  const { userId, email } = proof
  if (email === null) return undefined
  const outcome = await db.transaction(async (tx) => {
    const before = await lockAddressee(tx, userId)
    if (!before) return undefined
    if (!(await useUp(tx, proof.id, now())))
      // A second use of the same link gives the same answer.
      return before.email.toLowerCase() === email.toLowerCase() ? 'before' : undefined
    const isFree = await updateAddress(tx, userId, { email, confirmedAt: now() })
    if (!isFree || (await isReservedForAnother(tx, email, { userId, now: now() })))
      throw unprocessable('confirmationToken', 'This address can’t be used any more.')
    // Links emailed to the old address must no longer open the account.
    await closeProofs(tx, ['change', 'confirm', 'reset'], userId, now())
    await mailOldAddress(shop, tx, before, proof.id)
    return 'now'
  })
  if (outcome === 'now') noteSecurity(shop, 'address_changed', { userId, email })
  return outcome && email
}

/** No link for an unconfirmed address: it may be a typing error and belong to another person. */
async function mailOldAddress(
  shop: Shop,
  tx: Db,
  { userId, email, firstName, confirmedAt }: Addressee & { confirmedAt: Date | null },
  id: string,
): Promise<void> {
  const mail = { to: email, key: `changed:${id}`, kind: 'email_changed' } as const
  if (!confirmedAt) {
    await queueMail(tx, { ...mail, data: { firstName } })
    return
  }
  await insertFormerAddress(tx, { userId, email, givenUpAt: shop.now() })
  const { token } = await storeProof(shop, tx, { userId, purpose: 'undo', email })
  await queueMail(tx, { ...mail, data: { firstName, token } })
}

/**
 * Ends all sessions and sets a random password, to lock out an attacker who knew the old one.
 * @throws 404 for a link that is unknown, used or expired
 */
export async function undoEmailChange(shop: Shop, token: string, address: string): Promise<void> {
  const { db, now } = shop
  const proof = await selectProofByToken(db, 'undo', hashOfToken(token))
  if (!proof || proof.email === null || proof.usedAt || proof.expiresAt <= now()) {
    await countOrRefuse(db, PROOFS_FROM, addressKey(address), now())
    throw linkExpired()
  }
  const { userId, email } = proof
  const nobodys = await hashPassword(randomBytes(32).toString('base64url'), turnOfAccount(userId))
  const ended = await db.transaction(async (tx) => {
    const before = await lockAddressee(tx, userId)
    if (!before || !(await useUp(tx, proof.id, now()))) throw linkExpired()
    if (!(await updateAddress(tx, userId, { email, confirmedAt: before.confirmedAt ?? now() })))
      throw linkExpired()
    await closeProofs(tx, ['change', 'confirm', 'reset'], userId, now())
    // An attacker who changed the address twice must not be able to reverse the undo.
    await closeProofs(tx, 'undo', userId, now(), proof.createdAt)
    await deleteFormerAddresses(tx, userId, proof.createdAt)
    await updatePasswordHash(tx, userId, nobodys)
    await mailNewPassword(shop, tx, { ...before, email })
    return revokeSessions(tx, userId, {}, now())
  })
  for (const id of ended) liveSessionsOf(shop).forget(id)
  noteSecurity(shop, 'address_change_undone', { userId, address })
}

const linkExpired = () => notFound('This link has already been used, or it’s too old.')
