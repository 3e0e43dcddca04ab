import type { Caller } from '../../auth/access.ts'
import { refuseUnproved } from '../../auth/recent-proof.ts'
import { updateProved } from '../../auth/session-queries.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import {
  type Answered,
  type Challenge,
  checkAnswer,
  checkCreation,
  type CreationChallenge,
  creationOptions,
  expectedChallenge,
  type RequestChallenge,
  requestOptions,
  storedChallenge,
} from '../../auth/webauthn.ts'
import { forbidden, notFound, refused } from '../../http/http-errors.ts'
import { addressKey, countOrRefuse } from '../../rate-limiting/rate-limit.ts'
import type { Shop } from '../../shop.ts'
import { countsEverything, PASSKEY_CHALLENGES } from './limits.ts'
import {
  deletePasskey,
  insertChallenge,
  insertPasskey,
  PASSKEYS_AT_MOST,
  selectPasskeyByCredential,
  selectPasskeys,
  takeChallenge,
  updatePasskeyUsed,
  type UserPasskey,
} from './passkey-queries.ts'
import { selectUser } from './queries.ts'
import { type Accounts, openSession, type Tokens, type Visit } from './sessions.ts'

/** Accepts any passkey of the shop, so the options don't reveal which accounts exist. @throws 429 */
export async function logInOptions(shop: Shop, address: string): Promise<RequestChallenge> {
  if (countsEverything(shop.config, address))
    await countOrRefuse(shop.db, PASSKEY_CHALLENGES, addressKey(address), shop.now())
  return stored(shop, 'log-in', null, await requestOptions(shop.config, []))
}

/** @throws 403 for an unknown passkey or a blocked account, 422 after too long */
export async function logInByPasskey(accounts: Accounts, answered: Answered, from: Visit): Promise<Tokens> {
  const { userId } = await verified(accounts.shop, 'log-in', null, answered)
  const tokens = await openSession(accounts, userId, from)
  noteSecurity(accounts.shop, 'log_in', { userId, address: from.address })
  return tokens
}

export async function proofOptions(shop: Shop, { userId }: Caller): Promise<RequestChallenge> {
  const own = await selectPasskeys(shop.db, userId)
  if (own.length === 0) throw refused('You have no passkey yet.')
  return stored(shop, 'prove', userId, await requestOptions(shop.config, own))
}

export async function proveByPasskey(
  shop: Shop,
  { userId, sessionId }: Caller,
  answered: Answered,
): Promise<void> {
  await verified(shop, 'prove', userId, answered)
  await updateProved(shop.db, sessionId, shop.now())
  noteSecurity(shop, 'identity_proved', { userId, sessionId })
}

/** @throws 403 `proof_needed`, because a new passkey counts as proof later */
export async function newPasskeyOptions(shop: Shop, caller: Caller): Promise<CreationChallenge> {
  await refuseUnproved(shop, caller)
  const { userId } = caller
  const owner = await selectUser(shop.db, userId)
  if (!owner) throw notFound()
  const known = await selectPasskeys(shop.db, userId)
  if (known.length >= PASSKEYS_AT_MOST) throw refused('Remove one of your passkeys first.')
  const { email, firstName, lastName } = owner.user
  const person = { id: userId, email, name: `${firstName} ${lastName}`.trim() }
  const options = await creationOptions(shop.config, shop.config.details.name, person, known)
  return stored(shop, 'add', userId, options)
}

/** @throws 422 if the browser's answer does not fit */
export async function addPasskey(
  shop: Shop,
  caller: Caller,
  { challengeId, response }: Answered,
  userAgent: string | undefined,
): Promise<void> {
  await refuseUnproved(shop, caller)
  const { userId, sessionId } = caller
  const expected = await taken(shop, 'add', userId, challengeId)
  const made = await checkCreation(shop.config, expected, response, userAgent)
  if (!made || !(await insertPasskey(shop.db, { ...made, userId, createdAt: shop.now() })))
    throw refused('This passkey couldn’t be added. Please try again.')
  noteSecurity(shop, 'passkey_added', { userId, sessionId })
}

/** @throws 404 for another account's */
export async function removePasskey(shop: Shop, { userId, sessionId }: Caller, id: string): Promise<void> {
  if (!(await deletePasskey(shop.db, userId, id))) throw notFound()
  noteSecurity(shop, 'passkey_removed', { userId, sessionId })
}

/** @throws 403 if it is unknown, or another account's than `userId` */
async function verified(
  shop: Shop,
  purpose: 'log-in' | 'prove',
  userId: string | null,
  { challengeId, response }: Answered,
): Promise<UserPasskey> {
  const expected = await taken(shop, purpose, userId, challengeId)
  const passkey =
    typeof response.id === 'string' ? await selectPasskeyByCredential(shop.db, response.id) : undefined
  const isOwn = passkey !== undefined && (userId === null || passkey.userId === userId)
  const checked = isOwn ? await checkAnswer(shop.config, expected, response, passkey) : undefined
  if (!passkey || !checked) throw forbidden('We don’t know this passkey. Log in with your password.')
  await updatePasskeyUsed(shop.db, passkey.id, { ...checked, lastUsedAt: shop.now() })
  return passkey
}

type Purpose = 'log-in' | 'prove' | 'add'

const stored = <Options extends { readonly challenge: string }>(
  { db, now }: Shop,
  purpose: Purpose,
  userId: string | null,
  options: Options,
): Promise<Challenge<Options>> =>
  storedChallenge(options, now(), (row) => insertChallenge(db, { ...row, purpose, userId }))

const taken = ({ db, now }: Shop, purpose: Purpose, userId: string | null, id: string): Promise<string> =>
  expectedChallenge(takeChallenge(db, { id, purpose, userId }, now()))
