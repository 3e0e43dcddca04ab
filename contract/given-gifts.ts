import Type, { type Static } from 'typebox'
import { CalendarDate, Email, embedded, Instant, NullableString, nullable, Pounds, Uuid } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'
import {
  GiftCardFile,
  GIVEN_STATES,
  GivenMembership,
  type GivenState,
  NullableMessage,
  NullableName,
} from './membership-gifts.ts'

/** A book that the caller gave: sent at once, or at 8:00 on its day. It doesn't lapse. */
export const GivenTitle = embedded('GivenTitle', {
  id: Uuid,
  title: Type.String(),
  format: Type.Unsafe<'audiobook' | 'e-book'>({ type: 'string', enum: ['audiobook', 'e-book'] }),
  slug: Type.String(),
  state: Type.Unsafe<GivenState>({ type: 'string', enum: [...GIVEN_STATES] }),
  giftEmail: Type.String(),
  giftMessage: NullableString,
  /** Null for a gift that was sent at once. */
  giftDeliveryDate: NullableString,
  giftTimeZone: NullableString,
  givenAt: Instant,
  /** Null until its day. */
  sentAt: nullable(Instant),
  claimedAt: nullable(Instant),
  giftUser: nullable(Type.Object({ email: Type.String(), fullName: Type.String() })),
  /** What the recipient wrote; text, never markup. */
  thanks: NullableString,
  order: nullable(Uuid),
  /** The price paid, in pounds. */
  amount: Pounds,
  /** True for an unclaimed gift, which can be corrected and sent again. */
  changeable: Type.Boolean(),
  /** The end of the time for taking it back and the refund; null if it can’t be taken back. */
  takeBack: nullable(Type.Object({ until: Instant, amount: Pounds })),
})
export type GivenTitle = Static<typeof GivenTitle>

const ById = Type.Object({ id: Uuid })
const TitleCorrection = {
  giftEmail: Type.Optional(Email),
  giftMessage: Type.Optional(NullableMessage),
  /** Until the gift was sent. */
  giftDeliveryDate: Type.Optional(nullable(CalendarDate)),
  giftTimeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
}

/** Newest first. */
export const listGivenTitles = endpoint({
  method: 'GET',
  path: '/api/gifts/given',
  summary: 'Books that the caller gave',
  access: 'user',
  reply: collection(GivenTitle),
})

/**
 * Corrects an unclaimed gift; omitted fields stay as they are. A change creates a new link and code and emails them;
 * the previous ones stop working. 404 for another giver's gift, 422 'Already have this book' for an address that owns
 * it, 429 after a few changes.
 */
export const correctGivenTitle = endpoint({
  method: 'PATCH',
  path: '/api/gifts/given/{id}',
  summary: 'Correct a book that was given',
  access: 'user',
  params: ById,
  body: Type.Object(TitleCorrection),
  reply: GivenTitle,
})

/** Sends the email again with a new link and code. 429 after a few emails. */
export const sendGivenTitleAgain = endpoint({
  method: 'POST',
  path: '/api/gifts/given/{id}/send-again',
  summary: 'Send a given book again',
  access: 'user',
  params: ById,
  reply: GivenTitle,
})

/**
 * Makes a card to print: A4, folded to A6, with a code that opens the gift for the recipient's address, from its day.
 * The same gift has the same code until its address is corrected. 422 for a gift that is over.
 */
export const makeCardOfGivenTitle = endpoint({
  method: 'POST',
  path: '/api/gifts/given/{id}/card',
  summary: 'Print a card for a book that was given',
  access: 'user',
  params: ById,
  reply: GiftCardFile,
})

/** Refunds an unclaimed gift within 14 days of the purchase, to its payment method. 422 otherwise. */
export const takeBackGivenTitle = endpoint({
  method: 'POST',
  path: '/api/gifts/given/{id}/take-back',
  summary: 'Take back a book that was given',
  access: 'user',
  params: ById,
  reply: GivenTitle,
})

/** The gift of a link in its giver's emails. Exactly one of the two fields is set. */
const GivenByLink = embedded('GivenByLink', {
  title: nullable(GivenTitle),
  membership: nullable(GivenMembership),
})
export type GivenByLink = Static<typeof GivenByLink>

const ByToken = Type.Object({ token: Type.String({ minLength: 1, maxLength: 128 }) })

/** For a giver without a session or an account. 404 for an unknown token. */
export const seeGivenByLink = endpoint({
  method: 'GET',
  path: '/api/gifts/given-by-link/{token}',
  summary: 'A gift, for its giver',
  access: 'anyone',
  params: ByToken,
  reply: GivenByLink,
})
/** Same rules as in the giver's list; the first name only applies to a membership. */
export const correctGivenByLink = endpoint({
  method: 'PATCH',
  path: '/api/gifts/given-by-link/{token}',
  summary: 'Correct a gift, by its giver’s link',
  access: 'anyone',
  params: ByToken,
  body: Type.Object({
    ...TitleCorrection,
    giftRecipientFirstName: Type.Optional(NullableName),
  }),
  reply: GivenByLink,
})
export const sendGivenByLinkAgain = endpoint({
  method: 'POST',
  path: '/api/gifts/given-by-link/{token}/send-again',
  summary: 'Send a gift again, by its giver’s link',
  access: 'anyone',
  params: ByToken,
  reply: GivenByLink,
})
export const makeCardByLink = endpoint({
  method: 'POST',
  path: '/api/gifts/given-by-link/{token}/card',
  summary: 'Print a card for a gift, by its giver’s link',
  access: 'anyone',
  params: ByToken,
  reply: GiftCardFile,
})
export const takeBackGivenByLink = endpoint({
  method: 'POST',
  path: '/api/gifts/given-by-link/{token}/take-back',
  summary: 'Take back a gift, by its giver’s link',
  access: 'anyone',
  params: ByToken,
  reply: GivenByLink,
})
