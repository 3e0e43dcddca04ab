import Type, { type Static, type TSchema } from 'typebox'
import {
  Email,
  embedded,
  Instant,
  NullableString,
  nullable,
  ONE_LINE,
  PERSON_NAME,
  Pounds,
  Uuid,
  VISIBLE_LINE,
} from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'
import { DEVICE_NAME_LENGTH, NAME_LENGTH, PASSWORD_LENGTH } from './limits.ts'

export const TokenPair = Type.Object({ token: Type.String(), refresh_token: Type.String() })
export type TokenPair = Static<typeof TokenPair>

/** One line of visible text. */
export const DeviceName = Type.String({ maxLength: DEVICE_NAME_LENGTH, pattern: VISIBLE_LINE })
/** The calling browser: the id that it generated, and its own description, such as `Chrome on Android`. */
export const DeviceHere = Type.Object({ id: Uuid, browser: DeviceName })
export type DeviceHere = Static<typeof DeviceHere>

const DeviceFields = {
  id: Uuid,
  /** The name that the user gave it, else the browser's own description. */
  name: Type.String(),
  browser: Type.String(),
  current: Type.Boolean(),
  lastSeenAt: Instant,
  loggedInAt: Instant,
}
export const Device = embedded('Device', DeviceFields)
export type Device = Static<typeof Device>

/** The devices that are logged in: the calling one first, then the most recently seen. */
export const listDevices = endpoint({
  method: 'GET',
  path: '/api/devices',
  summary: 'Where you are logged in',
  access: 'user',
  reply: collection(Device),
})

/** Sets the name for the list, the history of places and the other devices. 404 for another account's device. */
export const renameDevice = endpoint({
  method: 'PATCH',
  path: '/api/devices/{id}',
  summary: 'Name a device',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  body: Type.Object({ name: DeviceName }),
  reply: item('Device', DeviceFields),
})

/**
 * Ends the device’s sessions at once (calls, refresh and feed); it removes the account’s data at its next request. 404
 * for a device that is not logged in to this account.
 */
export const logOutDevice = endpoint({
  method: 'POST',
  path: '/api/devices/{id}/log-out',
  summary: 'Log a device out',
  access: 'user',
  status: 204,
  params: Type.Object({ id: Uuid }),
})

/** Ends all sessions of the account except the caller's; their devices remove the account’s data. */
export const logOutOtherDevices = endpoint({
  method: 'POST',
  path: '/api/devices/log-out-others',
  summary: 'Log out everywhere else',
  access: 'user',
  status: 204,
})

/** “Leave” of staff who view the shop as this user. 404 for the user's own sessions. */
export const leaveView = endpoint({
  method: 'POST',
  path: '/api/view/leave',
  summary: 'End a view of the shop as a customer',
  access: 'user',
  alsoOutlets: true,
  endsView: true,
  status: 204,
})

/** The current user (ENT-08). Never contains a password or its hash. */
export const User = item('User', {
  uuid: Uuid,
  email: Type.String(),
  /** The new address of a pending change, until its emailed link is used. */
  pendingEmail: NullableString,
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
  choiceEmails: Type.Boolean(),
  /** Until then the shop's support may see what they listened to; absent if it may not. */
  listeningShownUntil: Type.Optional(Instant),
  /** True if the user has proved that the address is theirs. */
  confirmed: Type.Boolean(),
  /** A wallet's payment made the account, and no password has been chosen. */
  withoutPassword: Type.Optional(Type.Boolean()),
  /** Set while benefits are available: active, trialing, or past due for at most seven days (ROLE-10). */
  currentSubscription: nullable(
    Type.Object({
      id: Uuid,
      plan: Type.Integer({ minimum: 1, maximum: 7 }),
      status: Type.String(),
      canceledAt: nullable(Instant),
      validUntil: nullable(Instant),
      /** A gift: it doesn't renew and can't be changed to another plan. */
      gift: Type.Optional(Type.Boolean()),
      /** The price per period at the time of joining; set if the plan's price has changed since. */
      price: Type.Optional(Pounds),
    }),
  ),
  subscriptions: Type.Array(
    Type.Object({
      id: Uuid,
      paymentFailed: Type.Boolean(),
      /** Of a failed payment: what is owed, if known, and how long the member prices stay. */
      amount: Type.Optional(Pounds),
      benefitsUntil: Type.Optional(Instant),
    }),
  ),
  /** Whether an edition or a highlight can be taken with a credit (OP-15). */
  hasCredit: Type.Boolean(),
  /** The number of memberships that this account gave to others and paid for. */
  paysSomeone: Type.Integer({ minimum: 0 }),
  /** The saved card that was used last, unless it has expired. It pays with one press. */
  savedCard: Type.Optional(Type.Object({ id: Uuid, brand: Type.String(), last4: Type.String() })),
  /** The account's bag. Its id is valid even before the first title is added. */
  cart: Type.Object({ uuid: Uuid }),
  /** Authorises the account's live stream for half an hour (contract/feed.ts). */
  jwtMercuryToken: Type.String(),
  /** Set for bookshop staff only. */
  outlet: nullable(Type.Object({ name: Type.String() })),
})
export type User = Static<typeof User>

