import { wait, within } from '#storage/wait.ts'
import type { QueryClient } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import type { Cart, CartItem, CartMember, MergedCart } from '#contract/bag.ts'
import type { Book, BookCard } from '#contract/catalogue.ts'
import { call } from '#net/call.ts'
import { connectivity } from '#net/connectivity.ts'
import { oneAtATime } from '#net/one-at-a-time.ts'
import { NetProblem } from '#net/problem.ts'
import { reloadUser } from '#session/session.ts'
import { currentSession, sessionKnown } from '#session/store.ts'
import { bookOf } from './model.ts'
import { bagKey, receivedBag, reloadBag } from './queries.ts'
import { bagHolder, dropCart, guestCart, storeCartId } from './store.ts'
import {
  bagOnDevice,
  forgetAdded,
  isWaitingLine,
  ownerOf,
  type ShownCart,
  waitToAdd,
  waitToRemove,
} from './waiting.ts'

type BookName = Pick<BookCard, 'entityType' | 'slug'>

/** A person who cannot be known by then (storage that hangs) fills a guest's bag, which joins the account's later. */
const KNOWN_WITHIN_MS = 3_000

/** Across tabs: two first books of a visitor must not begin two bags. */
const LOCK = 'murmur-bag'

/**
 * Puts a title into the bag, as a gift if `gift` is set; a visitor's first title creates the bag. Safe to repeat. If the
 * server can't be reached, the title waits on this device and the result is undefined.
 *
 * @throws {NetProblem} 422 with the reason where it cannot be bought, or whatever kept the server from answering
 */
export async function addToBag(
  queryClient: QueryClient,
  book: BookCard | BookName,
  { gift = false }: { readonly gift?: boolean } = {},
): Promise<CartItem | undefined> {
  let item: CartItem | undefined
  try {
    // Known to be offline: don't wait 30 seconds for the time-out.
    if (connectivity.snapshot() === 'offline') throw new NetProblem('offline', 0)
    item = await putIntoBag(book, gift)
  } catch (problem) {
    if (!(problem instanceof NetProblem) || !problem.unreachable || !('price' in book)) throw problem
    const owner = ownerOf(bagHolder())
    waitToAdd({ owner, book, gift, price: priceFor(book) })
    showWaiting(queryClient)
    return undefined
  }
  await reloadBag(queryClient)
  return item
}

/** The price shown to this buyer: members see the lower one. */
function priceFor({ price, subscriptionPrice }: BookCard): number {
  return currentSession().user?.currentSubscription ? Math.min(price, subscriptionPrice) : price
}

/** Shows the bag from this device at once; it is refetched when the server answers. */
function showWaiting(queryClient: QueryClient): void {
  const holder = bagHolder()
  queryClient.setQueryData<ShownCart | null>(bagKey(holder), bagOnDevice(holder))
}

/** Tells the shop; `addToBag` without the device's help. */
export async function putIntoBag(book: BookName, gift = false): Promise<CartItem> {
  // Before the lock, and not for ever: a lock that waits for the session would hold up the bag of every tab.
  await within(KNOWN_WITHIN_MS, sessionKnown())
  return whileLocked(async () => {
    const item = await add(book, gift).catch((problem: unknown) => {
      const stale = guestCart()
      // A bag that is gone, or that became an account's: begin another (contract/bag.ts).
      if (!stale || !(problem instanceof NetProblem) || problem.status !== 404) throw problem
      dropCart(stale)
      return add(book, gift)
    })
    if (bagHolder().kind !== 'user') storeCartId(item.cart.uuid)
    return item
  })
}

/** Longer than any call takes: storage that hangs may hold up one press, never the bag of every tab. */
const HELD_AT_MOST_MS = 60_000

const whileLocked = <T>(work: () => Promise<T>): Promise<T> =>
  oneAtATime(LOCK, () =>
    Promise.race([
      work(),
      wait(HELD_AT_MOST_MS).then(() => {
        throw new NetProblem('offline', 0)
      }),
    ]),
  )

function add({ entityType, slug }: BookName, gift: boolean): Promise<CartItem> {
  const user = bagHolder().kind === 'user'
  const cartId = user ? null : guestCart()
  return call('POST /api/cart_items', {
    body: {
      ...(cartId ? { cart: `/api/carts/${cartId}` } : {}),
      ...(entityType === 'audioBook'
        ? { audioBook: `/api/audio_books/${slug}` }
        : { eBook: `/api/e_books/${slug}` }),
      ...(gift ? { gift } : {}),
    },
    anonymous: !user,
  })
}

