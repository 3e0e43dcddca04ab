import { keysFor } from '../../settings/keys.ts'
import { liveSessionsOf } from '../../auth/live-sessions.ts'
import type { Shop } from '../../shop.ts'
import { type Holder, readSignature, signedAddress, type SigningKeys } from './signatures.ts'

export type { Holder }

const HOUR = 3_600_000
/** Long enough for an evening's listening on one answer; a refused address is asked for again. */
const SOUND_LIVES = 6 * HOUR
const DOWNLOAD_LIVES = HOUR / 4

/** A chapter's sound. Stays the same within an hour, so that what was fetched is not fetched again. */
export function soundAddress(
  shop: Pick<Shop, 'config' | 'now'>,
  holder: Holder,
  sha256: string,
  extension: string,
): string {
  const end = Math.ceil((shop.now().getTime() + SOUND_LIVES) / HOUR) * HOUR
  return signedAddress(mediaKeys(shop), `/media/sound/${sha256}.${extension}`, holder, new Date(end))
}

/** Every chapter of an audiobook as one zip (API-57). */
export const zipAddress = (shop: Pick<Shop, 'config' | 'now'>, holder: Holder, bookId: number): string =>
  downloadAddress(shop, holder, `/media/zip/${bookId}.zip`)

/** An e-book's file (API-58). */
export const fileAddress = (shop: Pick<Shop, 'config' | 'now'>, holder: Holder, bookId: number): string =>
  downloadAddress(shop, holder, `/media/e_books/${bookId}.epub`)

/** A sample that everybody may hear. The book stands in the address, since a sample is free only while it is. */
export const sampleAddress = (bookId: number, sha256: string, extension: string): string =>
  `/media/samples/${bookId}/${sha256}.${extension}`

/** A recording of the journal that everybody may hear. */
export const openAudioAddress = (sha256: string, extension: string): string =>
  `/media/recordings/${sha256}.${extension}`

/** Whom this address was signed for; null where it opens nothing (any more). Says nothing of the session being alive. */
export const signedFor = (shop: Pick<Shop, 'config' | 'now'>, url: string): Holder | null =>
  readSignature(mediaKeys(shop), url, shop.now())

/** Whose signed address this is; null where it opens nothing (any more), or they logged out. */
export async function addressee(shop: Shop, url: string): Promise<string | null> {
  const holder = signedFor(shop, url)
  return holder && (await liveSessionsOf(shop).find(holder.sessionId)) ? holder.userId : null
}

/** A file of somebody's own, for whoever holds its address within a quarter of an hour. */
export const downloadAddress = (shop: Pick<Shop, 'config' | 'now'>, holder: Holder, path: string): string =>
  signedAddress(mediaKeys(shop), path, holder, new Date(shop.now().getTime() + DOWNLOAD_LIVES))

const keysByConfig = new WeakMap<Shop['config'], SigningKeys>()

/** Derived once for each configuration: a book of many chapters is signed many times. */
function mediaKeys({ config }: Pick<Shop, 'config'>): SigningKeys {
  const keys = keysByConfig.get(config) ?? keysFor(config, 'media-address')
  keysByConfig.set(config, keys)
  return keys
}
