import { CURRENCY } from '#contract/limits.ts'
import { toMinor } from '#format/money.ts'

/** A book for the data layer, from a catalogue card or a bag item. */
export interface SeenBook {
  readonly entityType: 'audioBook' | 'eBook'
  readonly slug: string
  readonly title: string
  /** In pounds, as this user sees it. */
  readonly price: number
}

interface Item {
  readonly item_id: string
  readonly item_name: string
  readonly item_category: string
  readonly price: number
  readonly quantity: 1
  /** From 1. */
  readonly index?: number
  readonly item_list_name?: string
}

export interface DataLayerEvent {
  readonly event: 'view_item_list' | 'view_item' | 'add_to_cart' | 'remove_from_cart' | 'view_cart'
  readonly ecommerce: {
    readonly currency: typeof CURRENCY
    readonly value: number
    /** For the data layer only: a flat 20 % of the amount, not the books' own VAT (docs/product.md, Money). */
    readonly tax: number
    readonly item_list_name?: string
    readonly items: readonly Item[]
  }
}

/** `first` is the position of the first book in the whole list, from 1. */
export const viewItemList = (list: string, books: readonly SeenBook[], first: number): DataLayerEvent => {
  const items = books.map((book, place) => ({ ...itemOf(book), index: first + place, item_list_name: list }))
  const { ecommerce } = eventOf('view_item_list', books)
  return { event: 'view_item_list', ecommerce: { ...ecommerce, item_list_name: list, items } }
}
export const viewItem = (book: SeenBook) => eventOf('view_item', [book])
export const addToCart = (book: SeenBook) => eventOf('add_to_cart', [book])
export const removeFromCart = (book: SeenBook) => eventOf('remove_from_cart', [book])

/** @param totalMinor the server's total, in pence: with discounts it is less than the sum of the books */
export const viewCart = (books: readonly SeenBook[], totalMinor: number) =>
  eventOf('view_cart', books, totalMinor)

const TAX_PERCENT = 20

function eventOf(
  event: DataLayerEvent['event'],
  books: readonly SeenBook[],
  amountMinor = books.reduce((sum, book) => sum + toMinor(book.price), 0),
): DataLayerEvent {
  const taxMinor = Math.round((amountMinor * TAX_PERCENT) / 100)
  return {
    event,
    ecommerce: {
      currency: CURRENCY,
      value: amountMinor / 100,
      tax: taxMinor / 100,
      items: books.map(itemOf),
    },
  }
}

/** Both formats share a slug, and ids are unique only per format. */
const itemOf = ({ entityType, slug, title, price }: SeenBook): Item => ({
  item_id: `${entityType === 'eBook' ? 'e_books' : 'audio_books'}/${slug}`,
  item_name: title,
  item_category: entityType === 'eBook' ? 'E-book' : 'Audiobook',
  price,
  quantity: 1,
})
