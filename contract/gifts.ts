import Type, { type Static } from 'typebox'
import { Email, embedded, Instant, NullableString, nullable, Uuid } from './atoms.ts'
import { AudioBook, AudioBookCard, EBook, EBookCard } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'
import { ThanksBody, ThanksState } from './membership-gifts.ts'

const ByIdOrSlug = Type.Object({ id: Type.String({ minLength: 1, maxLength: 160 }) })
const PurchasedBody = Type.Object({ email: Email })
const PurchasedReply = Type.Object({ purchased: Type.Boolean() })

/**
 * Whether the account with this address owns the title; false for an unknown address. 429 after too many (API-72, 94).
 */
export const audioBookPurchased = endpoint({
  method: 'POST',
  path: '/api/audio_books/{id}/purchased',
  summary: 'Whether somebody has this audiobook',
  access: 'anyone',
  params: ByIdOrSlug,
  body: PurchasedBody,
  reply: PurchasedReply,
})
export const eBookPurchased = endpoint({
  method: 'POST',
  path: '/api/e_books/{id}/purchased',
  summary: 'Whether somebody has this e-book',
  access: 'anyone',
  params: ByIdOrSlug,
  body: PurchasedBody,
  reply: PurchasedReply,
})

/** A gift book: exactly one of `audioBook` and `eBook` is set. */
export const Gift = embedded('Gift', {
  id: Uuid,
  audioBook: nullable(AudioBookCard),
  eBook: nullable(EBookCard),
  /** The account with this address can claim it (GIFT-19). */
  giftEmail: Type.String(),
  giftMessage: NullableString,
  giverName: Type.String(),
  givenAt: Instant,
  claimedAt: nullable(Instant),
  thanks: ThanksState,
})
export type Gift = Static<typeof Gift>

/** The token of the emailed link, or the code printed below it, in any case, with or without hyphens and spaces. */
const ByToken = Type.Object({ token: Type.String({ minLength: 1, maxLength: 128 }) })

/** Changes nothing. 404 for an unknown token, one of the other format, and a gift that was taken back. */
export const seeAudioBookGift = endpoint({
  method: 'GET',
  path: '/api/audio_books/claim/{token}',
  summary: 'What a gift link holds',
  access: 'anyone',
  params: ByToken,
  reply: Gift,
})
export const seeEBookGift = endpoint({
  method: 'GET',
  path: '/api/e_books/claim/{token}',
  summary: 'What a gift link holds',
  access: 'anyone',
  params: ByToken,
  reply: Gift,
})
/**
 * Adds the book to the caller's library, once; a repeat by the same account gets the same answer. 403 for an account
 * with another address than the gift's (ACC-27), 422 with 'already been redeemed' if another account claimed it, 422
 * 'Already have this book' for an owner: the gift then stays unclaimed.
 */
export const claimAudioBook = endpoint({
  method: 'POST',
  path: '/api/audio_books/claim/{token}',
  summary: 'Claim a gift',
  access: 'user',
  params: ByToken,
  reply: AudioBook,
})
export const claimEBook = endpoint({
  method: 'POST',
  path: '/api/e_books/claim/{token}',
  summary: 'Claim a gift',
  access: 'user',
  params: ByToken,
  reply: EBook,
})

/** Unclaimed gifts for the caller's address; none while the address is not confirmed. */
export const listWaitingGifts = endpoint({
  method: 'GET',
  path: '/api/gifts',
  summary: 'Gifts waiting for the caller',
  access: 'user',
  reply: collection(Gift),
})
/** Claims one of the waiting gifts without its token; the rules are those of the link. */
export const claimWaitingGift = endpoint({
  method: 'POST',
  path: '/api/gifts/{id}/claim',
  summary: 'Claim a waiting gift',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  reply: Gift,
})

/** The rules of thanking for a membership. */
export const thankForTitle = endpoint({
  method: 'POST',
  path: '/api/gifts/{id}/thanks',
  summary: 'Thank the giver of a book',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  body: ThanksBody,
  reply: Gift,
})
