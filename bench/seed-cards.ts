import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { newCardNumber } from '../server/codes/cards.ts'
import type { Database } from '../server/db/open.ts'

/** Rows per statement; short enough that other queries are not delayed. */
const BATCH = 10_000

/**
 * Inserts a batch of unsold cards for one audiobook. Their codes stay unknown.
 *
 * @returns the cards' numbers
 */
export async function seedCards(db: Database, count: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    insert into card_batches (book_id, price_minor, made_at)
    select id, 1200, now() from books where format = 'audio_book' and slug like 'heard-%' order by id limit 1
    returning id`)
  const numbers: string[] = []
  while (numbers.length < count) {
    const some = Array.from({ length: Math.min(BATCH, count - numbers.length) }, newCardNumber)
    const salt = randomBytes(16).toString('hex')
    const stored = await db.execute<{ number: string }>(sql`
      insert into cards (batch_id, number, code_hash)
      select ${rows[0]!.id}::int, value, ${salt}::text || value
      from jsonb_array_elements_text(${JSON.stringify(some)}::jsonb) on conflict do nothing returning number`)
    for (const { number } of stored.rows) numbers.push(number)
  }
  // The cards are on disk and the planner has statistics, as after the nightly maintenance.
  await db.execute(sql`vacuum analyze cards`)
  await db.execute(sql`checkpoint`)
  return numbers
}
