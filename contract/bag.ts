import Type, { type Static } from 'typebox'
import { DeviceHere, TokenPair } from './account.ts'
import { Email, NullableInteger, NullableString, nullable, PERSON_NAME, Pounds, Uuid } from './atoms.ts'
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
 * `price` is what this buyer pays for it before any code (a member's price for members), `discountPrice` what is
 * left after the code, null where no code touches this line. `book.price` stays the cover price.
 */
const cartItemFields = {
  uuid: Uuid,
  cart: Type.Object({ '@id': Type.String(), uuid: Uuid }),
  audioBook: nullable(BagAudioBook),
  eBook: nullable(BagEBook),
  /** Always true for a title that the buyer owns already (GIFT-11): see `inLibrary` of the book. */
  gift: Type.Boolean(),
  giftEmail: NullableString,
  giftMessage: NullableString,
  price: Pounds,
  discountPrice: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  /** Set on the lines that the bag's code reduces. */
  discountCode: NullableString,
  discountPercent: NullableInteger,
  /** VAT in what is paid for this line. */
  vat: Pounds,
  vatPercent: Type.Integer(),
  /** Not sold in the buyer's country: left out of every sum, and offers only its removal. */
  geoBlocked: Type.Boolean(),
  /** False where it cannot be bought now: blocked, or no longer sold. Left out of every sum. */
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

/** A bag with everything that is shown of it (ENT-06); every sum is what the server would charge. */
const cartFields = {
  uuid: Uuid,
  /** Total to pay, after the code. Never 0.01 to 0.29: such a rest is given away. */
  sumCheckedForPayment: Pounds,
  /** VAT in it. */
  sumVat: Pounds,
  /** Sub total: total to pay less VAT (BAG-02). */
  sumNet: Pounds,
  /** The total without any code: struck through where it differs (PAY-35). */
  sumBeforeDiscount: Pounds,
  /** All items, those that cannot be bought included. */
  itemCount: Type.Integer(),
  /** Whether something in it cannot be bought (BAG-19). */
  blocked: Type.Boolean(),
  /** What the bag's code takes off now; null without one, and where it cannot be used. */
  discount: nullable(AppliedDiscount),
  /** Why the code that was applied is not used now, such as a code already used by the account that logged in. */
  discountMessage: NullableString,
  items: Type.Array(CartMember),
}
export const Cart = item('Cart', cartFields)
export type Cart = Static<typeof Cart>

/** Titles, as they are told to the listener (trap 29). */
export const Merged = Type.Object({
  /** Came over from the device's bag. */
  added: Type.Array(Type.String()),
  /** Were in both: one of each is left. */
  alreadyInBag: Type.Array(Type.String()),
  /** Of what came over, those that the account owns already: they are gifts now. */
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
  /** Null or empty takes it away. */
  giftEmail: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 254 })),
  giftMessage: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: GIFT_MESSAGE_LENGTH }),
  ),
}

/**
 * Exactly one of `audioBook` and `eBook`. Without `cart` it goes into the caller's bag, or into a new guest's, whose
 * id the answer carries. 201; 200 with the item as it stands where the title is in the bag already. 404 for a bag
 * that is not the caller's or is gone (drop its id and ask again without), 422 with the reason for what cannot be
 * bought: not available, not in this region, free (`POST {kind}/add-to-library/{id}`).
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
 * `gift: false` forgets e-mail and message (GIFT-10), and is not heard for a title that the buyer owns (GIFT-11).
 * 422 `giftEmail: Invalid email` for a malformed one.
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
/** The same; what is left out is taken away. */
export const putCartItem = endpoint({
  method: 'PUT',
  path: '/api/cart_items/{id}',
  summary: 'Make a title a gift, or not',
  access: 'anyone',
  params: ById,
  body: Type.Object(giftFields),
  reply: CartItem,
})

/** 404 the second time, and for anybody but the bag's holder. */
export const removeCartItem = endpoint({
  method: 'DELETE',
  path: '/api/cart_items/{id}',
  summary: 'Take a title out of a bag',
  access: 'anyone',
  params: ById,
  status: 204,
})

/** The caller's own bag, empty where there was none yet: its id can be used like any other. */
export const getOwnCart = endpoint({
  method: 'GET',
  path: '/api/carts/own',
  summary: 'The caller’s bag',
  access: 'user',
  reply: Cart,
})

/** A guest's bag for whoever knows its id, an account's for the account only; 404 for everybody else. */
export const getCart = endpoint({
  method: 'GET',
  path: '/api/carts/{id}',
  summary: 'A bag with its sums',
  access: 'anyone',
  params: ById,
  reply: Cart,
})
/** The items alone, oldest first (API-61). */
export const listCartItems = endpoint({
  method: 'GET',
  path: '/api/carts/{id}/cart_items',
  summary: 'What is in a bag',
  access: 'anyone',
  params: ById,
  reply: collection(CartMember),
})

/**
 * Joins a guest's bag to the caller's (SESS-04, OP-13). Safe to repeat: the second time nothing is merged and the
 * answer is the caller's bag. 404 for another account's bag. The answer's `uuid` is the bag to go on with.
 */
export const applyUser = endpoint({
  method: 'POST',
  path: '/api/carts/{id}/apply-user',
  summary: 'Make a guest’s bag the caller’s',
  access: 'user',
  params: ById,
  reply: MergedCart,
})
/** The same service under the account's address (API-18). */
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
 * Keeps a code with the bag; null takes it away (DISC-04). 422 with the reason as `message` where it cannot be used:
 * 'This discount code is not valid', or one that contains 'already used' (ERR-05, ERR-06).
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

/** `updated` is true where something in the bag cannot be bought: remove it first (BAG-19, PAY-25). */
export const getAvailability = endpoint({
  method: 'GET',
  path: '/api/carts/{id}/availability',
  summary: 'Whether everything in a bag can be bought',
  access: 'anyone',
  params: ById,
  reply: Type.Object({ updated: Type.Boolean() }),
})
/** Takes out what cannot be bought; safe to repeat. */
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
 * Registers a visitor on payment: the account is made, logged in, and the bag is its own. 422 with 'already taken'
 * for a known e-mail; the bag then stays the visitor's.
 */
export const registerCart = endpoint({
  method: 'POST',
  path: '/api/carts/{id}/register',
  summary: 'Register on payment',
  access: 'open',
  params: ById,
  body: Type.Object({
    email: Email,
    password: Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max }),
    firstName: Type.String({ minLength: 2, maxLength: 100, pattern: PERSON_NAME }),
    lastName: Type.String({ minLength: 2, maxLength: 100 }),
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
  /** Of a free audiobook: the buyer gives up what would be paid back for it. Needed while they may withdraw. */
  waiver: Type.Optional(Type.Boolean()),
})

/**
 * Takes a free title, or one that a credit of the caller's claims (one credit, once), into the library (API-71,
 * API-73). Safe to repeat: an owned title is answered and nothing is spent. 422 for a title that must be paid.
 * `email`, where it is sent, must be the caller's own. While a membership can be withdrawn from, a credit needs `waiver`: 422
 * says what would then be left to pay back.
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
