import Type, { type Static } from 'typebox'
import { DeviceHere, TokenPair } from './account.ts'
import {
  CalendarDate,
  Email,
  NullableInteger,
  NullableString,
  nullable,
  PERSON_NAME,
  Pounds,
  Uuid,
} from './atoms.ts'
import { AudioBook, AudioBookCard, EBook, EBookCard, Location } from './catalogue.ts'
import { AppliedDiscount, NullableCouponCode } from './discounts.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'
import { GIFT_MESSAGE_LENGTH, PASSWORD_LENGTH } from './limits.ts'
import { PersonName } from './people.ts'

const bagBook = {
  locations: Type.Array(Location),
  tags: Type.Array(Type.Object({ title: Type.String() })),
  translator: nullable(PersonName),
}
export const BagAudioBook = Type.Object({ ...AudioBookCard.properties, ...bagBook })
export const BagEBook = Type.Object({ ...EBookCard.properties, ...bagBook })

/**
 * One title in a bag (ENT-07): exactly one of `audioBook` and `eBook` is set.
 *
 * `price` is this buyer's price before any code (the member's price for members). `discountPrice` is the price after
 * the code, or null if the code does not apply to this line. `book.price` is always the cover price.
 */
const cartItemFields = {
  uuid: Uuid,
  cart: Type.Object({ '@id': Type.String(), uuid: Uuid }),
  audioBook: nullable(BagAudioBook),
  eBook: nullable(BagEBook),
  /** Always true for a title that the buyer already owns (GIFT-11): see the book's `inLibrary`. */
  gift: Type.Boolean(),
  giftEmail: NullableString,
  giftMessage: NullableString,
  /** `2026-12-25`: it arrives at 8:00 in the giver's time zone; null for as soon as it is paid. */
  giftDeliveryDate: NullableString,
  price: Pounds,
  discountPrice: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  /** What a member would pay for it. Absent if the bag has no `sumForMembers`. */
  priceForMembers: Type.Optional(Pounds),
  discountCode: NullableString,
  discountPercent: NullableInteger,
  vat: Pounds,
  vatPercent: Type.Integer(),
  /** Not sold in the buyer's country: excluded from every sum, and can only be removed. */
  geoBlocked: Type.Boolean(),
  /** False if it cannot be bought: blocked, or no longer sold. Excluded from every sum. */
  available: Type.Boolean(),
}
export const CartItem = item('CartItem', cartItemFields)
export type CartItem = Static<typeof CartItem>
export const CartMember = Type.Object({
  '@id': Type.String(),
  '@type': Type.Literal('CartItem'),
  ...cartItemFields,
})
export type CartMember = Static<typeof CartMember>

/** A bag with everything that the page shows (ENT-06); every sum is what the server would charge. */
const cartFields = {
  uuid: Uuid,
  /** The total to pay, after the code. Never 0.01 to 0.29: such an amount is waived. */
  sumCheckedForPayment: Pounds,
  /** VAT included in `sumCheckedForPayment`. */
  sumVat: Pounds,
  /** Sub total: total to pay less VAT (BAG-02). */
  sumNet: Pounds,
  /** The total without a code; struck through if it differs (PAY-35). */
  sumBeforeDiscount: Pounds,
  /** What a member would pay. Absent for a member, with a code, and if it is no less. */
  sumForMembers: Type.Optional(Pounds),
  /** The number of all items, including those that cannot be bought. */
  itemCount: Type.Integer(),
  /** Whether the bag contains an item that cannot be bought (BAG-19). */
  blocked: Type.Boolean(),
  /** The current reduction by the bag's code; null without a code or if it cannot be used. */
  discount: nullable(AppliedDiscount),
  /** Why the bag's code cannot be used now, for example because the account that logged in has already used it. */
  discountMessage: NullableString,
  items: Type.Array(CartMember),
}
export const Cart = item('Cart', cartFields)
export type Cart = Static<typeof Cart>

