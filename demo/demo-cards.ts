import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { cardHash, readTyped } from '#server/codes/cards.ts'
import { users } from '#server/db/schema/accounts.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { activate } from '#server/features/cards/point-of-sale.ts'
import { insertBatch, insertCards } from '#server/features/cards/queries.ts'
import { redeem } from '#server/features/cards/redemption.ts'
import { recordCardTitles, selectOutletNamed } from '#server/features/outlets/queries.ts'
import type { Shop } from '#server/shop.ts'
import type { ShopDaysAgo } from './shop-days-ago.ts'

interface DemoCard {
  readonly code: string
  readonly slug: string
  readonly soldDaysAgo?: number
  readonly redeemedBy?: string
  readonly redeemedDaysAgo?: number
}
interface DemoCards {
  readonly outlet: string
  readonly readable: readonly DemoCard[]
  readonly series: readonly (DemoCard & { readonly from: number; readonly to: number })[]
}

const ADDRESS = '127.0.0.1'

/** Number and code are the same, and readable. A shop's own cards never have such codes. */
export async function loadCards(daysAgo: ShopDaysAgo, content: string): Promise<void> {
  const file = join(content, 'cards.json')
  if (!existsSync(file)) return
  const demo: DemoCards = JSON.parse(readFileSync(file, 'utf8'))
  const { db, config, clock } = daysAgo(0)
  await recordCardTitles(db, clock.now())
  const outlet = await selectOutletNamed(db, demo.outlet)
  if (!outlet) throw new Error(`cards.json: ${demo.outlet} is not a bookshop of accounts.json.`)
  const [seller] = await db.select({ id: users.id }).from(users).where(eq(users.outletId, outlet.id))
  const all = [...demo.readable, ...demo.series.flatMap(numbered)]
  for (const [slug, ofTitle] of Map.groupBy(all, (card) => card.slug)) {
    const batchId = await makeBatch(daysAgo(90), slug)
    const codes = ofTitle.map(({ code }) => readTyped(code))
    await insertCards(
      db,
      codes.map((number) => ({ batchId, number, codeHash: cardHash(config, number) })),
    )
  }
  for (const { code: token, soldDaysAgo, redeemedBy, redeemedDaysAgo = 0 } of all) {
    if (soldDaysAgo === undefined) continue
    await activate(daysAgo(soldDaysAgo), {
      token,
      outletId: outlet.id,
      userId: seller!.id,
      address: ADDRESS,
      buyerEmail: null,
    })
    if (!redeemedBy) continue
    const [reader] = await db.select({ id: users.id }).from(users).where(eq(users.email, redeemedBy))
    const typed = { code: token, spiSin: undefined, address: ADDRESS, userId: reader!.id, country: 'GB' }
    await redeem(daysAgo(redeemedDaysAgo), typed)
  }
}

async function makeBatch({ db, clock }: Shop, slug: string): Promise<number> {
  const [book] = await db
    .select({ id: books.id, priceMinor: books.priceMinor })
    .from(books)
    .where(and(eq(books.slug, slug), eq(books.format, 'audio_book')))
  if (!book) throw new Error(`cards.json: ${slug} is not a demo title.`)
  return insertBatch(db, { bookId: book.id, priceMinor: book.priceMinor, madeAt: clock.now() })
}

function numbered({ from, to, code, ...card }: DemoCards['series'][number]): DemoCard[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    ...card,
    code: code.replace('{nnnn}', String(from + index).padStart(4, '0')),
  }))
}
