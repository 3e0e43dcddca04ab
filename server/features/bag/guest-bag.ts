import type { RealTime } from '../../clock.ts'
import type { Db, Database } from '../../db/open.ts'
import { notFound } from '../../http/http-errors.ts'
import {
  clearCart,
  type CartRow,
  insertCart,
  lockCart,
  lockCartOf,
  makeOwnedGifts,
  moveItems,
  selectCart,
  selectCartOf,
  selectItems,
  updateCart,
} from './queries.ts'
import { errorCode } from '../../log/error-code.ts'

/** The caller. A guest's bag is open to every caller who knows its id; an account's bag only to that account. */
export interface Holder {
  readonly userId: string | null
}

/** Until the first title is added, the account's id, which becomes the bag's: a GET request creates no bag. */
export const cartIdOf = async (db: Db, userId: string): Promise<string> =>
  (await selectCartOf(db, userId))?.id ?? userId

/** Without a lock. @throws 404 for a bag that the caller does not hold */
export async function findCart(db: Db, id: string, holder: Holder): Promise<{ id: string }> {
  if (id.toLowerCase() === holder.userId) return { id: await cartIdOf(db, id) }
  const cart = await selectCart(db, id)
  return { id: (await followed(cart, holder, (target) => selectCart(db, target))).id }
}

/** The same with a lock until the transaction ends. Null means the account's own bag, or a new guest bag. */
export async function lockBag(
  tx: Db,
  id: string | null,
  holder: Holder,
  now: RealTime,
): Promise<Pick<CartRow, 'id' | 'userId'>> {
  const { userId } = holder
  if (userId !== null && (id === null || id.toLowerCase() === userId)) return lockOwnCart(tx, userId, now)
  if (id === null) return (await insertCart(tx, { createdAt: now, updatedAt: now }))!
  return followed(await lockCart(tx, id), holder, (target) => lockCart(tx, target))
}

export const lockOwnBag = async (tx: Db, userId: string, now: RealTime): Promise<string> =>
  (await lockOwnCart(tx, userId, now)).id

async function lockOwnCart(tx: Db, userId: string, now: RealTime): Promise<CartRow> {
  const own = await lockCartOf(tx, userId)
  if (own) return own
  // If a concurrent call creates the bag, this insert waits for it and does nothing; either way the bag now exists.
  await insertCart(tx, { id: userId, userId, createdAt: now, updatedAt: now })
  return (await lockCartOf(tx, userId))!
}

async function followed(
  cart: CartRow | undefined,
  { userId }: Holder,
  find: (id: string) => Promise<CartRow | undefined>,
): Promise<CartRow> {
  // A bag is merged into an account's, so a visitor gets nothing.
  const target = cart?.mergedInto ? await find(cart.mergedInto) : cart
  if (!target || (target.userId !== null && target.userId !== userId)) throw notFound()
  return target
}

export interface Joined {
  readonly cartId: string
  readonly added: string[]
  readonly alreadyInBag: string[]
  readonly becameGifts: string[]
}

/** Safe to repeat: a second call merges nothing (OP-13, trap 29). @throws 404 for another account's bag */
export async function joinCarts(
  db: Database,
  guestId: string,
  { userId, now }: { userId: string; now: RealTime },
): Promise<Joined> {
  try {
    return await db.transaction((tx) => join(tx, guestId, userId, now))
  } catch (error) {
    // Two guest bags became the account's first bag concurrently. The repeated call finds that the account has one now.
    if (!isUniqueViolation(error)) throw error
    return db.transaction((tx) => join(tx, guestId, userId, now))
  }
}

/** In the transaction that creates the account. */
export async function adoptCart(tx: Db, guestId: string, userId: string, now: RealTime): Promise<void> {
  await join(tx, guestId, userId, now)
}

async function join(tx: Db, guestId: string, userId: string, now: RealTime): Promise<Joined> {
  const nothing = { added: [], alreadyInBag: [], becameGifts: [] }
  if (guestId.toLowerCase() === userId) return { cartId: await cartIdOf(tx, userId), ...nothing }
  const guest = await lockCart(tx, guestId)
  const held = await followed(guest, { userId }, (id) => lockCart(tx, id))
  if (held.userId === userId) return { cartId: held.id, ...nothing }

  const own = await lockCartOf(tx, userId)
  const guestItems = await selectItems(tx, held.id, userId)
  if (!own) {
    await updateCart(tx, held.id, { userId, updatedAt: now })
    await makeOwnedGifts(tx, held.id, userId)
    return { cartId: held.id, ...mergedBag(guestItems, new Set(guestItems.map(({ id }) => id))) }
  }
  const moved = new Set(await moveItems(tx, held.id, own.id))
  await clearCart(tx, held.id)
  await makeOwnedGifts(tx, own.id, userId)
  await updateCart(tx, held.id, { mergedInto: own.id, couponCode: null, updatedAt: now })
  await updateCart(tx, own.id, {
    couponCode: own.couponCode ?? held.couponCode,
    updatedAt: now,
  })
  return { cartId: own.id, ...mergedBag(guestItems, moved) }
}

function mergedBag(
  guestItems: readonly { id: string; title: string; owned: boolean; gift: boolean }[],
  moved: Set<string>,
) {
  const added = guestItems.filter(({ id }) => moved.has(id))
  return {
    added: added.map(({ title }) => title),
    alreadyInBag: guestItems.filter(({ id }) => !moved.has(id)).map(({ title }) => title),
    becameGifts: added.filter(({ owned, gift }) => owned && !gift).map(({ title }) => title),
  }
}

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && errorCode(error.cause) === '23505'
