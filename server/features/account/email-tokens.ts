import { HOUR_MS } from '#contract/durations.ts'
import { randomUUID, createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import { queueUnasked } from '../../rate-limiting/unrequested-mail.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { insertProof, type Purpose, selectAddressee, selectAnyProof } from './email-queries.ts'
import type { Config } from '../../settings/config.ts'
import { keysFor } from '../../settings/keys.ts'

/** Five guesses at one of a hundred million codes. */
export const ATTEMPTS_PER_CODE = 5

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

export async function proofOf(db: Db, id: string) {
  const proof = await selectAnyProof(db, id)
  const to = proof && (await selectAddressee(db, { userId: proof.userId }))
  return proof && to && { ...to, purpose: proof.purpose }
}

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

type KeysOf = Pick<Config, 'appKeys'>

/** The code is for links that would open in a different browser. */
interface MailedProof {
  readonly token: string
  /** Eight digits, `1234-5678`. */
  readonly code: string
}

export const newProof = (): MailedProof => {
  const digits = String(randomInt(100_000_000)).padStart(8, '0')
  return { token: randomBytes(32).toString('base64url'), code: `${digits.slice(0, 4)}-${digits.slice(4)}` }
}

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** A code can be found by brute force in a stolen database, so its hash needs a key that is not in the database. */
const hashOfCode = (config: KeysOf, requestId: string, code: string): string =>
  underKey(keysFor(config, 'mailed-code')[0], requestId, code)

export const codeMatches = (config: KeysOf, requestId: string, code: string, hash: string): boolean =>
  keysFor(config, 'mailed-code').some((key) => {
    const given = Buffer.from(underKey(key, requestId, code))
    const kept = Buffer.from(hash)
    return given.length === kept.length && timingSafeEqual(given, kept)
  })

/** Ignores hyphens and spaces. Undefined if the text cannot be a code. */
export function typedCode(text: string): string | undefined {
  const digits = text.replaceAll(/[\s\p{Pd}]/gu, '')
  return /^\d{8}$/.test(digits) ? digits : undefined
}

const underKey = (key: Buffer, requestId: string, code: string) =>
  createHmac('sha256', key)
    .update(`${requestId} ${code.replaceAll('-', '')}`)
    .digest('base64url')