/** Gone already counts as removed: another tab was faster. False where the shop has not been told yet. */
export async function removeFromBag(
  queryClient: QueryClient,
  item: Pick<CartMember, 'uuid' | 'audioBook' | 'eBook'>,
): Promise<boolean> {
  const book = bookOf(item)
  if (isWaitingLine(item) && book) {
    forgetAdded({ book })
    showWaiting(queryClient)
    return false
  }
  try {
    if (connectivity.snapshot() === 'offline') throw new NetProblem('offline', 0)
    await call('DELETE /api/cart_items/{id}', { params: { id: item.uuid } })
  } catch (problem) {
    if (problem instanceof NetProblem && problem.unreachable) {
      waitToRemove(ownerOf(bagHolder()), item.uuid)
      showWaiting(queryClient)
      return false
    }
    if (!(problem instanceof NetProblem) || problem.status !== 404) throw problem
  }
  await reloadBag(queryClient)
  return true
}

export interface GiftDraft {
  readonly gift: boolean
  readonly giftEmail?: string | null
  readonly giftMessage?: string | null
}

/** By bag item, the wish that is on its way. */
const wishes = new Map<string, Promise<unknown>>()

/** In the order in which they were wished: what is typed after a press must not be overtaken by it. */
export async function saveGift(queryClient: QueryClient, uuid: string, draft: GiftDraft): Promise<CartItem> {
  // At once where none is on its way, and kept alive: the last words may be typed while the tab is being closed.
  const send = () =>
    call('PATCH /api/cart_items/{id}', { params: { id: uuid }, body: { ...draft }, keepalive: true })
  const sent = wishes.get(uuid)?.then(send, send) ?? send()
  wishes.set(uuid, sent)
  const saved = await sent.finally(() => wishes.get(uuid) === sent && wishes.delete(uuid))
  queryClient.setQueryData<Cart | null>(bagKey(bagHolder()), (cart) =>
    cart
      ? {
          ...cart,
          items: cart.items.map((item) =>
            item.uuid === uuid
              ? { ...item, gift: saved.gift, giftEmail: saved.giftEmail, giftMessage: saved.giftMessage }
              : item,
          ),
        }
      : cart,
  )
  return saved
}

/**
 * Takes out what cannot be bought and shows the bag as it is then (BAG-19). If that fails, the copy of this page is
 * dropped and the bag is read again: nothing is lost on the server (BAG-20).
 */
export async function removeBlocked(queryClient: QueryClient, cart: Cart): Promise<boolean> {
  try {
    await receivedBag(
      queryClient,
      await call('POST /api/carts/{id}/availability', { params: { id: cart.uuid }, body: { remove: 1 } }),
    )
    return true
  } catch {
    await queryClient.resetQueries({ queryKey: bagKey(bagHolder()) })
    return false
  }
}

/** True if something in the bag can no longer be bought: then nothing is paid before it was looked at (PAY-25). */
export const isUpdated = async (cartId: string): Promise<boolean> =>
  (await call('GET /api/carts/{id}/availability', { params: { id: cartId } })).updated

/**
 * Joins the guest's bag of this device to the account that just logged in, and forgets its id (SESS-04). Undefined
 * where there was none, or where it is somebody else's by now. It stays on the device while nobody answers.
 */
export const joinGuestBag = (queryClient: QueryClient): Promise<MergedCart['merged'] | undefined> =>
  whileLocked(async () => {
    const cartId = guestCart()
    const holder = bagHolder()
    if (!cartId || holder.kind !== 'user') return undefined
    try {
      const { merged, ...cart } = await call('POST /api/carts/{id}/apply-user', {
        params: { id: cartId },
        background: true,
      })
      // Somebody else came meanwhile: what was merged is none of theirs.
      if (bagKey(bagHolder()).join() !== bagKey(holder).join()) {
        dropCart(cartId)
        return undefined
      }
      // In this order, or the account's bag would show for a moment as it was before.
      await receivedBag(queryClient, cart)
      dropCart(cartId)
      return merged
    } catch (problem) {
      if (!(problem instanceof NetProblem) || problem.status !== 404) throw problem
      dropCart(cartId)
      return undefined
    }
  })

/**
 * Takes a free title, or one that a credit claims, into the library. Answers it with its files.
 *
 * @param choice of a free audiobook: whether what a withdrawal would pay back for it is given up
 */
export async function takeToLibrary(
  queryClient: QueryClient,
  { entityType, slug }: BookName,
  choice?: { readonly waiver: boolean },
): Promise<Book> {
  const kind = entityType === 'audioBook' ? 'audio_books' : 'e_books'
  const book = await call(`POST /api/${kind}/add-to-library/{id}`, {
    params: { id: slug },
    body: choice?.waiver ? { waiver: true } : {},
  })
  const holder = bagHolder()
  // Shelf, credits and what other pages say of this person's books.
  if (choice) void reloadUser().catch(() => undefined)
  if (holder.kind === 'user') await queryClient.invalidateQueries({ queryKey: ownKey(holder.uuid) })
  return book
}
