import { giveBook, restoreGift, takeBackGift } from '../gifts/title-gifts.ts'
import { selectOwnsByEmail } from '../gifts/queries.ts'
import { grantTitle } from '../library/service.ts'
import { deleteEntry } from '../library/queries.ts'
import type { Product } from '../products/product.ts'
import { giveMembership, suspendMembership, takeBackMembership } from '../gifts/membership-gifts.ts'

export const titleProduct: Product<'title'> = {
  async deliver(tx, shop, { bookId }, { userId, source }) {
    const entry = await grantTitle(tx, { userId, bookId, source, addedAt: shop.clock.now() })
    return entry === null ? { refused: 'owned' } : { deliveredId: entry }
  },
  give: async (tx, shop, { bookId, format }, { title: called, ...to }) => ({
    deliveredId: await giveBook(tx, shop, { ...to, book: { id: bookId, title: called, format } }),
  }),
  hasAlready: (tx, { bookId }, email) => selectOwnsByEmail(tx, bookId, email),
  takeBack: deleteEntry,
  takeBackGiven: takeBackGift,
  restore: (tx, shop, sold, to) => titleProduct.deliver(tx, shop, sold, to),
  restoreGiven: restoreGift,
}

/** A membership. The provider's invoices sell it (`membership/invoice-orders.ts`), so the checkout refuses it. */
export const membershipProduct: Product<'membership'> = {
  deliver: async () => ({ refused: 'elsewhere' }),
  give: async () => ({ refused: 'elsewhere' }),
  hasAlready: async () => false,
  takeBack: async () => undefined,
  takeBackGiven: async () => undefined,
}

/** A given membership: one payment that never renews. The payer needs no account. */
export const membershipGiftProduct: Product<'membership_gift'> = {
  // It is always a gift.
  deliver: async () => ({ refused: 'elsewhere' }),
  give: async (tx, shop, { kind: _kind, ...sold }, { title: _title, ...to }) => ({
    deliveredId: await giveMembership(tx, shop, { ...sold, ...to }),
  }),
  givenWithoutAccount: true,
  // A member can receive more months.
  hasAlready: async () => false,
  takeBack: async () => undefined,
  takeBackGiven: (tx, line, now) => takeBackMembership(tx, line, now),
  suspendGiven: (tx, line, at) => suspendMembership(tx, line, at),
}
