import { HOUR_MS } from '#contract/durations.ts'
import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import { queueUnasked } from '../../rate-limiting/unrequested-mail.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { hashOfCode, hashOfToken, type MailedProof, newProof } from './email-tokens.ts'
import { insertProof, type Purpose, selectAddressee, selectAnyProof } from './email-token-queries.ts'

export const VALID_MS = {
  confirm: 24 * HOUR_MS,
  reset: HOUR_MS,
  change: 24 * HOUR_MS,
  undo: 7 * 24 * HOUR_MS,
} as const satisfies Record<Purpose, number>

export interface Addressee {
  readonly userId: string
  readonly email: string
  readonly firstName: string
  /** The user ticked the newsletter while registering; the email then says that confirming also starts it. */
  readonly newsletter?: boolean
}

export async function mailConfirmation(
  shop: Pick<Shop, 'config' | 'now'>,
  db: Db,
  to: Addressee,
): Promise<void> {
  const { userId, email, firstName, newsletter = false } = to
  const { id, token, code } = await storeProof(shop, db, { userId, purpose: 'confirm' })
  const data = { firstName, token, code, newsletter }
  await queueUnasked(db, { to: email, key: `confirm:${id}`, kind: 'confirm_address', data }, shop.now())
}

/** @returns the id of the reset request, which a typed code has to be sent with */
export async function mailNewPassword(
  shop: Pick<Shop, 'config' | 'now'>,
  db: Db,
  to: Addressee,
): Promise<string> {
  const { userId, email, firstName } = to
  const { id, token, code } = await storeProof(shop, db, { userId, purpose: 'reset' })
  const data = { firstName, userId, token, code }
  await queueMail(db, { to: email, key: `reset:${id}`, kind: 'reset_password', data })
  return id
}

/** The purpose and the recipient of an emailed token; undefined if the token or its account no longer exists. */
export async function proofOf(db: Db, id: string) {
  const proof = await selectAnyProof(db, id)
  const to = proof && (await selectAddressee(db, { userId: proof.userId }))
  return proof && to && { ...to, purpose: proof.purpose }
}

/** Queues the email again with a new link and code. Returns false if there is nothing left to confirm. */
export async function mailProofAgain(
  shop: Pick<Shop, 'config' | 'now'>,
  tx: Db,
  proof: NonNullable<Awaited<ReturnType<typeof proofOf>>>,
): Promise<boolean> {
  if (proof.purpose === 'reset') await mailNewPassword(shop, tx, proof)
  else if (proof.purpose === 'confirm' && proof.confirmedAt === null) await mailConfirmation(shop, tx, proof)
  else return false
  return true
}

interface Proving {
  readonly userId: string
  readonly purpose: Purpose
  readonly email?: string
}

export async function storeProof(
  { config, now }: Pick<Shop, 'config' | 'now'>,
  db: Db,
  { userId, purpose, email }: Proving,
): Promise<MailedProof & { id: string }> {
  const id = randomUUID()
  const proof = newProof()
  await insertProof(db, {
    id,
    userId,
    purpose,
    email,
    tokenHash: hashOfToken(proof.token),
    codeHash: hashOfCode(config, id, proof.code),
    createdAt: now(),
    expiresAt: new Date(now().getTime() + VALID_MS[purpose]),
  })
  return { id, ...proof }
}
