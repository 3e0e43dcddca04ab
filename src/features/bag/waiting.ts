import type { Cart, CartMember } from '#contract/bag.ts'
import type { Book, BookCard } from '#contract/catalogue.ts'
import { localStore } from '#storage/page-storage.ts'
import { toMinor } from '#format/money.ts'
import type { BagHolder } from './store.ts'

/**
 * Additions to and removals from the bag made while the server could not be reached. In localStorage, so that
 * they survive a reload and a closed tab; `send-waiting.ts` sends them when the server answers again.
 */

/**
 * The bag on screen. `checkedAt` is set on this device's copy: when the server last sent it, or 0 for never.
 */
export type ShownCart = Cart & { readonly checkedAt?: number }

export const WAITING_KEY = 'bagWaiting'

interface WaitingTitle {
  /** An account's id; null in a guest's bag. */
  readonly owner: string | null
  readonly book: BookCard
  readonly gift: boolean
  /** In pounds, as shown to the buyer. */
  readonly price: number
}

interface Waiting {
  readonly added: readonly WaitingTitle[]
  readonly removed: readonly { readonly owner: string | null; readonly uuid: string }[]
  readonly bag?: { readonly owner: string | null; readonly cart: Cart; readonly checkedAt: number }
}

const NOTHING: Waiting = { added: [], removed: [] }

export function readWaiting(): Waiting {
  try {
    const kept: unknown = JSON.parse(localStore.getItem(WAITING_KEY) ?? 'null')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written below
    return kept ? { ...NOTHING, ...(kept as Partial<Waiting>) } : NOTHING
  } catch {
    return NOTHING
  }
}

function write(waiting: Waiting): void {
  const { added, removed, bag } = waiting
  if (added.length + removed.length === 0 && !bag) return localStore.removeItem(WAITING_KEY)
  localStore.setItem(WAITING_KEY, JSON.stringify(waiting))
}

export const ownerOf = (holder: BagHolder): string | null => (holder.kind === 'user' ? holder.uuid : null)

const isSame = (one: WaitingTitle['book'], other: Pick<BookCard, 'entityType' | 'slug'>) =>
  one.entityType === other.entityType && one.slug === other.slug

export function waitToAdd({ book, ...title }: WaitingTitle): void {
  const { added, ...rest } = readWaiting()
  const others = added.filter((other) => !isSame(other.book, book))
  write({ ...rest, added: [...others, { ...title, book: cardOf(book) }] })
}

/** Reduces a book to its card: the signed URLs of its sound must not get into localStorage. */
function cardOf(book: BookCard): BookCard {
  const {
    download: _download,
    audioFiles: _audioFiles,
    chapters: _chapters,
    summary: _summary,
    sampleText: _sampleText,
    relatedArticles: _relatedArticles,
    relatedInterviews: _relatedInterviews,
    relatedDiscussions: _relatedDiscussions,
    ...card
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a book has them, a card does not
  } = book as Book
  return card
}

export function forgetAdded({ book }: Pick<WaitingTitle, 'book'>): void {
  const { added, ...rest } = readWaiting()
  write({ ...rest, added: added.filter((other) => !isSame(other.book, book)) })
}

export function waitToRemove(owner: string | null, uuid: string): void {
  const { removed, ...rest } = readWaiting()
  write({ ...rest, removed: [...removed.filter((item) => item.uuid !== uuid), { owner, uuid }] })
}

export function forgetRemoved(uuid: string): void {
  const { removed, bag, ...rest } = readWaiting()
  const left = bag && bag.cart.items.filter((item) => item.uuid !== uuid)
  write({
    ...rest,
    removed: removed.filter((item) => item.uuid !== uuid),
    ...(bag && left?.length
      ? { bag: { ...bag, cart: { ...bag.cart, items: left, itemCount: left.length } } }
      : {}),
  })
}

