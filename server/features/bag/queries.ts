import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { cartItems, carts } from '../../db/schema/bag.ts'

export type CartRow = typeof carts.$inferSelect

export async function selectCart(db: Db, id: string): Promise<CartRow | undefined> {
  const [row] = await db.select().from(carts).where(eq(carts.id, id))
  return row
}

export async function lockCart(db: Db, id: string): Promise<CartRow | undefined> {
  const [row] = await db.select().from(carts).where(eq(carts.id, id)).for('update')
  return row
}

export async function selectCartOf(db: Db, userId: string): Promise<CartRow | undefined> {
  const [row] = await db.select().from(carts).where(eq(carts.userId, userId))
  return row
}

export async function lockCartOf(db: Db, userId: string): Promise<CartRow | undefined> {
  const [row] = await db.select().from(carts).where(eq(carts.userId, userId)).for('update')
  return row
}

export async function insertCart(db: Db, cart: typeof carts.$inferInsert): Promise<CartRow | undefined> {
  const [row] = await db.insert(carts).values(cart).onConflictDoNothing().returning()
  return row
}

export async function updateCart(
  db: Db,
  id: string,
  change: Partial<typeof carts.$inferInsert>,
): Promise<void> {
  await db.update(carts).set(change).where(eq(carts.id, id))
}

export async function insertItem(db: Db, item: typeof cartItems.$inferInsert): Promise<string | undefined> {
  const [row] = await db
    .insert(cartItems)
    .values(item)
    .onConflictDoNothing({ target: [cartItems.cartId, cartItems.bookId] })
    .returning({ id: cartItems.id })
  return row?.id
}

export async function updateItem(
  db: Db,
  id: string,
  change: Partial<Omit<typeof cartItems.$inferInsert, 'id' | 'cartId' | 'bookId' | 'addedAt'>>,
): Promise<void> {
  await db.update(cartItems).set(change).where(eq(cartItems.id, id))
}

export async function deleteItems(db: Db, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const gone = await db
    .delete(cartItems)
    .where(inArray(cartItems.id, [...ids]))
    .returning({ id: cartItems.id })
  return gone.length
}

/** Deletes what the user has just bought for themselves by this order, which is not the bag's. */
export async function deleteBought(db: Db, userId: string, orderId: string): Promise<void> {
  await db.execute(sql`
    delete from cart_items i using carts c, order_lines l
    where c.id = i.cart_id and c.user_id = ${userId} and not i.gift
      and l.order_id = ${orderId} and l.kind = 'title' and not l.gift and l.book_id = i.book_id`)
}

export async function moveItems(db: Db, from: string, to: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    update cart_items i set cart_id = ${to}::uuid where i.cart_id = ${from}::uuid
      and not exists (select from cart_items o where o.cart_id = ${to}::uuid and o.book_id = i.book_id)
    returning i.id`)
  return rows.map(({ id }) => id)
}

export async function selectCartIdOfItem(db: Db, itemId: string): Promise<string | undefined> {
  const [row] = await db.select({ id: cartItems.cartId }).from(cartItems).where(eq(cartItems.id, itemId))
  return row?.id
}

export async function clearCart(db: Db, cartId: string): Promise<void> {
  await db.delete(cartItems).where(eq(cartItems.cartId, cartId))
}

/** Marks the titles that the account owns as gifts (OP-13). */
export async function makeOwnedGifts(db: Db, cartId: string, userId: string): Promise<void> {
  await db
    .update(cartItems)
    .set({ gift: true })
    .where(
      and(
        eq(cartItems.cartId, cartId),
        sql`exists (select from library_entries l where l.user_id = ${userId}::uuid and l.book_id = ${cartItems.bookId})`,
      ),
    )
}

export interface ItemRow extends Record<string, unknown> {
  id: string
  book_id: number
  gift: boolean
  gift_email: string | null
  gift_message: string | null
  gift_day: string | null
  gift_zone: string | null
  title: string
  format: 'audio_book' | 'e_book'
  price_minor: number
  member_price_minor: number | null
  sellable: boolean | null
  blocked_countries: string[]
  owned: boolean
  locations: { id: number; title: string }[]
  tags: { title: string }[]
  translator: readonly [firstName: string, lastName: string] | null
}

export async function selectItems(db: Db, cartId: string, userId: string | null): Promise<ItemRow[]> {
  const { rows } = await db.execute<ItemRow>(sql`
    select i.id, i.book_id, i.gift, i.gift_email, i.gift_message, i.gift_day, i.gift_zone, b.title, b.format, b.price_minor,
      b.member_price_minor, b.sellable, b.blocked_countries,
      exists (select from library_entries l where l.user_id = ${userId}::uuid and l.book_id = b.id) as owned,
      coalesce((select json_agg(json_build_object('id', l.id, 'title', l.title) order by l.title)
        from book_locations bl join locations l on l.id = bl.location_id where bl.book_id = b.id), '[]'::json) as locations,
      coalesce((select json_agg(json_build_object('title', t.title) order by t.title)
        from book_tags bt join tags t on t.id = bt.tag_id where bt.book_id = b.id), '[]'::json) as tags,
      (select json_build_array(p.first_name, p.last_name) from people p where p.id = b.translator_id) as translator
    from cart_items i join books b on b.id = i.book_id
    where i.cart_id = ${cartId}::uuid order by i.added_at, i.id`)
  return rows
}

export interface SaleRow extends Record<string, unknown> {
  id: number
  title: string
  price_minor: number
  member_price_minor: number | null
  sellable: boolean | null
  blocked_countries: string[]
  edition: boolean
  second_edition: boolean
  owned: boolean
}

/** By slug, or else by id; undefined also for a draft. */
export async function selectSale(
  db: Db,
  format: 'audio_book' | 'e_book',
  slugOrId: string,
  userId: string | null,
): Promise<SaleRow | undefined> {
  const id = /^\d{1,9}$/.test(slugOrId) ? Number(slugOrId) : null
  const { rows } = await db.execute<SaleRow>(sql`
    select b.id, b.title, b.price_minor, b.member_price_minor, b.sellable, b.blocked_countries,
      b.edition, b.second_edition,
      exists (select from library_entries l where l.user_id = ${userId}::uuid and l.book_id = b.id) as owned
    from books b where b.format = ${format} and coalesce(b.state_by_command, b.state) <> 'draft' and (b.slug = ${slugOrId} or b.id = ${id}::int)
    order by (b.slug = ${slugOrId}) desc limit 1`)
  return rows[0]
}

/** Merged bags only lead to the account's bag. */
export async function deleteOldCarts(db: Db, before: Date): Promise<void> {
  await db
    .delete(carts)
    .where(sql`${carts.userId} is null and ${carts.updatedAt} < ${before.toISOString()}::timestamptz`)
}
