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
import { forbidden, refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import {
  insertChallenge,
  type PasskeyRow,
  selectPasskeyByCredential,
  selectPasskeys,
  type StaffRow,
  takeChallenge,
  updatePasskeyUsed,
} from './queries.ts'

type Registering = Pick<Shop, 'db' | 'now' | 'config'>

export async function newPasskeyOptions(
  shop: Registering,
  purpose: 'accept' | 'add',
  subjectId: string,
  person: Pick<StaffRow, 'email' | 'name'> & { readonly id?: string },
): Promise<CreationChallenge> {
  const known = person.id === undefined ? [] : await selectPasskeys(shop.db, [person.id])
  const name = `${shop.config.details.name} office`
  return stored(shop, purpose, subjectId, await creationOptions(shop.config, name, person, known))
}

/** The new passkey's row. @throws 422 if the browser's answer does not fit */
export async function verifyNewPasskey(
  shop: Registering,
  purpose: 'accept' | 'add',
  subjectId: string,
  { challengeId, response }: Answered,
  userAgent: string | undefined,
): Promise<Omit<PasskeyRow, 'id' | 'staffId' | 'lastUsedAt'>> {
  const expected = await taken(shop, purpose, subjectId, challengeId)
  const made = await checkCreation(shop.config, expected, response, userAgent)
  if (!made) throw refused('This passkey could not be added. Please try again.')
  return { ...made, createdAt: shop.now() }
}

/** Without `staffId` any passkey may answer, so the options don't reveal which addresses have an account. */
export async function passkeyRequest(
  shop: Registering,
  purpose: 'sign-in' | 'confirm',
  staffId: string | null,
): Promise<RequestChallenge> {
  const own = staffId === null ? [] : await selectPasskeys(shop.db, [staffId])
  return stored(shop, purpose, staffId, await requestOptions(shop.config, own))
}

/** Whose passkey it was. @throws 403 if it is unknown, or another one's */
export async function verifyPasskey(
  shop: Registering,
  purpose: 'sign-in' | 'confirm',
  staffId: string | null,
  { challengeId, response }: Answered,
): Promise<StaffRow> {
  const expected = await taken(shop, purpose, staffId, challengeId)
  const found =
    typeof response.id === 'string' ? await selectPasskeyByCredential(shop.db, response.id) : undefined
  if (!found || (staffId !== null && found.person.id !== staffId)) throw unknown()
  const { passkey, person } = found
  const checked = await checkAnswer(shop.config, expected, response, passkey)
  if (!checked) throw unknown()
  await updatePasskeyUsed(shop.db, passkey.id, { ...checked, lastUsedAt: shop.now() })
  return person
}

const unknown = () =>
  forbidden('This passkey isn’t one of the office’s. Try another one, or use a recovery code.')

type Purpose = Parameters<typeof takeChallenge>[1]['purpose']

const stored = <Options extends { readonly challenge: string }>(
  { db, now }: Registering,
  purpose: Purpose,
  subjectId: string | null,
  options: Options,
): Promise<Challenge<Options>> =>
  storedChallenge(options, now(), (row) => insertChallenge(db, { ...row, purpose, subjectId }))

const taken = (
  { db, now }: Registering,
  purpose: Purpose,
  subjectId: string | null,
  id: string,
): Promise<string> => expectedChallenge(takeChallenge(db, { id, purpose, subjectId }, now()))
