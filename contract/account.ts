import Type, { type Static } from 'typebox'
import { Email, Instant, NullableString, nullable, Uuid } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { item } from './hydra.ts'

export const TokenPair = Type.Object({ token: Type.String(), refresh_token: Type.String() })
export type TokenPair = Static<typeof TokenPair>

/** The current user (ENT-08). Never a password or its hash. */
export const User = item('User', {
  uuid: Uuid,
  email: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  fullName: Type.String(),
  address1: NullableString,
  address2: NullableString,
  city: NullableString,
  county: NullableString,
  countryCode: NullableString,
  postCode: NullableString,
  newsletter: Type.Boolean(),
  promotions: Type.Boolean(),
  /** Set while benefits hold: active, trialing, or past due for at most seven days (ROLE-10). */
  currentSubscription: nullable(
    Type.Object({
      id: Uuid,
      plan: Type.Integer({ minimum: 1, maximum: 7 }),
      status: Type.String(),
      canceledAt: nullable(Instant),
      validUntil: nullable(Instant),
    }),
  ),
  subscriptions: Type.Array(Type.Object({ id: Uuid, paymentFailed: Type.Boolean() })),
  /** Whether an edition or a highlight can be taken with a credit (OP-15). */
  hasCredit: Type.Boolean(),
  /** Present for bookshop staff only. */
  outlet: nullable(Type.Object({ name: Type.String() })),
})
export type User = Static<typeof User>

/** 401 `Invalid credentials.` for a wrong password and an unknown address alike; 429 after too many failures. */
export const logIn = endpoint({
  method: 'POST',
  path: '/api/login',
  summary: 'Log in',
  access: 'open',
  body: Type.Object({ email: Email, password: Type.String({ minLength: 1, maxLength: 1024 }) }),
  reply: TokenPair,
})

/** One new pair for one refresh token; the token given is used up (API-12). */
export const refreshToken = endpoint({
  method: 'POST',
  path: '/api/token/refresh',
  summary: 'Exchange a refresh token',
  access: 'open',
  body: Type.Object({ refresh_token: Type.String({ minLength: 1, maxLength: 512 }) }),
  reply: TokenPair,
})

/** Ends the session on the server; safe to call again. */
export const logOut = endpoint({
  method: 'POST',
  path: '/api/logout',
  summary: 'Log out',
  access: 'open',
  status: 204,
  body: Type.Object({ refresh_token: Type.String({ minLength: 1, maxLength: 512 }) }),
})

export const getLoggedUser = endpoint({
  method: 'GET',
  path: '/api/logged-user',
  summary: 'The current user',
  access: 'user',
  reply: User,
})
