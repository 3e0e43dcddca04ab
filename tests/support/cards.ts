import { eq } from 'drizzle-orm'
import { cardHash, newCardCode, newCardNumber, readTyped } from '#server/codes/cards.ts'
import { users } from '#server/db/schema/accounts.ts'
import { cardBatches, cards } from '#server/db/schema/cards.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { aBuyer, type Buyer } from './purchases.ts'
import { anAudioBook, type TestBook } from './builders.ts'
import type { TestShop } from './shop.ts'

export interface TestCard {
  readonly id: string
  readonly number: string
  readonly code: string
  readonly book: TestBook
}

interface CardOf {
  readonly book?: TestBook
  readonly priceMinor?: number
  readonly outletId?: string
}

/** A printed card, with the code on it. */
export async function aCard(
  shop: TestShop,
  { book: given, priceMinor, outletId }: CardOf = {},
): Promise<TestCard> {
  const book = given ?? (await anAudioBook(shop, { priceMinor: 1200, availableAsCard: true }))
  const [{ price }] = (await shop.db
    .select({ price: books.priceMinor })
    .from(books)
    .where(eq(books.id, book.id))) as [{ price: number }]
  const [batch] = await shop.db
    .insert(cardBatches)
    .values({
      bookId: book.id,
      priceMinor: priceMinor ?? price,
      outletId: outletId ?? null,
      madeAt: shop.clock.now(),
    })
    .returning()
  const [number, code] = [newCardNumber(), newCardCode()]
  const [card] = await shop.db
    .insert(cards)
    .values({ batchId: batch!.id, number, codeHash: cardHash(shop.config, readTyped(code)) })
    .returning()
  return { id: card!.id, number, code, book }
}

export interface Bookshop extends Buyer {
  readonly outletId: string
  /** Activates a card; returns the activation's id. */
  sell(card: Pick<TestCard, 'number'>): Promise<string>
}

export async function aBookshop(shop: TestShop, name = 'Corner House Books'): Promise<Bookshop> {
  const desk = await aBuyer(shop, { outlet: name })
  const [row] = await shop.db.select().from(users).where(eq(users.id, desk.user.id))
  return {
    ...desk,
    outletId: row!.outletId!,
    async sell({ number }) {
      const answer = await desk.ask('POST', '/api/audiobook-cards/activate', { token: number })
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return answer.json().id
    },
  }
}
