import { titleKey } from '#storage/title-key.ts'
import { isFromShopOrStore } from '#net/from-shop.ts'

/** Why a book cannot be opened: it has no file, or it is not on this device and the server doesn't answer. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen'
  readonly why: 'no-file' | 'no-answer' | 'unreadable'

  constructor(why: CannotOpen['why']) {
    super(why)
    this.why = why
  }
}

/**
 * The book's file: the downloaded one, which needs no network, else from its signed URL.
 *
 * @param address returns the file's URL, fetched again on request; null if the book has no file
 * @param opened called with the book, and with its bytes if they came from the network
 * @throws {CannotOpen}
 */
export async function openFile(
  ownerUuid: string,
  slug: string,
  address: (anew: boolean) => Promise<string | null>,
  signal: AbortSignal,
  opened?: (fetched: ArrayBuffer | undefined) => void,
): Promise<File> {
  const stored = await storedEBook(ownerUuid, slug)
  if (stored) {
    opened?.(undefined)
    return stored
  }
  const bytes = await fetchEBook(address, signal)
  opened?.(bytes)
  return fileOf(slug, bytes)
}

async function storedEBook(ownerUuid: string, slug: string): Promise<File | undefined> {
  const { readWhole, storedFile } = await import('#storage/sound-store.ts')
  const key = titleKey('ebook', slug)
  const bytes = await storedFile(ownerUuid, key, 1)
    .then((file) => file && readWhole(ownerUuid, key, 1))
    .catch(() => undefined)
  return bytes && fileOf(slug, bytes)
}

async function fetchEBook(
  address: (anew: boolean) => Promise<string | null>,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  for (const anew of [false, true]) {
    const url = await address(anew).catch(() => {
      throw new CannotOpen('no-answer')
    })
    if (!url) throw new CannotOpen('no-file')
    const response = await fetch(url, { signal }).catch(() => undefined)
    signal.throwIfAborted()
    // A captive portal's page is not a damaged book (trap 22).
    if (!response || !isFromShopOrStore(response)) throw new CannotOpen('no-answer')
    if (response.ok) return response.arrayBuffer()
    // An expired signed URL is refused; a new one is not.
    if (response.status >= 500) break
  }
  throw new CannotOpen('no-answer')
}

const fileOf = (slug: string, bytes: ArrayBuffer) =>
  new File([bytes], `${slug}.epub`, { type: 'application/epub+zip' })