/** Titles to report to the listener (trap 29). */
export const Merged = Type.Object({
  /** Titles moved from the device's bag. */
  added: Type.Array(Type.String()),
  /** Titles that were in both bags; one copy of each remains. */
  alreadyInBag: Type.Array(Type.String()),
  /** Moved titles that the account already owns, which became gifts. */
  becameGifts: Type.Array(Type.String()),
})
export const MergedCart = item('Cart', { ...cartFields, merged: Merged })
export type MergedCart = Static<typeof MergedCart>

const ById = Type.Object({ id: Uuid })
const BookIri = (kind: string) =>
  Type.String({ pattern: `^/api/${kind}/[a-z0-9]+(?:-[a-z0-9]+)*$`, maxLength: 200 })
const CartIri = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  pattern: '^/api/carts/[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
})

const giftFields = {
  gift: Type.Optional(Type.Boolean()),
  /** Null or an empty string removes it. */
  giftEmail: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 254 })),
  giftMessage: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: GIFT_MESSAGE_LENGTH }),
  ),
  /** Today or later in `giftTimeZone`, at most a year ahead. Null removes it. */
  giftDeliveryDate: Type.Optional(nullable(CalendarDate)),
  giftTimeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
}

/**
 * Exactly one of `audioBook` and `eBook`. Without `cart` the title is added to the caller's bag, or to a new guest bag
 * whose id is in the answer. 201; 200 with the existing item if the title is already in the bag. 404 for a bag that is
 * not the caller's or no longer exists (drop its id and send the request without it). 422 with the reason for a title
 * that cannot be bought: not available, not in this region, free (`POST {kind}/add-to-library/{id}`).
 */
export const addCartItem = endpoint({
  method: 'POST',
  path: '/api/cart_items',
  summary: 'Put a title into a bag',
  access: 'anyone',
  body: Type.Object({
    cart: Type.Optional(CartIri),
    audioBook: Type.Optional(BookIri('audio_books')),
    eBook: Type.Optional(BookIri('e_books')),
    ...giftFields,
  }),
  reply: CartItem,
})

/**
 * `gift: false` removes address and message (GIFT-10), and is ignored for a title that the buyer owns (GIFT-11). 422
 * `giftEmail: Invalid email` for a malformed address.
 */
export const patchCartItem = endpoint({
  method: 'PATCH',
  path: '/api/cart_items/{id}',
  summary: 'Make a title a gift, or not',
  access: 'anyone',
  params: ById,
  body: Type.Object(giftFields),
  reply: CartItem,
})
/** Like PATCH, but omitted fields are removed. */
export const putCartItem = endpoint({
  method: 'PUT',
  path: '/api/cart_items/{id}',
  summary: 'Make a title a gift, or not',
  access: 'anyone',
  params: ById,
  body: Type.Object(giftFields),
  reply: CartItem,
})

/** 404 the second time, and for another owner's bag. */
export const removeCartItem = endpoint({
  method: 'DELETE',
  path: '/api/cart_items/{id}',
  summary: 'Take a title out of a bag',
  access: 'anyone',
  params: ById,
  status: 204,
})

/** The caller's bag; empty if there was none. Its id can be used at once. */
export const getOwnCart = endpoint({
  method: 'GET',
  path: '/api/carts/own',
  summary: 'The caller’s bag',
  access: 'user',
  reply: Cart,
})

/** Anyone who knows its id can read a guest's bag; only the account can read its own. 404 otherwise. */
export const getCart = endpoint({
  method: 'GET',
  path: '/api/carts/{id}',
  summary: 'A bag with its sums',
  access: 'anyone',
  params: ById,
  reply: Cart,
})
/** The items only, oldest first (API-61). */
export const listCartItems = endpoint({
  method: 'GET',
  path: '/api/carts/{id}/cart_items',
  summary: 'What is in a bag',
  access: 'anyone',
  params: ById,
  reply: collection(CartMember),
})

/**
 * Merges a guest's bag into the caller's (SESS-04, OP-13). Safe to repeat: the second time nothing is merged and the
 * answer is the caller's bag. 404 for another account's bag. Continue with the answer's `uuid`.
 */
