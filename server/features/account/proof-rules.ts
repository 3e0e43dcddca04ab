import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../db/open.ts'
import { addressKey, countOrRefuse } from '../../guards/rate-limit.ts'
import type { Caller } from '../../guards/caller.ts'
import { liveSessionsOf } from '../../guards/live-sessions.ts'
import { queueMail } from '../../outside/mail/queue.ts'
import { notFound, tooMany, unprocessable } from '../../refusals.ts'
import type { Shop } from '../../shop.ts'
import { countsEverything, CONFIRMATIONS_OF, FORGOTTEN_OF, FORGOTTEN_FROM, PROOFS_FROM } from './limits.ts'
import { codeMatches, hashOfCode, hashOfToken, newProof, typedCode } from './mailed-proofs.ts'
import { hashPassword } from './passwords.ts'
import {
  closeProofs,
  confirmAddress,
  countTry,
  insertProof,
  type ProofRow,
  type Purpose,
  selectAddressee,
  selectOpenProofs,
  selectProof,
  selectProofByToken,
  useUp,
} from './proof-rows.ts'
import { revokeSessions, updatePasswordHash } from './rows.ts'

const HOUR_MS = 3_600_000
const HOLDS_MS = { confirm: 24 * HOUR_MS, reset: HOUR_MS } as const satisfies Record<Purpose, number>
/** Five of a hundred million. */
const TRIES_OF_A_CODE = 5
/** Longer than the work takes: an address that is known takes no longer than one that is not. */
const SAME_TIME_MS = 200

interface Addressee {
  readonly userId: string
  readonly email: string
  readonly firstName: string
}
type ProofShop = Pick<Shop, 'config' | 'now'>

/** Writes the mail that asks to confirm an address, into the transaction of the registration. */
export const mailConfirmation = (shop: ProofShop, db: Db, to: Addressee): Promise<string> =>
  mailProof(shop, db, 'confirm', to)

async function mailProof(
  { config, now }: ProofShop,
  db: Db,
  purpose: Purpose,
  { userId, email, firstName }: Addressee,
): Promise<string> {
  const id = randomUUID()
  const { token, code } = newProof()
  await insertProof(db, {
    id,
    userId,
    purpose,
    tokenHash: hashOfToken(token),
    codeHash: hashOfCode(config, id, code),
    createdAt: now(),
    expiresAt: new Date(now().getTime() + HOLDS_MS[purpose]),
  })
  const mail = { to: email, key: `${purpose}:${id}` }
  if (purpose === 'confirm')
    await queueMail(db, { ...mail, kind: 'confirm_address', data: { firstName, token, code } })
  else await queueMail(db, { ...mail, kind: 'reset_password', data: { firstName, userId, token, code } })
  return id
}

/** Confirms an address by the link's token, or by the code that a signed-in user types. Safe to repeat. */
export async function confirmUser(
  shop: Shop,
  given: string,
  caller: Caller | null,
  address: string,
): Promise<string> {
  const { db, now, config } = shop
  const code = typedCode(given)
  if (code && caller) {
    for (const proof of await selectOpenProofs(db, 'confirm', caller.userId, now())) {
      if (!(await countTry(db, proof.id, TRIES_OF_A_CODE))) continue
      if (codeMatches(config, proof.id, code, proof.codeHash)) return confirmWith(shop, proof)
    }
    throw unknownConfirmation()
  }
  const proof = await selectProofByToken(db, 'confirm', hashOfToken(given))
  if (!proof) {
    await countOrRefuse(db, PROOFS_FROM, addressKey(address), now())
    throw unknownConfirmation()
  }
  return confirmWith(shop, proof)
}

async function confirmWith({ db, now }: Shop, proof: ProofRow): Promise<string> {
  // The second press on the same link says what the first one did.
  if (!proof.usedAt && proof.expiresAt <= now()) throw unknownConfirmation()
  return db.transaction(async (tx) => {
    await useUp(tx, proof.id, now())
    const email = await confirmAddress(tx, proof.userId, now())
    if (email === undefined) throw unknownConfirmation()
    return email
  })
}

export async function resendConfirmation(shop: Shop, userId: string): Promise<void> {
  const { db, now } = shop
  const to = await selectAddressee(db, { userId })
  if (!to || to.confirmedAt) return
  await countOrRefuse(db, CONFIRMATIONS_OF, userId, now())
  await db.transaction((tx) => mailConfirmation(shop, tx, to))
}

/** Mails a link and a code to a known address; answers every other one alike, and as late. */
export async function forgotPassword(shop: Shop, email: string, address: string): Promise<string> {
  const { db, now, config } = shop
  await countOrRefuse(db, FORGOTTEN_OF, email.toLowerCase(), now())
  if (countsEverything(config, address)) await countOrRefuse(db, FORGOTTEN_FROM, addressKey(address), now())
  const work = async () => {
    const to = await selectAddressee(db, { email })
    return to ? db.transaction((tx) => mailProof(shop, tx, 'reset', to)) : randomUUID()
  }
  const [id] = await Promise.all([work(), pause(SAME_TIME_MS)])
  return id
}

interface NewPassword {
  /** The user's id beside a token; the request's beside a code. */
  readonly id: string
  readonly proof: string
  readonly password: string
  readonly caller: Caller | null
  readonly address: string
}

/** Sets a new password, once; every session of the account ends, but for the caller's own. */
export async function resetPassword(shop: Shop, given: NewPassword): Promise<void> {
  const { db, now } = shop
  const proof = await proofOfReset(shop, given)
  if (!proof || proof.usedAt || proof.expiresAt <= now()) {
    await countOrRefuse(db, PROOFS_FROM, addressKey(given.address), now())
    throw notFound('This link or code is not valid any more.')
  }
  // Before the transaction: a hash takes its time.
  const passwordHash = await hashPassword(given.password)
  const { userId } = proof
  const ended = await db.transaction(async (tx) => {
    if (!(await useUp(tx, proof.id, now()))) throw notFound('This link or code is not valid any more.')
    await closeProofs(tx, 'reset', userId, now())
    await updatePasswordHash(tx, userId, passwordHash)
    // Whoever reads the mail of an address owns it.
    await confirmAddress(tx, userId, now())
    const keep = given.caller?.userId === userId ? given.caller.sessionId : null
    const revoked = await revokeSessions(tx, userId, keep, now())
    const to = await selectAddressee(tx, { userId })
    if (to)
      await queueMail(tx, {
        to: to.email,
        kind: 'password_changed',
        key: `password_changed:${proof.id}`,
        data: { firstName: to.firstName },
      })
    return revoked
  })
  for (const sessionId of ended) liveSessionsOf(shop).forget(sessionId)
}

async function proofOfReset(
  { db, config }: Shop,
  { id, proof: given }: NewPassword,
): Promise<ProofRow | undefined> {
  const code = typedCode(given)
  if (code) {
    const row = await selectProof(db, 'reset', id)
    if (!row) return undefined
    if (!(await countTry(db, row.id, TRIES_OF_A_CODE))) throw tooMany(HOLDS_MS.reset / 1000)
    return codeMatches(config, row.id, code, row.codeHash) ? row : undefined
  }
  const row = await selectProofByToken(db, 'reset', hashOfToken(given))
  return row?.userId === id ? row : undefined
}

const unknownConfirmation = () =>
  unprocessable('confirmationToken', 'This link or code is not valid, or too old.')
