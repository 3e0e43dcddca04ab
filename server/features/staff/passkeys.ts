import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { MINUTE_MS } from '#contract/durations.ts'
import { officeOrigins } from '../../auth/staff.ts'
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

/** As long as browsers wait for a phone nearby. */
const CHALLENGE_MS = 5 * MINUTE_MS

export interface Challenge<Options> {
  readonly challengeId: string
  readonly options: Options
}

export interface Answered {
  readonly challengeId: string
  /** As the browser's WebAuthn API returned it; the library checks each field. */
  readonly response: Record<string, unknown>
}

type Registering = Pick<Shop, 'db' | 'now' | 'config'>

/** The domain of the passkeys. On this machine it is `localhost`: browsers refuse passkeys of an IP address. */
const domainOf = ({ config }: Pick<Shop, 'config'>): string => new URL(officeOrigins(config).at(-1)!).hostname

/** Loaded when the office is first used: a shop that is managed only by commands never needs the library. */
const webauthn = () => import('@simplewebauthn/server')

export async function newPasskeyOptions(
  shop: Registering,
  purpose: 'accept' | 'add',
  subjectId: string,
  person: Pick<StaffRow, 'email' | 'name'> & { readonly id?: string },
): Promise<Challenge<PublicKeyCredentialCreationOptionsJSON>> {
  const { generateRegistrationOptions } = await webauthn()
  const known = person.id === undefined ? [] : await selectPasskeys(shop.db, [person.id])
  const options = await generateRegistrationOptions({
    rpName: `${shop.config.details.name} office`,
    rpID: domainOf(shop),
    userName: person.email,
    userDisplayName: person.name,
    ...(person.id === undefined ? {} : { userID: new TextEncoder().encode(person.id) }),
    attestationType: 'none',
    // Discoverable, so that signing in needs no address; verified by fingerprint or PIN, so that it needs no password.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  })
  return stored(shop, purpose, subjectId, options)
}

/** The new passkey's row. @throws 422 if the browser's answer does not fit */
export async function verifyNewPasskey(
  shop: Registering,
  purpose: 'accept' | 'add',
  subjectId: string,
  { challengeId, response }: Answered,
  userAgent: string | undefined,
): Promise<Omit<PasskeyRow, 'id' | 'staffId' | 'lastUsedAt'>> {
  const expectedChallenge = await taken(shop, purpose, subjectId, challengeId)
  const { verifyRegistrationResponse } = await webauthn()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library checks each field
  const given = response as unknown as RegistrationResponseJSON
  const checked = await verifyRegistrationResponse({
    response: given,
    expectedChallenge,
    expectedOrigin: [...officeOrigins(shop.config)],
    expectedRPID: domainOf(shop),
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!checked?.verified) throw refused('This passkey could not be added. Please try again.')
  const { credential, credentialBackedUp } = checked.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])].filter((each) => typeof each === 'string').slice(0, 8),
    isSynced: credentialBackedUp,
    name: browserWords(userAgent),
    createdAt: shop.now(),
  }
}

/** Without `staffId` any passkey may answer, so the options don't reveal which addresses have an account. */
export async function passkeyRequest(
  shop: Registering,
  purpose: 'sign-in' | 'confirm',
  staffId: string | null,
): Promise<Challenge<PublicKeyCredentialRequestOptionsJSON>> {
  const { generateAuthenticationOptions } = await webauthn()
  const own = staffId === null ? [] : await selectPasskeys(shop.db, [staffId])
  const options = await generateAuthenticationOptions({
    rpID: domainOf(shop),
    userVerification: 'required',
    allowCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  })
  return stored(shop, purpose, staffId, options)
}

/** Whose passkey it was. @throws 403 if it is unknown, or another one's */
export async function verifyPasskey(
  shop: Registering,
  purpose: 'sign-in' | 'confirm',
  staffId: string | null,
  { challengeId, response }: Answered,
): Promise<StaffRow> {
  const expectedChallenge = await taken(shop, purpose, staffId, challengeId)
  const found =
    typeof response.id === 'string' ? await selectPasskeyByCredential(shop.db, response.id) : undefined
  if (!found || (staffId !== null && found.person.id !== staffId)) throw unknown()
  const { passkey, person } = found
  const { verifyAuthenticationResponse } = await webauthn()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library checks each field
  const given = response as unknown as AuthenticationResponseJSON
  const checked = await verifyAuthenticationResponse({
    response: given,
    expectedChallenge,
    expectedOrigin: [...officeOrigins(shop.config)],
    expectedRPID: domainOf(shop),
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => undefined)
  if (!checked?.verified) throw unknown()
  const { newCounter, credentialBackedUp } = checked.authenticationInfo
  await updatePasskeyUsed(shop.db, passkey.id, {
    counter: newCounter,
    isSynced: credentialBackedUp,
    lastUsedAt: shop.now(),
  })
  return person
}

const unknown = () =>
  forbidden('This passkey isn’t one of the office’s. Try another one, or use a recovery code.')

type Purpose = Parameters<typeof takeChallenge>[1]['purpose']

async function stored<Options extends { readonly challenge: string }>(
  { db, now }: Registering,
  purpose: Purpose,
  subjectId: string | null,
  options: Options,
): Promise<Challenge<Options>> {
  const expiresAt = new Date(now().getTime() + CHALLENGE_MS)
  const challengeId = await insertChallenge(db, {
    challenge: options.challenge,
    purpose,
    subjectId,
    expiresAt,
  })
  return { challengeId, options }
}

async function taken(
  { db, now }: Registering,
  purpose: Purpose,
  subjectId: string | null,
  id: string,
): Promise<string> {
  const challenge = await takeChallenge(db, { id, purpose, subjectId }, now())
  if (challenge === undefined) throw refused('That took too long. Please try again.')
  return challenge
}

/** The default name of a passkey, such as `Chrome on Linux`. */
function browserWords(userAgent = ''): string {
  const browser = /Edg\//.test(userAgent)
    ? 'Edge'
    : /Firefox\//.test(userAgent)
      ? 'Firefox'
      : /Chrome\//.test(userAgent)
        ? 'Chrome'
        : /Safari\//.test(userAgent)
          ? 'Safari'
          : 'A browser'
  const system = /iPhone|iPad/.test(userAgent)
    ? 'an iPhone'
    : /Android/.test(userAgent)
      ? 'Android'
      : /Mac OS/.test(userAgent)
        ? 'a Mac'
        : /Windows/.test(userAgent)
          ? 'Windows'
          : /Linux/.test(userAgent)
            ? 'Linux'
            : 'an unknown device'
  return `${browser} on ${system}`
}
