import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { addressKey, countOrRefuse, forgetHits } from '../../rate-limiting/rate-limit.ts'
import type { Caller } from '../../auth/access.ts'
import { liveSessionsOf } from '../../auth/live-sessions.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { notFound, tooMany } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import {
  accountAt,
  countsEverything,
  FORGOTTEN_BY,
  FORGOTTEN_FROM,
  FORGOTTEN_OF,
  GUESSES_ANYWHERE,
  PROOFS_FROM,
  turnOfAccount,
  WRONG_PASSWORDS,
} from './limits.ts'
import {
  codeMatches,
  hashOfToken,
  typedCode,
  VALID_MS,
  mailNewPassword,
  ATTEMPTS_PER_CODE,
} from './email-tokens.ts'
import { refuseCommonPassword, refuseGuessablePassword } from './password-strength.ts'
import { hashPassword } from './passwords.ts'
import {
  closeProofs,
  confirmAddress,
  countCodeAttempt,
  type ProofRow,
  selectAddressee,
  selectProof,
  selectProofByToken,
  useUp,
} from './email-queries.ts'
import { revokeSessions, selectUser, updatePasswordHash } from './queries.ts'

/** Longer than the work takes, so that the response time is the same for known and unknown addresses. */
const SAME_TIME_MS = 200

/**
 * An unknown address gets the same response after the same time, with a random id.
 * @returns the id of the reset request, which a typed code has to be sent with
 */
export async function forgotPassword(shop: Shop, email: string, address: string): Promise<string> {
  const { db, now, config } = shop
  await countOrRefuse(db, FORGOTTEN_BY, accountAt(email, address), now())
  if (countsEverything(config, address)) await countOrRefuse(db, FORGOTTEN_FROM, addressKey(address), now())
  await countOrRefuse(db, FORGOTTEN_OF, email.toLowerCase(), now())
  const work = async () => {
    const to = await selectAddressee(db, { email })
    noteSecurity(shop, 'password_reset_asked', { userId: to?.userId, email, address })
    return to ? db.transaction((tx) => mailNewPassword(shop, tx, to)) : randomUUID()
  }
  const [id] = await Promise.all([work(), pause(SAME_TIME_MS)])
  return id
}

interface NewPassword {
  readonly id: string
  readonly proof: string
  readonly password: string
  readonly caller: Caller | null
  readonly address: string
}

/**
 * A link or code works once. Ends every session except the caller's.
 * @throws 404 for an invalid link or code, 422 for a password that is too easy to guess, 429 after too many guesses
 */
export async function resetPassword(shop: Shop, given: NewPassword): Promise<void> {
  const { db, now } = shop
  // Check before the code is tried: an invalid password must not cost one of its five attempts.
  await refuseCommonPassword(given.password, 'password')
  const proof = await proofOfReset(shop, given)
  if (!proof || proof.usedAt || proof.expiresAt <= now()) {
    await countOrRefuse(db, PROOFS_FROM, addressKey(given.address), now())
    throw notFound('This link or code no longer works. Please ask for a new one.')
  }
  const { userId } = proof
  const owner = await selectUser(db, userId)
  if (owner) await refuseGuessablePassword(given.password, owner.user, 'password')
  const passwordHash = await hashPassword(given.password, turnOfAccount(userId))
  const ended = await db.transaction(async (tx) => {
    if (!(await useUp(tx, proof.id, now())))
      throw notFound('This link or code no longer works. Please ask for a new one.')
    // A pending change of address was requested with the old password and may not be the owner's.
    await closeProofs(tx, ['reset', 'change'], userId, now())
    await updatePasswordHash(tx, userId, passwordHash)
    // The link or code was read in an email to this address, so its reader owns the address.
    await confirmAddress(tx, userId, now())
    const keep = given.caller?.userId === userId ? given.caller.sessionId : null
    const revoked = await revokeSessions(tx, userId, { keep }, now())
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
  // The owner can now log in from anywhere, even if strangers' guesses had used up the limits.
  if (owner) {
    const { email } = owner.user
    await forgetHits(db, GUESSES_ANYWHERE, email.toLowerCase())
    await forgetHits(db, WRONG_PASSWORDS, accountAt(email, given.address))
  }
  noteSecurity(shop, 'password_reset', { userId, address: given.address })
}

async function proofOfReset(
  { db, config }: Shop,
  { id, proof: given }: NewPassword,
): Promise<ProofRow | undefined> {
  const code = typedCode(given)
  if (code) {
    const row = await selectProof(db, 'reset', id)
    if (!row) return undefined
    if (!(await countCodeAttempt(db, row.id, ATTEMPTS_PER_CODE))) throw tooMany(VALID_MS.reset / 1000)
    return codeMatches(config, row.id, code, row.codeHash) ? row : undefined
  }
  const row = await selectProofByToken(db, 'reset', hashOfToken(given))
  return row?.userId === id ? row : undefined
}
