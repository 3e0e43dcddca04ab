import { createHash, randomUUID } from 'node:crypto'
import type { PlanId } from '#contract/plans.ts'
import {
  bookEditorial,
  editorialAuthors,
  editorialCategories,
  editorialItems,
  murmurationTypes,
} from '#server/db/schema/editorial.ts'
import { mediaFiles } from '#server/db/schema/media.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import type { Shop } from '#server/shop.ts'
import { aUser, type TestBook, type TestUser } from './builders.ts'

type ItemOf = Partial<typeof editorialItems.$inferInsert>

export interface WrittenItem {
  readonly id: number
  readonly slug: string
  readonly kind: 'article' | 'interview' | 'discussion'
}

/** A journal item, published now unless specified otherwise. */
export async function anItem(
  shop: Pick<Shop, 'db' | 'config' | 'now'>,
  { about = [], ...fields }: ItemOf & { about?: readonly TestBook[] } = {},
): Promise<WrittenItem> {
  const [item] = await shop.db
    .insert(editorialItems)
    .values({
      kind: 'article',
      slug: `an-item-${randomUUID().slice(0, 8)}`,
      title: 'An item',
      publishedAt: shop.now(),
      ...fields,
    })
    .returning()
  for (const [position, { id: bookId }] of about.entries())
    await shop.db.insert(bookEditorial).values({ bookId, itemId: item!.id, position })
  return { id: item!.id, slug: item!.slug, kind: item!.kind }
}

export async function anAuthor(
  { db }: Pick<Shop, 'db'>,
  firstName: string,
  lastName: string,
  biography?: string,
) {
  const nameKey = `${firstName} ${lastName}`.toLowerCase()
  const [row] = await db
    .insert(editorialAuthors)
    .values({ firstName, lastName, nameKey, biography: biography ?? null })
    .returning()
  return row!.id
}

export async function aMurmurationType({ db }: Pick<Shop, 'db'>, title: string): Promise<number> {
  const [row] = await db.insert(murmurationTypes).values({ title }).returning()
  return row!.id
}

export async function anEditorialCategory({ db }: Pick<Shop, 'db'>, name: string): Promise<number> {
  const [row] = await db.insert(editorialCategories).values({ name }).returning()
  return row!.id
}

/** A recording of 90 s, without an audio file. */
export async function aRecording({ db }: Pick<Shop, 'db'>, name: string): Promise<string> {
  const sha256 = createHash('sha256').update(name).digest('hex')
  await db.insert(mediaFiles).values({ sha256, extension: 'mp3', bytes: 720_000, durationMs: 90_000 })
  return sha256
}

/** An account whose membership of this plan lasts another month, unless specified otherwise. */
export async function aMember(
  shop: Pick<Shop, 'db' | 'config' | 'now'>,
  plan: PlanId,
  fields: Partial<typeof subscriptions.$inferInsert> = {},
): Promise<TestUser> {
  const user = await aUser(shop)
  const inDays = (days: number) => new Date(shop.now().getTime() + days * 24 * 3_600_000)
  await shop.db.insert(subscriptions).values({
    userId: user.id,
    plan,
    status: 'active',
    periodStart: inDays(-1),
    periodEnd: inDays(30),
    validUntil: inDays(30),
    ...fields,
  })
  return user
}
