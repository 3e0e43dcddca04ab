import { CURRENCY } from '#contract/limits.ts'
import { toMinor } from '#format/money.ts'

/** A book as the data layer has it; of the catalogue's cards and the bag's items alike. */
export interface SeenBook {
  readonly entityType: 'audioBook' | 'eBook'
  readonly slug: string
  readonly title: string
  /** The price for this reader, in pounds. */
  readonly price: number
}

interface Item {
  readonly item_id: string
  readonly item_name: string
  readonly item_category: string
  readonly price: number
  readonly quantity: 1
  /** Place in the list, from 1. */
  readonly index?: number
  readonly item_list_name?: string
}

export interface DataLayerEvent {
  readonly event: 'view_item_list' | 'view_item' | 'add_to_cart' | 'remove_from_cart' | 'view_cart'
  readonly ecommerce: {
    readonly currency: typeof CURRENCY
    readonly value: number
    /** For the data layer only: a flat fifth of the amount, whatever the books' own VAT is (docs/product.md, Money). */
    readonly tax: number
    readonly item_list_name?: string
    readonly items: readonly Item[]
  }
}

/** One page of a list; `first` is the place of its first book in the whole list, from 1. */
export const viewItemList = (list: string, books: readonly SeenBook[], first: number): DataLayerEvent => {
  const items = books.map((book, place) => ({ ...itemOf(book), index: first + place, item_list_name: list }))
  const { ecommerce } = eventOf('view_item_list', books)
  return { event: 'view_item_list', ecommerce: { ...ecommerce, item_list_name: list, items } }
}
export const viewItem = (book: SeenBook) => eventOf('view_item', [book])
export const addToCart = (book: SeenBook) => eventOf('add_to_cart', [book])
export const removeFromCart = (book: SeenBook) => eventOf('remove_from_cart', [book])

/** @param totalMinor what the bag costs, as the server says; discounts make it less than its books' sum */
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

/** Both formats of a title share its slug, and ids are counted for each format: only together they name one book. */
const itemOf = ({ entityType, slug, title, price }: SeenBook): Item => ({
  item_id: `${entityType === 'eBook' ? 'e_books' : 'audio_books'}/${slug}`,
  item_name: title,
  item_category: entityType === 'eBook' ? 'E-book' : 'Audiobook',
  price,
  quantity: 1,
})