/** Without the current minimum length, because an old password may be shorter. */
export const OldPassword = Type.String({ minLength: 1, maxLength: 1024 })

/** 401 `Invalid credentials.` for a wrong password and for an unknown address; 429 after too many failures. */
export const logIn = endpoint({
  method: 'POST',
  path: '/api/login',
  summary: 'Log in',
  access: 'open',
  body: Type.Object({
    email: Email,
    password: OldPassword,
    device: Type.Optional(DeviceHere),
  }),
  reply: TokenPair,
})

/**
 * Exchanges a refresh token for a new pair; each token works once (API-12). 401 for an ended session; 410 if it was
 * ended from another device or the account was deleted: this device then removes the account’s data.
 */
export const refreshToken = endpoint({
  method: 'POST',
  path: '/api/token/refresh',
  summary: 'Exchange a refresh token',
  access: 'open',
  body: Type.Object({
    refresh_token: Type.String({ minLength: 1, maxLength: 512 }),
    device: Type.Optional(DeviceHere),
  }),
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
  alsoOutlets: true,
  reply: User,
})

/** The length counts characters, not bytes (ACC-37, ACC-38). */
export const NewPassword = Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max })
/** One line with visible text. */
const Name = Type.String({ maxLength: NAME_LENGTH, pattern: PERSON_NAME })
const OptionalLine = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 200,
  pattern: ONE_LINE,
})
const CountryCode = Type.String({ pattern: '^[A-Z]{2}$' })
export const ById = Type.Object({ id: Uuid })

const registration = {
  email: Email,
  password: NewPassword,
  firstName: Name,
  lastName: Name,
  countryCode: CountryCode,
  device: Type.Optional(DeviceHere),
}

/** Wallets ask for no password, and some know a name of one word only. */
export const byWallet = <P extends TSchema, L extends TSchema>(fields: { password: P; lastName: L }) => ({
  password: Type.Optional(fields.password),
  lastName: Type.Optional(fields.lastName),
})

/**
 * 422 with 'already taken' for a known address. Emails a link to confirm the address; the account can be used before
 * that. `giftToken`, from a link that was emailed to this address, confirms it at once, and no email is sent.
 */
export const registerUser = endpoint({
  method: 'POST',
  path: '/api/users',
  summary: 'Register',
  access: 'open',
  status: 201,
  body: Type.Object({
    ...registration,
    newsletter: Type.Optional(Type.Boolean()),
    giftToken: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  }),
  reply: TokenPair,
})

/**
 * Checks whether an address has an account, so that the form can ask its owner to log in first. Reveals no more than
 * registering does, and counts towards the same limit: 429 after a few checks.
 */
export const isAddressKnown = endpoint({
  method: 'POST',
  path: '/api/users/known',
  summary: 'Whether an address has an account',
  access: 'open',
  body: Type.Object({ email: Email }),
  reply: Type.Object({ known: Type.Boolean() }),
})

/** Like `registerUser`, during the checkout, where the terms are accepted (API-20). A wallet needs no password. */
export const registerBuyer = endpoint({
  method: 'POST',
  path: '/api/ecommerce-register',
  summary: 'Register during checkout',
  access: 'open',
  status: 201,
  body: Type.Object({
    ...registration,
    ...byWallet(registration),
    newsletter: Type.Optional(Type.Boolean()),
    terms: Type.Literal(true),
  }),
  reply: TokenPair,
})