export function keepBag(holder: BagHolder, cart: Cart | null): void {
  const { bag: _, ...rest } = readWaiting()
  const owner = ownerOf(holder)
  write(cart && cart.items.length > 0 ? { ...rest, bag: { owner, cart, checkedAt: Date.now() } } : rest)
}

export function forgetOwners(): void {
  const { added, removed, bag } = readWaiting()
  write({
    added: added.filter(({ owner }) => owner === null),
    removed: removed.filter(({ owner }) => owner === null),
    ...(bag?.owner === null ? { bag } : {}),
  })
}

/** True if this bag has unsent changes. A guest's changes join the account that logs in. */
export const isWaiting = (holder: BagHolder): boolean => {
  const { added, removed } = readWaiting()
  return [...added, ...removed].some(({ owner }) => owner === null || owner === ownerOf(holder))
}

/** The bag while offline: the server's last answer with the unsent changes applied. Null if it is empty. */
export function bagOnDevice(holder: BagHolder): ShownCart | null {
  const { bag } = readWaiting()
  const kept = bag && bag.owner === ownerOf(holder) ? bag : undefined
  const cart = withWaiting(holder, kept?.cart ?? null)
  return cart && { ...cart, checkedAt: kept?.checkedAt ?? 0 }
}

/** Applies the unsent changes to the server's answer, which doesn't have them yet. */
export function withWaiting(holder: BagHolder, cart: Cart | null): ShownCart | null {
  const { added, removed } = readWaiting()
  const owner = ownerOf(holder)
  const gone = new Set(removed.map(({ uuid }) => uuid))
  const left = (cart?.items ?? []).filter(({ uuid }) => !gone.has(uuid))
  const waiting = added.filter(
    (title) =>
      (title.owner === null || title.owner === owner) &&
      !left.some(({ audioBook, eBook }) =>
        isSame(title.book, audioBook ?? eBook ?? { ...title.book, slug: '' }),
      ),
  )
  if (waiting.length === 0 && left.length === (cart?.items.length ?? 0)) return cart
  const items = [...left, ...waiting.map(lineOf)]
  if (items.length === 0) return null
  const sum = items.reduce((pence, item) => pence + toMinor(item.discountPrice ?? item.price), 0) / 100
  // Only the server works out sums, codes and VAT; until then the screen shows just the number of titles.
  return {
    ...(cart ?? EMPTY),
    sumCheckedForPayment: sum,
    sumBeforeDiscount: sum,
    itemCount: items.length,
    items,
    checkedAt: 0,
  }
}

const EMPTY: Cart = {
  '@context': '/api/contexts/Cart',
  '@id': '/api/carts/waiting',
  '@type': 'Cart',
  uuid: '00000000-0000-4000-8000-000000000000',
  sumCheckedForPayment: 0,
  sumVat: 0,
  sumNet: 0,
  sumBeforeDiscount: 0,
  itemCount: 0,
  blocked: false,
  discount: null,
  discountMessage: null,
  items: [],
}

const WAITING = 'waiting '

export const isWaitingLine = ({ uuid }: Pick<CartMember, 'uuid'>): boolean => uuid.startsWith(WAITING)

function lineOf({ book, gift, price }: WaitingTitle): CartMember {
  const more = { locations: [], tags: [], translator: null }
  return {
    '@id': '',
    '@type': 'CartItem',
    uuid: `${WAITING}${book.entityType} ${book.slug}`,
    cart: { '@id': EMPTY['@id'], uuid: EMPTY.uuid },
    audioBook: book.entityType === 'audioBook' ? { ...book, ...more } : null,
    eBook: book.entityType === 'eBook' ? { ...book, ...more } : null,
    gift,
    giftEmail: null,
    giftMessage: null,
    giftDeliveryDate: null,
    price,
    discountPrice: null,
    discountCode: null,
    discountPercent: null,
    vat: 0,
    vatPercent: 0,
    geoBlocked: false,
    available: true,
  }
}
