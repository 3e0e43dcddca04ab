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
import { codeOf } from '../../log/error-code.ts'

/** The caller: a visitor holds a guest's bag by knowing its id, an account only its own. */
export interface Holder {
  readonly userId: string | null
}

/**
 * The id of an account's bag. Before there is one it is the account's own id, which becomes the bag's with the first
 * title: no GET needs to make one.
 */
export const cartIdOf = async (db: Db, userId: string): Promise<string> =>
  (await selectCartOf(db, userId))?.id ?? userId

/** A bag that this caller holds, not locked. Throws 404 for every other. */
export async function holdCart(db: Db, id: string, holder: Holder): Promise<{ id: string }> {
  if (id.toLowerCase() === holder.userId) return { id: await cartIdOf(db, id) }
  const cart = await selectCart(db, id)
  return { id: (await followed(cart, holder, (target) => selectCart(db, target))).id }
}

/** The same, locked until the transaction ends; null opens the account's own bag, or a new guest's. */
export async function lockHeldCart(
  tx: Db,
  id: string | null,
  holder: Holder,
  now: Date,
): Promise<Pick<CartRow, 'id' | 'userId'>> {
  const { userId } = holder
  if (userId !== null && (id === null || id.toLowerCase() === userId)) return lockOwnCart(tx, userId, now)
  if (id === null) return (await insertCart(tx, { createdAt: now, updatedAt: now }))!
  return followed(await lockCart(tx, id), holder, (target) => lockCart(tx, target))
}

/** An account's bag, locked until the transaction ends. */
export const lockOwnBag = async (tx: Db, userId: string, now: Date): Promise<string> =>
  (await lockOwnCart(tx, userId, now)).id

async function lockOwnCart(tx: Db, userId: string, now: Date): Promise<CartRow> {
  const own = await lockCartOf(tx, userId)
  if (own) return own
  // Another call may make it in the same moment; then this one waits for it, and either way finds it.
  await insertCart(tx, { id: userId, userId, createdAt: now, updatedAt: now })
  return (await lockCartOf(tx, userId))!
}

/** A merged guest's bag leads to the account's. */
async function followed(
  cart: CartRow | undefined,
  { userId }: Holder,
  find: (id: string) => Promise<CartRow | undefined>,
): Promise<CartRow> {
  const target = cart?.mergedInto ? await find(cart.mergedInto) : cart
  if (!target || (target.userId !== null && target.userId !== userId)) throw notFound()
  // A merged bag belongs to an account, so without one there is nothing to show.
  if (cart?.mergedInto && userId === null) throw notFound()
  return target
}

export interface Joined {
  readonly cartId: string
  readonly added: string[]
  readonly alreadyInBag: string[]
  readonly becameGifts: string[]
}

/**
 * Makes a guest's bag the account's, or part of the one it has (OP-13, trap 29). Safe to repeat: the second time
 * nothing is merged. Throws 404 for another account's bag.
 */
export async function joinCarts(
  db: Database,
  guestId: string,
  { userId, now }: { userId: string; now: Date },
): Promise<Joined> {
  try {
    return await db.transaction((tx) => join(tx, guestId, userId, now))
  } catch (error) {
    // Two guests' bags that both became the account's first: the later one finds that it has one now.
    if (!isUniqueViolation(error)) throw error
    return db.transaction((tx) => join(tx, guestId, userId, now))
  }
}

/** A guest's bag becomes a new account's, in the transaction that makes the account. Throws 404 for one that is taken. */
export async function adoptCart(tx: Db, guestId: string, userId: string, now: Date): Promise<void> {
  await join(tx, guestId, userId, now)
}

async function join(tx: Db, guestId: string, userId: string, now: Date): Promise<Joined> {
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
  error instanceof Error && codeOf(error.cause) === '23505'
