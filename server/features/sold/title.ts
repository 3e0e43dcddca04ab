import { giveBook, ownsByEmail, restoreGift, takeBackGift } from '../gifts/rules.ts'
import { grantTitle, takeBackEntry } from '../library/rules.ts'
import type { Selling } from './selling.ts'

/** An audiobook or an e-book: an entry of its owner's library, or a gift. */
export const title: Selling<'title'> = {
  deliveredColumn: 'entryId',
  columns: ({ bookId }) => ({ bookId }),
  // Neither is null: the table refuses a title without a book.
  read: ({ bookId, format }) => ({ kind: 'title', bookId: bookId!, format: format! }),
  async deliver(tx, shop, { bookId }, { userId, source }) {
    const entry = await grantTitle(tx, { userId, bookId, source, addedAt: shop.clock.now() })
    return entry === null ? { refused: 'owned' } : { deliveredId: entry }
  },
  give: async (tx, shop, { bookId, format }, { title: called, ...to }) => ({
    deliveredId: await giveBook(tx, shop, { ...to, book: { id: bookId, title: called, format } }),
  }),
  hasAlready: (tx, { bookId }, email) => ownsByEmail(tx, bookId, email),
  takeBack: takeBackEntry,
  books: ({ bookId }) => [bookId],
  takeBackGiven: takeBackGift,
  restore: (tx, shop, sold, to) => title.deliver(tx, shop, sold, to),
  restoreGiven: restoreGift,
  view({ bookId }, _brought, cards) {
    const card = cards.get(bookId)
    return {
      audioBook: card?.entityType === 'audioBook' ? card : null,
      eBook: card?.entityType === 'eBook' ? card : null,
      subscription: null,
    }
  },
}
