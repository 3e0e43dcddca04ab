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

/**
 * If the session is still unknown by then (storage that hangs), use a guest's bag, which is merged at log-in.
 */
const KNOWN_WITHIN_MS = 3_000

/** Shared by all tabs: two first titles of a visitor must not create two bags. */
const LOCK = 'murmur-bag'

/**
 * Puts a title into the bag, as a gift if `gift` is set; a visitor's first title creates the bag. Safe to
 * repeat. If the server can't be reached, the title waits on this device and the result is undefined.
 * @throws {NetProblem} 422 with the reason if the title cannot be bought, or any other failure
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

export function priceFor({ price, subscriptionPrice }: BookCard): number {
  return currentSession().user?.currentSubscription ? Math.min(price, subscriptionPrice) : price
}

function showWaiting(queryClient: QueryClient): void {
  const holder = bagHolder()
  queryClient.setQueryData<ShownCart | null>(bagKey(holder), bagOnDevice(holder))
}

/** Adds a title on the server; unlike `addToBag`, doesn't store it on the device if that fails. */
export async function putIntoBag(book: BookName, gift = false): Promise<CartItem> {
  /**
   * Outside the lock and with a time limit: waiting for the session inside it would block the bag in every
   * tab.
   */
  await within(KNOWN_WITHIN_MS, sessionKnown())
  return whileLocked(async () => {
    const item = await add(book, gift).catch((problem: unknown) => {
      const stale = guestCart()
      // The bag was deleted or now belongs to an account: create another (contract/bag.ts).
      if (!stale || !(problem instanceof NetProblem) || problem.status !== 404) throw problem
      dropCart(stale)
      return add(book, gift)
    })
    if (bagHolder().kind !== 'user') storeCartId(item.cart.uuid)
    return item
  })
}

/** Longer than any call takes. If storage hangs, it may block one press, but never the bag in every tab. */
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

/** A 404 counts as removed: another tab was faster. False if the server hasn't been told yet. */
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
  readonly giftDeliveryDate?: string | null
  readonly giftTimeZone?: string
}

/** The change that is being sent, by bag item. */
const wishes = new Map<string, Promise<unknown>>()

/** Sends changes in order, so that a later edit can't be overtaken by an earlier one. */
export async function saveGift(queryClient: QueryClient, uuid: string, draft: GiftDraft): Promise<CartItem> {
  // Send at once if nothing else is being sent, and with `keepalive`: the tab may be closing.
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
              ? {
                  ...item,
                  gift: saved.gift,
                  giftEmail: saved.giftEmail,
                  giftMessage: saved.giftMessage,
                  giftDeliveryDate: saved.giftDeliveryDate,
                }
              : item,
          ),
        }
      : cart,
  )
  return saved
}

/**
 * Removes items that cannot be bought and shows the updated bag (BAG-19). If that fails, discards this page's
 * copy and loads the bag again: nothing is lost on the server (BAG-20).
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

/**
 * True if something in the bag can no longer be bought: the buyer must review the bag before paying (PAY-25).
 */
export const isUpdated = async (cartId: string): Promise<boolean> =>
  (await call('GET /api/carts/{id}/availability', { params: { id: cartId } })).updated

/**
 * Merges this device's guest bag into the account that just logged in, and removes its id from the device
 * (SESS-04). Undefined if there was none, or if it belongs to another account by now. If the server can't be
 * reached, the bag stays on the device.
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
      // Another user has logged in meanwhile: don't show them these titles.
      if (bagKey(bagHolder()).join() !== bagKey(holder).join()) {
        dropCart(cartId)
        return undefined
      }
      // Store the bag before dropping the guest's, or the account's old bag would flash up.
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
 * Takes a free title, or one claimed with a credit, into the library. Resolves with the title and its files.
 * @param choice for a claimed audiobook: whether the member gives up its share of a refund
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
  // Also updates the library, the credits and every page that shows this user's books.
  if (choice) void reloadUser().catch(() => undefined)
  if (holder.kind === 'user') await queryClient.invalidateQueries({ queryKey: ownKey(holder.uuid) })
  return book
}
