import { giveBook, ownsByEmail, restoreGift, takeBackGift } from '../gifts/title-gifts.ts'
import { grantTitle, takeBackEntry } from '../library/service.ts'
import type { Product } from '../products/product.ts'

export const title: Product<'title'> = {
  async deliver(tx, shop, { bookId }, { userId, source }) {
    const entry = await grantTitle(tx, { userId, bookId, source, addedAt: shop.clock.now() })
    return entry === null ? { refused: 'owned' } : { deliveredId: entry }
  },
  give: async (tx, shop, { bookId, format }, { title: called, ...to }) => ({
    deliveredId: await giveBook(tx, shop, { ...to, book: { id: bookId, title: called, format } }),
  }),
  hasAlready: (tx, { bookId }, email) => ownsByEmail(tx, bookId, email),
  takeBack: takeBackEntry,
  takeBackGiven: takeBackGift,
  restore: (tx, shop, sold, to) => title.deliver(tx, shop, sold, to),
  restoreGiven: restoreGift,
}
