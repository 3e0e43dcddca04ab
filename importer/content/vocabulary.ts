import { asc, inArray } from 'drizzle-orm'
import type { Transaction } from '#server/db/open.ts'
import { books, publishers } from '#server/db/schema/catalogue.ts'

export async function bookIdsOf(tx: Transaction, slugs: readonly string[]): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>()
  if (slugs.length === 0) return found
  const rows = await tx
    .select({ id: books.id, slug: books.slug })
    .from(books)
    .where(inArray(books.slug, [...slugs]))
    .orderBy(asc(books.id))
  for (const { id, slug } of rows) found.set(slug, [...(found.get(slug) ?? []), id])
  return found
}

export async function knownPublishers(tx: Transaction, slugs: readonly string[]): Promise<Set<string>> {
  if (slugs.length === 0) return new Set()
  const rows = await tx
    .select({ slug: publishers.slug })
    .from(publishers)
    .where(inArray(publishers.slug, [...slugs]))
  return new Set(rows.map(({ slug }) => slug))
}