export const applyUser = endpoint({
  method: 'POST',
  path: '/api/carts/{id}/apply-user',
  summary: 'Make a guest’s bag the caller’s',
  access: 'user',
  params: ById,
  reply: MergedCart,
})
/** The same with the account's id in the path (API-18). */
export const updateUserCart = endpoint({
  method: 'POST',
  path: '/api/users/{id}/cart-update',
  summary: 'Make a guest’s bag the caller’s',
  access: 'user',
  params: ById,
  body: Type.Object({ cartUuid: Uuid }),
  reply: MergedCart,
})

/**
 * Stores a code with the bag; null removes it (DISC-04). 422 with the reason as `message` if it cannot be used: 'This
 * discount code is not valid', or a message that contains 'already used' (ERR-05, ERR-06).
 */
export const applyCoupon = endpoint({
  method: 'PATCH',
  path: '/api/carts/{id}/apply-coupon',
  summary: 'Apply a discount code to a bag',
  access: 'anyone',
  params: ById,
  body: Type.Object({ couponCode: NullableCouponCode }),
  reply: Cart,
})

/** `updated` is true if the bag contains an item that cannot be bought: remove it first (BAG-19, PAY-25). */
export const getAvailability = endpoint({
  method: 'GET',
  path: '/api/carts/{id}/availability',
  summary: 'Whether everything in a bag can be bought',
  access: 'anyone',
  params: ById,
  reply: Type.Object({ updated: Type.Boolean() }),
})
/** Removes the items that cannot be bought; safe to repeat. */
export const removeUnavailable = endpoint({
  method: 'POST',
  path: '/api/carts/{id}/availability',
  summary: 'Take out what cannot be bought',
  access: 'anyone',
  params: ById,
  body: Type.Object({ remove: Type.Literal(1) }),
  reply: Cart,
})

/**
 * Registers a visitor at checkout: creates the account, logs it in and assigns the bag to it. 422 with 'already taken'
 * for a known address; the bag then stays the visitor's.
 */
export const registerCart = endpoint({
  method: 'POST',
  path: '/api/carts/{id}/register',
  summary: 'Register on payment',
  access: 'open',
  params: ById,
  body: Type.Object({
    email: Email,
    /** Absent if a wallet pays: it asks for none, and some know a name of one word only. */
    password: Type.Optional(Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max })),
    firstName: Type.String({ minLength: 2, maxLength: 100, pattern: PERSON_NAME }),
    lastName: Type.Optional(Type.String({ minLength: 2, maxLength: 100 })),
    countryCode: Type.String({ pattern: '^[A-Z]{2}$' }),
    newsletter: Type.Optional(Type.Boolean()),
    device: Type.Optional(DeviceHere),
    terms: Type.Literal(true),
  }),
  reply: TokenPair,
})

const ByIdOrSlug = Type.Object({ id: Type.String({ minLength: 1, maxLength: 160 }) })
const TakeBody = Type.Object({
  email: Type.Optional(Email),
  /**
   * For a free audiobook: the buyer gives up the refund of its share of the membership. Required while the buyer may
   * withdraw.
   */
  waiver: Type.Optional(Type.Boolean()),
})

/**
 * Adds a free title, or one that a credit of the caller pays for (one credit, once), to the library (API-71, API-73).
 * Safe to repeat: for an owned title nothing is spent. 422 for a title that must be paid. `email`, if sent, must be the
 * caller's own. While a membership can be withdrawn from, a credit requires `waiver`; without it, 422 says what would
 * then be left to refund.
 */
export const takeAudioBook = endpoint({
  method: 'POST',
  path: '/api/audio_books/add-to-library/{id}',
  summary: 'Take a free audiobook, or claim one',
  access: 'user',
  params: ByIdOrSlug,
  body: TakeBody,
  reply: AudioBook,
})
export const takeEBook = endpoint({
  method: 'POST',
  path: '/api/e_books/add-to-library/{id}',
  summary: 'Take a free e-book',
  access: 'user',
  params: ByIdOrSlug,
  body: TakeBody,
  reply: EBook,
})
