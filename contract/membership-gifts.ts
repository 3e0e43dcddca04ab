import Type, { type Static } from 'typebox'
import {
  CalendarDate,
  Email,
  embedded,
  Instant,
  NullableString,
  nullable,
  NAME_OR_NOTHING,
  Pounds,
  Uuid,
} from './atoms.ts'
import { Plan } from './discounts.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'
import { GIFT_MESSAGE_LENGTH, NAME_LENGTH, THANKS_LENGTH } from './limits.ts'

export const NullableName = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: NAME_LENGTH,
  pattern: NAME_OR_NOTHING,
})
export const NullableMessage = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: GIFT_MESSAGE_LENGTH,
})

/**
 * Whether the account with this address already has a membership (API-83); false for an unknown address, and if it only
 * has a waiting gift. A member can still be given one: the gift waits until their membership has ended. 429 after too
 * many.
 */
export const checkGiftEmail = endpoint({
  method: 'POST',
  path: '/api/subscriptions/gift-check',
  summary: 'Whether somebody has a membership',
  access: 'anyone',
  part: 'membershipGifts',
  body: Type.Object({ email: Email }),
  reply: Type.Object({ purchased: Type.Boolean() }),
})

/** `waiting`: claimed, and starts when the current membership ends; `begun`: it is or was the claimer's membership. */
export const MEMBERSHIP_GIFT_STATES = ['unclaimed', 'waiting', 'begun'] as const

/**
 * Whether the caller can thank the giver with one line: `possible`, or `sent`. Null for everybody but the recipient who
 * claimed the gift, and if the giver's account is closed.
 */
export const ThanksState = nullable(
  Type.Unsafe<'possible' | 'sent'>({ type: 'string', enum: ['possible', 'sent'] }),
)
export type ThanksState = Static<typeof ThanksState>

/** A gift membership as its recipient sees it. It does not contain the price. */
export const MembershipGift = embedded('MembershipGift', {
  id: Uuid,
  plan: Plan,
  giverName: Type.String(),
  giftRecipientFirstName: NullableString,
  /** The account with this address can claim it. */
  giftEmail: Type.String(),
  giftMessage: NullableString,
  givenAt: Instant,
  state: Type.Unsafe<(typeof MEMBERSHIP_GIFT_STATES)[number]>({
    type: 'string',
    enum: [...MEMBERSHIP_GIFT_STATES],
  }),
  claimedAt: nullable(Instant),
  /** For a waiting gift: when the membership before it ends, if known. The gift then starts automatically. */
  startsAt: nullable(Instant),
  /** If it is not claimed by then, it lapses. */
  claimableUntil: Instant,
  /** The resulting membership; only visible to the claimer, null until it began. */
  subscription: nullable(Uuid),
  thanks: ThanksState,
})
export type MembershipGift = Static<typeof MembershipGift>

/** The token of the emailed link, or the code below it, in any case, with or without hyphens and spaces. */
const ByToken = Type.Object({ token: Type.String({ minLength: 1, maxLength: 128 }) })

export const GIFT_KINDS = ['audio_books', 'e_books', 'subscriptions'] as const
export type GiftKind = (typeof GIFT_KINDS)[number]

/**
 * The kind of gift of a typed code or a link, which does not show it. A single endpoint, so that a wrong code counts as
 * one guess. 404 for an invalid token or code, 429 after too many of those.
 */
export const seeGiftKind = endpoint({
  method: 'GET',
  path: '/api/gifts/claim/{token}',
  summary: 'What kind of gift a link or a code is of',
  access: 'anyone',
  params: ByToken,
  reply: Type.Object({ kind: Type.Unsafe<GiftKind>({ type: 'string', enum: [...GIFT_KINDS] }) }),
})

/**
 * Changes nothing. 404 for an invalid token and for a gift that was taken back; 422 'A new link was sent' for a link
 * that a correction replaced (with no other information); 422 for a lapsed one; 429 after too many invalid ones.
 */
export const seeMembershipGift = endpoint({
  method: 'GET',
  path: '/api/subscriptions/claim/{token}',
  summary: 'What a gift link of a membership holds',
  access: 'anyone',
  params: ByToken,
  reply: MembershipGift,
})

/**
 * The caller becomes a member; if they already are one, the gift waits until that membership has ended (`state:
 * 'waiting'`). Nothing is ever charged for it. Works once; a repeat by the claimer gets the same answer. 403 'Email
 * must be same' for an account with another or an unconfirmed address; 422 'already been redeemed' for other accounts.
 */
export const claimMembershipGift = endpoint({
  method: 'POST',
  path: '/api/subscriptions/claim/{token}',
  summary: 'Claim a membership that was given',
  access: 'user',
  params: ByToken,
  reply: MembershipGift,
})

/** Unclaimed gifts for the caller's confirmed address, and gifts that wait for a membership to end. */
export const listWaitingMembershipGifts = endpoint({
  method: 'GET',
  path: '/api/subscriptions/gifts',
  summary: 'Memberships that wait for the caller',
  access: 'user',
  reply: collection(MembershipGift),
})
/** Claims one of these gifts without its token; the rules are those of the link. */
export const claimWaitingMembershipGift = endpoint({
  method: 'POST',
  path: '/api/subscriptions/gifts/{id}/claim',
  summary: 'Claim a waiting membership',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  reply: MembershipGift,
})

