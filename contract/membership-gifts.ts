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
import { GIFT_MESSAGE_LENGTH, NAME_LENGTH } from './limits.ts'

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
 * Whether the account with this e-mail has a membership already (API-83); false for an unknown e-mail, and where only a gift
 * waits. Who has one can be given one all the same: it waits until theirs has ended. 429 after too many.
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

/** `waiting`: claimed, and kept behind the membership that runs; `begun`: it is, or was, a membership of the claimer's. */
export const MEMBERSHIP_GIFT_STATES = ['unclaimed', 'waiting', 'begun'] as const

/** A membership that somebody gave, as its recipient sees it. Nothing in it says what it cost. */
export const MembershipGift = embedded('MembershipGift', {
  id: Uuid,
  plan: Plan,
  giverName: Type.String(),
  giftRecipientFirstName: NullableString,
  /** The account with this e-mail claims it. */
  giftEmail: Type.String(),
  giftMessage: NullableString,
  givenAt: Instant,
  state: Type.Unsafe<(typeof MEMBERSHIP_GIFT_STATES)[number]>({
    type: 'string',
    enum: [...MEMBERSHIP_GIFT_STATES],
  }),
  claimedAt: nullable(Instant),
  /** Of one that waits: when the membership before it ends, as far as that is known. It begins then by itself. */
  startsAt: nullable(Instant),
  /** Unclaimed until then, it lapses. */
  claimableUntil: Instant,
  /** The membership that it became; told to the claimer, null until it began. */
  subscription: nullable(Uuid),
})
export type MembershipGift = Static<typeof MembershipGift>

/** The token of the mail's link, or the code beside it, in any case, with or without hyphens and spaces. */
const ByToken = Type.Object({ token: Type.String({ minLength: 1, maxLength: 128 }) })

/** Where a gift is seen and claimed. */
export const GIFT_KINDS = ['audio_books', 'e_books', 'subscriptions'] as const
export type GiftKind = (typeof GIFT_KINDS)[number]

/**
 * What a typed code, or a link, is of: neither says so itself. One question, so that a wrong code is one guess. 404 for what
 * opens nothing, 429 after too many of those.
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
 * Changes nothing. 404 for what opens nothing and for a gift that was taken back; 422 'A new link was sent' for a link that a
 * correction replaced (it tells nothing else); 422 for one that lapsed; 429 after too many that opened nothing.
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
 * The caller becomes a member, or keeps the gift until the membership that runs has ended (`state: 'waiting'`). Nothing is
 * ever charged for it. Once; repeating it is answered the same for who claimed it. 403 'Email must be same' for an account
 * without the gift's address, or that has not confirmed it by a mail; 422 'already been redeemed' for who is not the claimer.
 */
export const claimMembershipGift = endpoint({
  method: 'POST',
  path: '/api/subscriptions/claim/{token}',
  summary: 'Claim a membership that was given',
  access: 'user',
  params: ByToken,
  reply: MembershipGift,
})

/** Gifts for the caller's confirmed address that are not claimed, and those that wait for a membership to end. */
export const listWaitingMembershipGifts = endpoint({
  method: 'GET',
  path: '/api/subscriptions/gifts',
  summary: 'Memberships that wait for the caller',
  access: 'user',
  reply: collection(MembershipGift),
})
/** Claims one of those, without its token; the rules are those of the link. */
export const claimWaitingMembershipGift = endpoint({
  method: 'POST',
  path: '/api/subscriptions/gifts/{id}/claim',
  summary: 'Claim a waiting membership',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  reply: MembershipGift,
})

/**
 * What became of a gift, for its giver. The first four are shown as "Not claimed" (MEMB-31): `scheduled` waits for its day,
 * `sending` is with the post, `delivered` was taken by the recipient's mail server, `failed` was refused by it: correct the
 * address. `lapsed`: nobody claimed it for 24 months.
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

/** A membership that the caller gave. */
export const GivenMembership = embedded('GivenMembership', {
  id: Uuid,
  plan: Plan,
  state: Type.Unsafe<GivenState>({ type: 'string', enum: [...GIVEN_STATES] }),
  christmas: Type.Boolean(),
  giftEmail: Type.String(),
  giftRecipientFirstName: NullableString,
  giftMessage: NullableString,
  /** As it was asked for; null for at once. */
  giftDeliveryDate: nullable(CalendarDate),
  giftTimeZone: Type.String(),
  /** When its mail goes out, or went out. */
  deliverAt: Instant,
  givenAt: Instant,
  /** The time at which the newest link was emailed; null before the gift’s day. */
  sentAt: nullable(Instant),
  claimedAt: nullable(Instant),
  giftUser: nullable(Type.Object({ email: Type.String(), fullName: Type.String() })),
  claimableUntil: Instant,
  order: nullable(Uuid),
  /** What was paid, in pounds. */
  amount: Pounds,
  /** It may be corrected, and sent again: nobody claimed it. */
  changeable: Type.Boolean(),
  /** Until when, and for how much, it can be taken back; null where it cannot (any more). */
  takeBack: nullable(Type.Object({ until: Instant, amount: Pounds })),
})
export type GivenMembership = Static<typeof GivenMembership>

const ById = Type.Object({ id: Uuid })

/** Newest first. Also those that were given from an address before it had an account, once it is confirmed. */
export const listGivenMemberships = endpoint({
  method: 'GET',
  path: '/api/subscriptions/given',
  summary: 'Memberships that the caller gave',
  access: 'user',
  reply: collection(GivenMembership),
})

/**
 * Until it is claimed: what is left out stays. Another address, name or message makes a new link and code, sent where it was
 * delivered already, and the old ones open nothing any more. A day only for one whose day has not come (422). 404 for
 * another's.
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

/** The mail once more, with a new link and code; the old ones then say so. 422 before its day, 429 after a few. */
export const sendGivenMembershipAgain = endpoint({
  method: 'POST',
  path: '/api/subscriptions/given/{id}/send-again',
  summary: 'Send a given membership again',
  access: 'user',
  params: ById,
  reply: GivenMembership,
})

/** Within 14 days of the purchase, unclaimed: all of the money goes back to how it was paid. 422 otherwise. */
export const takeBackGivenMembership = endpoint({
  method: 'POST',
  path: '/api/subscriptions/given/{id}/take-back',
  summary: 'Take back a membership that was given',
  access: 'user',
  params: ById,
  reply: GivenMembership,
})
