import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import type { RealTime } from '../../clock.ts'
import { addressKey, countOrRefuse } from '../../rate-limiting/rate-limit.ts'
import type { Caller } from '../../auth/access.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { unprocessable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { CONFIRMATIONS_OF, PROOFS_FROM } from './limits.ts'
import { applyEmailChange } from './change-email.ts'
import { codeMatches, hashOfToken, typedCode, mailConfirmation, ATTEMPTS_PER_CODE } from './email-tokens.ts'
import { provesPassword } from './passwords.ts'
import {
  confirmAddress,
  countCodeAttempt,
  type ProofRow,
  selectAddressee,
  selectOpenProofs,
  selectProofByToken,
  useUp,
} from './email-queries.ts'

interface Confirmation {
  readonly proof: string
  /** Required if the link is opened without the session of the account. */
  readonly password?: string | undefined
  readonly caller: Caller | null
  readonly address: string
}

/**
 * The reader must own the address (link or code) and the account (session or password): otherwise a stranger could have
 * another person confirm that person's address. Safe to repeat.
 * @throws 422 for an invalid or expired link or code, and for a missing or wrong password
 */
export async function confirmUser(
  shop: Shop,
  { proof: given, password, caller, address }: Confirmation,
): Promise<string> {
  const { db, now, config } = shop
  const code = typedCode(given)
  if (code && caller) {
    for (const purpose of ['confirm', 'change'] as const)
      for (const proof of await selectOpenProofs(db, purpose, caller.userId, now())) {
        if (!(await countCodeAttempt(db, proof.id, ATTEMPTS_PER_CODE))) continue
        if (codeMatches(config, proof.id, code, proof.codeHash)) return confirmWith(shop, proof)
      }
    throw unknownConfirmation()
  }
  const tokenHash = hashOfToken(given)
  const proof =
    (await selectProofByToken(db, 'confirm', tokenHash)) ??
    (await selectProofByToken(db, 'change', tokenHash))
  if (!proof) {
    await countOrRefuse(db, PROOFS_FROM, addressKey(address), now())
    throw unknownConfirmation()
  }
  if (isExpired(proof, now())) throw unknownConfirmation()
  if (!proof.usedAt && caller?.userId !== proof.userId) {
    if (password === undefined) throw unprocessable('password', ACCOUNT_MESSAGES.passwordToConfirm)
    if (!(await provesPassword(shop, proof.userId, password)))
      throw unprocessable('password', ACCOUNT_MESSAGES.wrongPassword)
  }
  return confirmWith(shop, proof)
}

/** A used link does not expire: a second use gives the same answer. */
const isExpired = (proof: ProofRow, now: RealTime) => !proof.usedAt && proof.expiresAt <= now

async function confirmWith(shop: Shop, proof: ProofRow): Promise<string> {
  if (proof.purpose === 'change') {
    const taken = await applyEmailChange(shop, proof)
    if (taken === undefined) throw unknownConfirmation()
    return taken
  }
  const { db, now } = shop
  const { id, userId } = proof
  const email = await db.transaction(async (tx) => {
    await useUp(tx, id, now())
    return confirmAddress(tx, userId, now())
  })
  if (email === undefined) throw unknownConfirmation()
  noteSecurity(shop, 'address_confirmed', { userId })
  return email
}

export async function resendConfirmation(shop: Shop, userId: string): Promise<void> {
  const { db, now } = shop
  const to = await selectAddressee(db, { userId })
  if (!to || to.confirmedAt) return
  await countOrRefuse(db, CONFIRMATIONS_OF, userId, now())
  await db.transaction((tx) => mailConfirmation(shop, tx, to))
}

const unknownConfirmation = () =>
  unprocessable('confirmationToken', 'This link or code isn’t valid, or it’s too old.')
