import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { MINUTE_MS } from '#contract/durations.ts'
import { refused } from '../http/http-errors.ts'
import type { Config } from '../settings/config.ts'
import { officeOrigins } from './staff.ts'

/** As long as browsers wait for a phone nearby. */
const CHALLENGE_MS = 5 * MINUTE_MS

export interface Challenge<Options> {
  readonly challengeId: string
  readonly options: Options
}
export type CreationChallenge = Challenge<PublicKeyCredentialCreationOptionsJSON>
export type RequestChallenge = Challenge<PublicKeyCredentialRequestOptionsJSON>

export interface Answered {
  readonly challengeId: string
  /** As the browser's WebAuthn API returned it; the library checks each field. */
  readonly response: Record<string, unknown>
}

/** Stores the challenge of `options` until it is answered or expires. */
export async function storedChallenge<Options extends { readonly challenge: string }>(
  options: Options,
  now: Date,
  insert: (row: { readonly challenge: string; readonly expiresAt: Date }) => Promise<string>,
): Promise<Challenge<Options>> {
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS)
  return { challengeId: await insert({ challenge: options.challenge, expiresAt }), options }
}

/** @throws 422 for a challenge that expired or was answered before */
export async function expectedChallenge(taken: Promise<string | undefined>): Promise<string> {
  const challenge = await taken
  if (challenge === undefined) throw refused('That took too long. Please try again.')
  return challenge
}

interface Known {
  readonly credentialId: string
  readonly transports: string[]
}

type Site = Pick<Config, 'publicUrl'>

/** The domain of the passkeys. On this machine it is `localhost`: browsers refuse passkeys of an IP address. */
const domainOf = (site: Site): string => new URL(officeOrigins(site).at(-1)!).hostname

/** Loaded at the first use: a shop whose people use passwords never needs the library. */
const webauthn = () => import('@simplewebauthn/server')

interface Person {
  readonly id?: string
  readonly email: string
  readonly name: string
}

export async function creationOptions(
  site: Site,
  shopName: string,
  person: Person,
  known: readonly Known[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: shopName,
    rpID: domainOf(site),
    userName: person.email,
    userDisplayName: person.name,
    ...(person.id === undefined ? {} : { userID: new TextEncoder().encode(person.id) }),
    attestationType: 'none',
    // Discoverable, so that signing in needs no address; verified by fingerprint or PIN, so that it needs no password.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  })
}

/** Undefined if the browser's answer does not fit the challenge. */
export async function checkCreation(
  site: Site,
  expectedChallenge: string,
  response: Record<string, unknown>,
  userAgent: string | undefined,
) {
  const { verifyRegistrationResponse } = await webauthn()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library checks each field
  const given = response as unknown as RegistrationResponseJSON
  const checked = await verifyRegistrationResponse({
    response: given,
    expectedChallenge,
    expectedOrigin: [...officeOrigins(site)],
    expectedRPID: domainOf(site),
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!checked?.verified) return undefined
  const { credential, credentialBackedUp } = checked.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])].filter((each) => typeof each === 'string').slice(0, 8),
    isSynced: credentialBackedUp,
    name: browserWords(userAgent),
  }
}

/** Without known passkeys any of the site's may answer, so the options don't reveal which addresses have an account. */
export async function requestOptions(
  site: Site,
  known: readonly Known[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: domainOf(site),
    userVerification: 'required',
    allowCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  })
}

interface StoredPasskey {
  readonly credentialId: string
  readonly publicKey: string
  readonly counter: number
}

/** The passkey's new state. Undefined if the answer does not fit, or the counter shows a clone. */
export async function checkAnswer(
  site: Site,
  expectedChallenge: string,
  response: Record<string, unknown>,
  passkey: StoredPasskey,
): Promise<{ readonly counter: number; readonly isSynced: boolean } | undefined> {
  const { verifyAuthenticationResponse } = await webauthn()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library checks each field
  const given = response as unknown as AuthenticationResponseJSON
  const checked = await verifyAuthenticationResponse({
    response: given,
    expectedChallenge,
    expectedOrigin: [...officeOrigins(site)],
    expectedRPID: domainOf(site),
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => undefined)
  if (!checked?.verified) return undefined
  const { newCounter, credentialBackedUp } = checked.authenticationInfo
  return { counter: newCounter, isSynced: credentialBackedUp }
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
