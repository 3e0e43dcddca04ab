import Type, { type Static } from 'typebox'
import { DeviceHere, TokenPair } from './account.ts'
import { Instant, nullable, Uuid } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'

const AnyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** A challenge of WebAuthn: `options` go to the browser, `challengeId` comes back with its response. */
const Challenge = Type.Object({ challengeId: Uuid, options: AnyObject })
const Signed = { challengeId: Uuid, response: AnyObject }

const Passkey = Type.Object({
  '@id': Type.String(),
  '@type': Type.Literal('Passkey'),
  id: Uuid,
  name: Type.String(),
  createdAt: Instant,
  lastUsedAt: nullable(Instant),
  /** Stored in a password manager or an account of several devices, not only on one of them. */
  isSynced: Type.Boolean(),
})
export type Passkey = Static<typeof Passkey>

export const passkeyLogInOptions = endpoint({
  method: 'POST',
  path: '/api/passkeys/log-in/options',
  summary: 'Begin to log in with a passkey',
  access: 'open',
  reply: Challenge,
})
/** 403 for an unknown passkey or a wrong answer, 422 for an answer that took too long. */
export const passkeyLogIn = endpoint({
  method: 'POST',
  path: '/api/passkeys/log-in',
  summary: 'Log in with a passkey',
  access: 'open',
  body: Type.Object({ ...Signed, device: Type.Optional(DeviceHere) }),
  reply: TokenPair,
})

export const listOwnPasskeys = endpoint({
  method: 'GET',
  path: '/api/passkeys',
  summary: 'Your passkeys',
  access: 'user',
  reply: collection(Passkey),
})
/** 403 `proof_needed` if the log-in was too long ago: a passkey proves who its owner is from then on. */
export const ownPasskeyOptions = endpoint({
  method: 'POST',
  path: '/api/passkeys/options',
  summary: 'Begin to add a passkey',
  access: 'user',
  reply: Challenge,
})
export const addOwnPasskey = endpoint({
  method: 'POST',
  path: '/api/passkeys',
  summary: 'Add a passkey',
  access: 'user',
  status: 204,
  body: Type.Object(Signed),
})
/** 404 for another account's. */
export const removeOwnPasskey = endpoint({
  method: 'DELETE',
  path: '/api/passkeys/{id}',
  summary: 'Remove a passkey',
  access: 'user',
  status: 204,
  params: Type.Object({ id: Uuid }),
})

export const passkeyProofOptions = endpoint({
  method: 'POST',
  path: '/api/passkeys/prove/options',
  summary: 'Begin to prove who you are with a passkey',
  access: 'user',
  reply: Challenge,
})
/** Like giving the password again. */
export const proveByPasskey = endpoint({
  method: 'POST',
  path: '/api/passkeys/prove',
  summary: 'Prove who you are with a passkey',
  access: 'user',
  status: 204,
  body: Type.Object(Signed),
})
