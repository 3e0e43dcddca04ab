import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAudioBook, aUser, inLibrary } from '#tests/support/builders.ts'
import { freshDataDir } from '#tests/support/database.ts'
import { findPostgres, type RunningPostgres, startPostgres } from '#tests/support/postgres.ts'
import { moveDatabase, NotEmpty } from './move.ts'
import { type OpenDatabase, openDatabase } from './open.ts'

let from: OpenDatabase
let postgres: RunningPostgres | undefined
beforeAll(async () => {
  from = await openDatabase({ dataDir: await freshDataDir() })
  if (findPostgres()) postgres = await startPostgres({ durable: false })
})
afterAll(async () => {
  await from.close()
  await postgres?.stop()
})

test.runIf(findPostgres())(
  'a shop moves into PostgreSQL with every row, once, and goes on there',
  async () => {
    const shop = { db: from.db, now: () => new Date() } as never
    const [first, second] = [await anAudioBook(shop), await anAudioBook(shop)]
    // Two books that refer to each other, the earlier to the later.
    await from.db.execute(sql`update books set counterpart_id = ${second.id} where id = ${first.id}`)
    const user = await aUser(shop)
    await inLibrary(shop, user, first)

    const into = await openDatabase({ dataDir: await freshDataDir(), databaseUrl: postgres!.url })
    try {
      const { rows } = await moveDatabase(from, into)
      expect(rows).toBeGreaterThan(4)
      for (const table of ['books', 'users', 'library_entries', 'people', 'book_people']) {
        const of = (database: OpenDatabase) =>
          database.db.execute(sql.raw(`select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`))
        expect((await of(into)).rows).toEqual((await of(from)).rows)
      }
      const made = await anAudioBook({ ...(shop as object), db: into.db } as never)
      expect(made.id).toBeGreaterThan(second.id)
      await expect(moveDatabase(from, into)).rejects.toThrow(NotEmpty)
    } finally {
      await into.close()
    }
  },
)
