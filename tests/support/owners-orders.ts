import { eq, like } from 'drizzle-orm'
import { ordersCommand } from '#server/commands/orders.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mails } from '#server/db/schema/mails.ts'
import { orders } from '#server/db/schema/orders.ts'
import { anAudioBook, type TestBook } from './builders.ts'
import { type Buyer, checkOut, comeBack, fillBag, type PayingShop } from './purchases.ts'
import { typed } from './run-command.ts'

export const WHY = ['--because', 'it broke', '--yes']

/** What an owner does with orders of a test's shop: buys as a customer, types commands, looks at the outcome. */
export const ownersOrders = ({ shop, payments }: PayingShop) => ({
  command: (...argv: string[]) => typed(shop, ordersCommand, argv),
  book: (title: string, priceMinor = 1200) => anAudioBook(shop, { title, priceMinor }),

  async bought(buyer: Buyer, titles: readonly (TestBook & { giftEmail?: string })[], code?: string) {
    const bag = titles.map((title) => ({ ...title, kind: 'audio_books' as const }))
    const till = await checkOut(buyer, await fillBag(buyer, bag), code)
    if (till.clientSecret) {
      payments.pay(till.intent, { last4: '4242' })
      await comeBack(buyer, till)
    }
    const [order] = await shop.db.select().from(orders).where(eq(orders.id, till.order))
    return { ...till, number: order!.number }
  },

  libraryOf: async ({ user }: Buyer) =>
    (await shop.db.select().from(libraryEntries).where(eq(libraryEntries.userId, user.id)))
      .map(({ bookId }) => bookId)
      .sort((one, two) => one - two),

  mailsAbout: (order: string) =>
    shop.db
      .select()
      .from(mails)
      .where(like(mails.key, `%:${order}:%`)),

  takenBy: async ({ user }: Buyer) =>
    (await shop.db.select().from(orders).where(eq(orders.userId, user.id)))[0]!.number,
})
