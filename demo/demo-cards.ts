import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { cardHash, readTyped } from '#server/codes/cards.ts'
import { USUAL_VAT } from '#server/settings/owners-terms.ts'
import type { Transaction } from '#server/db/open.ts'
import { outlets, users } from '#server/db/schema/accounts.ts'
import { cardActivations, cardBatches, cards } from '#server/db/schema/cards.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { recordCardTitles } from '#server/features/outlets/queries.ts'
import { sellCard } from '#server/features/outlets/service.ts'
import type { DemoSettings } from './demo-purchases.ts'

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

const DAY = 24 * 3_600_000

/**
 * Inserts the cards of `cards.json`. Their codes are readable, and number and code are the same, so that one code both
 * activates and redeems. A shop's own cards never have such codes.
 */
export async function loadCards(
  tx: Transaction,
  content: string,
  { config, now }: DemoSettings,
): Promise<void> {
  const file = join(content, 'cards.json')
  if (!existsSync(file)) return
  const demo: DemoCards = JSON.parse(readFileSync(file, 'utf8'))
  await recordCardTitles(tx, now)
  const [outlet] = await tx.select().from(outlets).where(eq(outlets.slug, demo.outlet))
  if (!outlet) throw new Error(`cards.json: ${demo.outlet} is not a bookshop of accounts.json.`)
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY)
  const batches = new Map<string, Batch>()
  for (const { code, slug, soldDaysAgo, redeemedBy, redeemedDaysAgo = 0 } of [
    ...demo.readable,
    ...demo.series.flatMap(numbered),
  ]) {
    const batch = batches.get(slug) ?? (await insertBatch(tx, slug, daysAgo(90)))
    batches.set(slug, batch)
    const read = readTyped(code)
    const [reader] = redeemedBy
      ? await tx.select({ id: users.id }).from(users).where(eq(users.email, redeemedBy))
      : []
    const [card] = await tx
      .insert(cards)
      .values({
        batchId: batch.id,
        number: read,
        codeHash: cardHash(config, read),
        redeemedAt: reader ? daysAgo(redeemedDaysAgo) : null,
        redeemedBy: reader?.id ?? null,
      })
      .returning({ id: cards.id })
    if (soldDaysAgo === undefined) continue
    const at = daysAgo(soldDaysAgo)
    const [activation] = await tx
      .insert(cardActivations)
      .values({ cardId: card!.id, outletId: outlet.id, activatedAt: at })
      .returning({ id: cardActivations.id })
    const { title, priceMinor } = batch
    const ending = read.slice(-4)
    await sellCard(tx, {
      activationId: activation!.id,
      outletId: outlet.id,
      title,
      ending,
      priceMinor,
      vatPercent: USUAL_VAT.audiobook,
      at,
    })
  }
}

interface Batch {
  readonly id: number
  readonly title: string
  readonly priceMinor: number
}

async function insertBatch(tx: Transaction, slug: string, madeAt: Date): Promise<Batch> {
  const [book] = await tx
    .select({ id: books.id, title: books.title, priceMinor: books.priceMinor })
    .from(books)
    .where(and(eq(books.slug, slug), eq(books.format, 'audio_book')))
  if (!book) throw new Error(`cards.json: ${slug} is not a demo title.`)
  const { title, priceMinor } = book
  const [row] = await tx
    .insert(cardBatches)
    .values({ bookId: book.id, priceMinor, madeAt })
    .returning({ id: cardBatches.id })
  return { id: row!.id, title, priceMinor }
}

function numbered({ from, to, code, ...card }: DemoCards['series'][number]): DemoCard[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    ...card,
    code: code.replace('{nnnn}', String(from + index).padStart(4, '0')),
  }))
}
