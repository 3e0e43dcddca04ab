import { and, eq } from 'drizzle-orm'
import type { Change } from '#server/commands/owner-command.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { personOf } from '#server/features/account/support.ts'
import { type Title, titleNamed } from '#server/features/catalogue/title-states.ts'
import { publish } from '#server/features/feed/service.ts'
import { grantTitle, takeBackEntry } from '#server/features/library/service.ts'
import type { Shop } from '#server/shop.ts'
import { refused } from '#server/http/http-errors.ts'
import { FORMAT_WORDS } from './titles-list.ts'

/** Gives a free copy, such as an author’s or a press copy; it stays in the library like a bought one. */
export async function giveTitle(shop: Shop, title: Title, address: string): Promise<Change> {
  const person = await personOf(shop.db, address)
  const books = await titleNamed(shop.db, title)
  const names = books.map((book) => `${book.title} (${FORMAT_WORDS[book.format]})`).join(' and ')
  return {
    about: `title ${title.slug}`,
    userId: person.id,
    what: `gave ${names}`,
    will: [`${names} comes into the library of ${person.email}, free of charge. They are not written to.`],
    carryOut: async () => {
      const given = await shop.db.transaction(async (tx) => {
        const made: string[] = []
        for (const { id: bookId } of books) {
          const entry = { userId: person.id, bookId, source: 'owner' as const, addedAt: shop.clock.now() }
          const entryId = await grantTitle(tx, entry)
          if (entryId !== null) made.push(entryId)
        }
        if (made.length > 0) await publish(tx, person.id, { type: 'library' }, shop.clock.now())
        return made
      })
      if (given.length === 0) throw refused(`${person.email} has it already.`)
      return { lines: [`It is in the library of ${person.email}.`], json: { given: given.length } }
    },
  }
}

/** Takes back a given title only; a bought title is taken back by a refund. */
export async function takeTitle(shop: Shop, title: Title, address: string): Promise<Change> {
  const person = await personOf(shop.db, address)
  const books = await titleNamed(shop.db, title)
  const entries: string[] = []
  for (const { id: bookId } of books) {
    const [entry] = await shop.db
      .select({ id: libraryEntries.id })
      .from(libraryEntries)
      .where(
        and(
          eq(libraryEntries.userId, person.id),
          eq(libraryEntries.bookId, bookId),
          eq(libraryEntries.source, 'owner'),
        ),
      )
    if (entry) entries.push(entry.id)
  }
  if (entries.length === 0)
    throw refused(
      `${person.email} has no copy of ${books[0]!.title} that you gave. What they bought goes back by npm run orders -- refund.`,
    )
  return {
    about: `title ${title.slug}`,
    userId: person.id,
    what: `took back ${books[0]!.title}`,
    will: [
      `${books[0]!.title}, which you gave, leaves the library of ${person.email}. They are not written to.`,
    ],
    carryOut: async () => {
      await shop.db.transaction(async (tx) => {
        for (const entryId of entries) await takeBackEntry(tx, entryId)
        await publish(tx, person.id, { type: 'library' }, shop.clock.now())
      })
      return { lines: ['It is taken back.'], json: { taken: entries.length } }
    },
  }
}
