import Type, { type Static } from 'typebox'
import { Email, Instant, nullable, NullableString, PERSON_NAME, Uuid } from '../atoms.ts'
import { endpoint } from '../endpoint.ts'
import { AnyObject, officeEndpoint } from './office-endpoint.ts'
import { type Role, ROLES } from './permissions.ts'

export const RoleName = Type.Unsafe<Role>({ type: 'string', enum: [...ROLES] })

/** Who is signed in. */
export const Me = Type.Object({
  id: Uuid,
  name: Type.String(),
  email: Type.String(),
  role: RoleName,
  /** The session ends at this time in any case. */
  endsAt: Instant,
  /** Until then money moves without asking for the passkey again; null if it must be asked for. */
  freshUntil: nullable(Instant),
  passkeys: Type.Integer(),
  recoveryCodesLeft: Type.Integer(),
  /** Signed in by a recovery code: a new passkey can be added, and nothing else that asks for one. */
  byRecovery: Type.Boolean(),
  singleKeys: Type.Boolean(),
})
export type Me = Static<typeof Me>

/** A challenge of WebAuthn: `options` go to the browser, `challengeId` comes back with its response. */
const Challenge = Type.Object({ challengeId: Uuid, options: AnyObject })
const Signed = { challengeId: Uuid, response: AnyObject }
const Token = Type.String({ minLength: 20, maxLength: 100 })
const StaffName = Type.String({ pattern: PERSON_NAME, maxLength: 80 })
const RecoveryCodes = Type.Array(Type.String())

export const getMe = officeEndpoint({
  method: 'GET',
  path: '/api/office/me',
  summary: 'Who is signed in to the office',
  may: null,
  reply: Me,
})
export const changeMe = officeEndpoint({
  method: 'PATCH',
  path: '/api/office/me',
  summary: 'Change one’s own name or keys',
  may: null,
  body: Type.Object({ name: Type.Optional(StaffName), singleKeys: Type.Optional(Type.Boolean()) }),
  reply: Me,
})

export const signInOptions = endpoint({
  method: 'POST',
  path: '/api/office/sign-in/options',
  summary: 'Begin to sign in to the office with a passkey',
  access: 'open',
  reply: Challenge,
})
export const signIn = endpoint({
  method: 'POST',
  path: '/api/office/sign-in',
  summary: 'Sign in to the office with a passkey',
  access: 'open',
  body: Type.Object(Signed),
  reply: Me,
})
export const signInByRecovery = endpoint({
  method: 'POST',
  path: '/api/office/sign-in/recovery',
  summary: 'Sign in to the office with a recovery code, to add a new passkey',
  access: 'open',
  body: Type.Object({ email: Email, code: Type.String({ minLength: 1, maxLength: 40 }) }),
  reply: Me,
})
export const signOut = officeEndpoint({
  method: 'POST',
  path: '/api/office/sign-out',
  summary: 'Sign out of the office',
  may: null,
  status: 204,
})

export const confirmOptions = officeEndpoint({
  method: 'POST',
  path: '/api/office/confirm/options',
  summary: 'Begin to confirm with the passkey',
  may: null,
  reply: Challenge,
})
export const confirm = officeEndpoint({
  method: 'POST',
  path: '/api/office/confirm',
  summary: 'Confirm with the passkey, for five minutes',
  may: null,
  body: Type.Object(Signed),
  reply: Me,
})

export const openInvitation = endpoint({
  method: 'POST',
  path: '/api/office/invitations/open',
  summary: 'What an invitation is for',
  access: 'open',
  body: Type.Object({ token: Token }),
  reply: Type.Object({
    email: Type.String(),
    role: RoleName,
    /** The name of the account that the invitation adds a passkey to; null for a new account. */
    name: NullableString,
  }),
})
export const invitationOptions = endpoint({
  method: 'POST',
  path: '/api/office/invitations/options',
  summary: 'Begin to accept an invitation with a new passkey',
  access: 'open',
  body: Type.Object({ token: Token, name: StaffName }),
  reply: Challenge,
})
export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/office/invitations/accept',
  summary: 'Accept an invitation, and sign in',
  access: 'open',
  body: Type.Object({ token: Token, name: StaffName, ...Signed }),
  reply: Type.Object({ me: Me, recoveryCodes: RecoveryCodes }),
})

const Passkey = Type.Object({
  id: Uuid,
  name: Type.String(),
  createdAt: Instant,
  lastUsedAt: nullable(Instant),
  /** Stored in a password manager or an account of several devices, not only on one of them. */
  isSynced: Type.Boolean(),
})
export const listPasskeys = officeEndpoint({
  method: 'GET',
  path: '/api/office/passkeys',
  summary: 'One’s own passkeys',
  may: null,
  reply: Type.Object({ passkeys: Type.Array(Passkey), recoveryCodesLeft: Type.Integer() }),
})
export const passkeyOptions = officeEndpoint({
  method: 'POST',
  path: '/api/office/passkeys/options',
  summary: 'Begin to add a passkey',
  may: null,
  reply: Challenge,
})
export const addPasskey = officeEndpoint({
  method: 'POST',
  path: '/api/office/passkeys',
  summary: 'Add a passkey',
  may: null,
  status: 201,
  body: Type.Object(Signed),
  reply: Me,
})
export const removePasskey = officeEndpoint({
  method: 'DELETE',
  path: '/api/office/passkeys/{id}',
  summary: 'Remove one of one’s own passkeys',
  may: null,
  fresh: true,
  params: Type.Object({ id: Uuid }),
  status: 204,
})
export const renewRecoveryCodes = officeEndpoint({
  method: 'POST',
  path: '/api/office/recovery-codes',
  summary: 'Ten new recovery codes; the old ones stop working',
  may: null,
  fresh: true,
  reply: Type.Object({ recoveryCodes: RecoveryCodes }),
})