/** The answer is the same for every address. `id` is needed to submit the emailed code. */
export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/forgot_passwords',
  summary: 'Ask for a new password',
  access: 'open',
  status: 201,
  body: Type.Object({ email: Email }),
  reply: item('ForgotPassword', { id: Uuid }),
})

/**
 * With the emailed link, `id` is the user's and the token is the link's; with the code of the same email, `id` is the
 * request's. Ends every session of the account except the caller's. 404 for an invalid or expired token or code.
 */
export const resetPassword = endpoint({
  method: 'PATCH',
  path: '/api/forgot_passwords/{id}',
  summary: 'Choose a new password',
  access: 'anyone',
  alsoOutlets: true,
  params: ById,
  body: Type.Object({
    resetToken: Type.String({ minLength: 1, maxLength: 200 }),
    password: NewPassword,
  }),
  reply: item('ForgotPassword', { id: Uuid }),
})

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/api/users/{id}',
  summary: 'Change the profile',
  access: 'user',
  alsoOutlets: true,
  params: ById,
  body: Type.Object({
    firstName: Type.Optional(Name),
    lastName: Type.Optional(Name),
    address1: Type.Optional(OptionalLine),
    address2: Type.Optional(OptionalLine),
    city: Type.Optional(OptionalLine),
    county: Type.Optional(OptionalLine),
    countryCode: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: '^[A-Z]{2}$' }),
    ),
    postCode: Type.Optional(OptionalLine),
  }),
  reply: User,
})

export const updateNewsletter = endpoint({
  method: 'PATCH',
  path: '/api/users/{id}/newsletter-update',
  summary: 'Take or leave the newsletter',
  access: 'user',
  params: ById,
  body: Type.Object({ newsletter: Type.Boolean() }),
  reply: User,
})

export const updatePromotions = endpoint({
  method: 'PATCH',
  path: '/api/users/{id}/promotion-update',
  summary: 'Take or leave promotions',
  access: 'user',
  params: ById,
  body: Type.Object({ promotions: Type.Boolean() }),
  reply: User,
})

/** The covers in a member's monthly email, and the reminder before a free audiobook expires. */
export const updateChoiceEmails = endpoint({
  method: 'PATCH',
  path: '/api/users/{id}/choice-emails-update',
  summary: 'Take or leave covers and reminders about free audiobooks',
  access: 'user',
  params: ById,
  body: Type.Object({ choiceEmails: Type.Boolean() }),
  reply: User,
})

/** For a day from now on, or no longer. */
export const showListening = endpoint({
  method: 'PATCH',
  path: '/api/users/{id}/listening-shown',
  summary: 'Let the shop’s support see for a day what one listened to',
  access: 'user',
  params: ById,
  body: Type.Object({ shown: Type.Boolean() }),
  reply: User,
})

/**
 * For 15 minutes this session may give and add cards, which is refused with 403 `proof_needed` otherwise. Logging in counts
 * as well. 422 for a wrong password, 429 after too many.
 */
export const proveIdentity = endpoint({
  method: 'POST',
  path: '/api/users/{id}/prove',
  summary: 'Give the password again',
  access: 'user',
  status: 204,
  params: ById,
  body: Type.Object({ password: OldPassword }),
})

/**
 * The first password of an account that a wallet's payment made (`withoutPassword`). 409 if it has one; 403 `proof_needed`
 * if the log-in was too long ago: then a link by email is the way (`POST /api/forgot_passwords`).
 */
export const choosePassword = endpoint({
  method: 'POST',
  path: '/api/users/{id}/choose-password',
  summary: 'Choose a first password',
  access: 'user',
  status: 204,
  params: ById,
  body: Type.Object({ newPassword: NewPassword }),
})

/** Ends the other sessions; this one continues with a new token. 422 for a wrong old password, 429 after too many. */
export const changePassword = endpoint({
  method: 'PUT',
  path: '/api/users/{id}/change-password',
  summary: 'Change the password',
  access: 'user',
  alsoOutlets: true,
  params: ById,
  body: Type.Object({
    oldPassword: OldPassword,
    newPassword: NewPassword,
  }),
  reply: Type.Object({ token: Type.String() }),
})
