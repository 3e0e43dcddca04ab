import type { Cart, CartMember } from '#contract/bag.ts'
import type { BookCard } from '#contract/catalogue.ts'
import { amount, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { NetProblem } from '#net/problem.ts'

type BookName = Pick<BookCard, 'entityType' | 'slug'>

/**
 * Whether a title is in the bag, as shown on the page of one format (BAG-16): this format is (`audio`,
 * `ebook`), only the other one is (`other-audio`, `other-ebook`), or neither.
 */
type CartState = 'audio' | 'ebook' | 'other-audio' | 'other-ebook' | 'none'

/** @param other slug of the same title in the other format; each format may have its own */
export function cartStateOf(
  items: readonly Pick<CartMember, 'audioBook' | 'eBook'>[],
  book: BookName,
  other: string | undefined,
): CartState {
  const holds = (entityType: BookCard['entityType'], slug: string | undefined) =>
    items.some((item) => {
      const held = entityType === 'audioBook' ? item.audioBook : item.eBook
      return slug !== undefined && held?.slug === slug
    })
  const isAudio = book.entityType === 'audioBook'
  if (holds(book.entityType, book.slug)) return isAudio ? 'audio' : 'ebook'
  if (holds(isAudio ? 'eBook' : 'audioBook', other)) return isAudio ? 'other-ebook' : 'other-audio'
  return 'none'
}

export const isInBag = (state: CartState): boolean => state === 'audio' || state === 'ebook'

/** How a reader can get a book. A book that is not for sale shows that in place of its price. */
export type Offer = 'none' | 'owned-free' | 'gift' | 'free' | 'claim' | 'buy'

export function offerOf(
  book: Pick<BookCard, 'entityType' | 'published' | 'geoBlocked' | 'price' | 'inLibrary' | 'moveToLibrary'>,
): Offer {
  if (book.inLibrary && book.price === 0) return 'owned-free'
  if (!book.published || book.geoBlocked) return 'none'
  if (book.inLibrary) return book.entityType === 'audioBook' ? 'gift' : 'none'
  if (book.price === 0) return 'free'
  return book.moveToLibrary ? 'claim' : 'buy'
}

/** BAG-01. Titles that cannot be bought are shown, but not included in the total. `joins`: at the member's prices. */
export function bagWords(
  cart: Pick<Cart, 'itemCount' | 'sumCheckedForPayment' | 'sumForMembers'>,
  joins = false,
): string {
  const sum = (joins ? cart.sumForMembers : undefined) ?? cart.sumCheckedForPayment
  return `Your bag has ${plural(cart.itemCount, 'item')} totalling ${amount(toMinor(sum))}`
}

export const itemsWords = ({ itemCount }: Pick<Cart, 'itemCount'>): string =>
  `Your bag has ${plural(itemCount, 'item')}`

/** A line's price in pence before and after the code, or what it costs after joining. */
export function linePrices({ price, discountPrice, priceForMembers }: CartMember, joins: boolean) {
  const now = (joins ? priceForMembers : discountPrice) ?? price
  return { before: toMinor(price), now: toMinor(now) }
}

/** The book of a line; undefined if the line has a format that this version doesn't know. */
export const bookOf = (item: Pick<CartMember, 'audioBook' | 'eBook'>) => item.audioBook ?? item.eBook

/** The message about titles merged from the device's bag (trap 29); empty if there are none. */
export function mergedWords(merged: {
  added: readonly string[]
  alreadyInBag: readonly string[]
  becameGifts: readonly string[]
}): string {
  const { added, alreadyInBag, becameGifts } = merged
  const words = [
    added.length > 0 && `${listed(added)} moved to your bag.`,
    alreadyInBag.length > 0 &&
      `${listed(alreadyInBag)} ${alreadyInBag.length === 1 ? 'was' : 'were'} already in it.`,
    becameGifts.length > 0 &&
      `You already own ${listed(becameGifts)}, so ${becameGifts.length === 1 ? 'it’s' : 'they’re'} now in your bag as ${becameGifts.length === 1 ? 'a gift' : 'gifts'}.`,
  ]
  return words.filter(Boolean).join(' ')
}

function listed(titles: readonly string[]): string {
  if (titles.length > 3) return plural(titles.length, 'book')
  const last = titles.at(-1) ?? ''
  return titles.length < 2 ? last : `${titles.slice(0, -1).join(', ')} and ${last}`
}

/** Why a title didn't go into the bag: the server's reason, if it gave one. */
export function notAddedWords(failure: unknown): string {
  if (failure instanceof NetProblem && failure.kind === 'refused' && failure.description)
    return failure.description
  return 'That didn’t go into your bag. Check your connection and try again.'
}

/** For the sentence that a buyer agrees to. */
export function ownAndGifts({ items }: Pick<Cart, 'items'>): { own: number; gifts: number } {
  const gifts = items.filter(({ gift }) => gift).length
  return { own: items.length - gifts, gifts }
}