export const ThanksBody = Type.Object({
  message: Type.String({ minLength: 1, maxLength: THANKS_LENGTH, pattern: '\\S' }),
})
/**
 * Sends one line to the giver: once, without links, from a confirmed address. 404 for a gift that the caller didn’t
 * claim, 422 for a second line, a link, an unconfirmed address, and a giver whose account is closed.
 */
export const thankForMembership = endpoint({
  method: 'POST',
  path: '/api/subscriptions/gifts/{id}/thanks',
  summary: 'Thank the giver of a membership',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  body: ThanksBody,
  reply: MembershipGift,
})

/**
 * The state of a gift, for its giver. The first four are shown as "Not claimed" (MEMB-31): `scheduled` is not due yet,
 * `sending` is being emailed, `delivered` was accepted by the recipient's mail server, `failed` was rejected by it:
 * correct the address. `lapsed`: not claimed within 24 months.
 */
export const GIVEN_STATES = [
  'scheduled',
  'sending',
  'delivered',
  'failed',
  'claimed',
  'refunded',
  'lapsed',
] as const
export type GivenState = (typeof GIVEN_STATES)[number]

export const GivenMembership = embedded('GivenMembership', {
  id: Uuid,
  plan: Plan,
  state: Type.Unsafe<GivenState>({ type: 'string', enum: [...GIVEN_STATES] }),
  christmas: Type.Boolean(),
  giftEmail: Type.String(),
  giftRecipientFirstName: NullableString,
  giftMessage: NullableString,
  /** As requested; null for at once. */
  giftDeliveryDate: nullable(CalendarDate),
  giftTimeZone: Type.String(),
  /** When its email is or was sent. */
  deliverAt: Instant,
  givenAt: Instant,
  /** The time at which the newest link was emailed; null before the gift’s day. */
  sentAt: nullable(Instant),
  claimedAt: nullable(Instant),
  giftUser: nullable(Type.Object({ email: Type.String(), fullName: Type.String() })),
  /** What the recipient wrote; text, never markup. */
  thanks: NullableString,
  claimableUntil: Instant,
  order: nullable(Uuid),
  /** The price paid, in pounds. */
  amount: Pounds,
  /** True for an unclaimed gift, which can be corrected and sent again. */
  changeable: Type.Boolean(),
  /** The end of the time for taking it back, and the refund; null if it can’t be taken back. */
  takeBack: nullable(Type.Object({ until: Instant, amount: Pounds })),
})
export type GivenMembership = Static<typeof GivenMembership>

const ById = Type.Object({ id: Uuid })

/** Newest first. Includes gifts from the same address before it had an account, once the address is confirmed. */
export const listGivenMemberships = endpoint({
  method: 'GET',
  path: '/api/subscriptions/given',
  summary: 'Memberships that the caller gave',
  access: 'user',
  reply: collection(GivenMembership),
})

/**
 * Corrects an unclaimed gift; omitted fields stay as they are. A new address, name or message creates a new link and
 * code, emailed if the gift was already delivered, and the previous ones stop working. The day can only change before
 * it has come (422). 404 for another giver's gift.
 */
export const correctGivenMembership = endpoint({
  method: 'PATCH',
  path: '/api/subscriptions/given/{id}',
  summary: 'Correct a membership that was given',
  access: 'user',
  params: ById,
  body: Type.Object({
    giftEmail: Type.Optional(Email),
    giftRecipientFirstName: Type.Optional(NullableName),
    giftMessage: Type.Optional(NullableMessage),
    giftDeliveryDate: Type.Optional(nullable(CalendarDate)),
    giftTimeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  }),
  reply: GivenMembership,
})

/**
 * Sends the email again with a new link and code; the previous ones then report that. 422 before its day, 429 after a
 * few.
 */
export const sendGivenMembershipAgain = endpoint({
  method: 'POST',
  path: '/api/subscriptions/given/{id}/send-again',
  summary: 'Send a given membership again',
  access: 'user',
  params: ById,
  reply: GivenMembership,
})

/** The address of the card's PDF. A signed one ends after minutes. */
export const GiftCardFile = Type.Object({ address: Type.String() })

/** The rules of a card for a title. */
export const makeCardOfGivenMembership = endpoint({
  method: 'POST',
  path: '/api/subscriptions/given/{id}/card',
  summary: 'Print a card for a membership that was given',
  access: 'user',
  params: ById,
  reply: GiftCardFile,
})

/** Within 14 days of the purchase, if unclaimed: refunds the full price to its payment method. 422 otherwise. */
export const takeBackGivenMembership = endpoint({
  method: 'POST',
  path: '/api/subscriptions/given/{id}/take-back',
  summary: 'Take back a membership that was given',
  access: 'user',
  params: ById,
  reply: GivenMembership,
})
