import { keysFor } from '../../settings/keys.ts'
import { liveSessionsOf } from '../../auth/live-sessions.ts'
import type { Shop } from '../../shop.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RealTime } from '../../clock.ts'
import type { Caller } from '../../auth/access.ts'

const HOUR = 3_600_000
/** An evening of listening. The client requests new addresses when one is refused. */
const SOUND_LIVES = 6 * HOUR
const DOWNLOAD_LIVES = HOUR / 4

/** The same for an hour, so that browsers can use their cache. */
export function soundAddress(
  shop: Pick<Shop, 'config' | 'now'>,
  holder: AddressHolder,
  sha256: string,
  extension: string,
): string {
  const end = Math.ceil((shop.now().getTime() + SOUND_LIVES) / HOUR) * HOUR
  return signedAddress(mediaKeys(shop), `/media/sound/${sha256}.${extension}`, holder, new Date(end))
}

/** Every chapter of an audiobook in one zip (API-57). */
export const zipAddress = (
  shop: Pick<Shop, 'config' | 'now'>,
  holder: AddressHolder,
  bookId: number,
): string => downloadAddress(shop, holder, `/media/zip/${bookId}.zip`)

/** An e-book's file (API-58). */
export const fileAddress = (
  shop: Pick<Shop, 'config' | 'now'>,
  holder: AddressHolder,
  bookId: number,
): string => downloadAddress(shop, holder, `/media/e_books/${bookId}.epub`)

/** Contains the book, because the sample is public only while the book is. */
export const sampleAddress = (bookId: number, sha256: string, extension: string): string =>
  `/media/samples/${bookId}/${sha256}.${extension}`

export const openAudioAddress = (sha256: string, extension: string): string =>
  `/media/recordings/${sha256}.${extension}`

/** Does not check the session. */
export const signedFor = (shop: Pick<Shop, 'config' | 'now'>, url: string): AddressHolder | null =>
  readSignature(mediaKeys(shop), url, shop.now())

/** Null if the address is invalid, has expired or its session has ended. */
export async function addressee(shop: Shop, url: string): Promise<string | null> {
  const holder = signedFor(shop, url)
  return holder && (await liveSessionsOf(shop).find(holder.sessionId)) ? holder.userId : null
}

export const downloadAddress = (
  shop: Pick<Shop, 'config' | 'now'>,
  holder: AddressHolder,
  path: string,
): string => signedAddress(mediaKeys(shop), path, holder, new Date(shop.now().getTime() + DOWNLOAD_LIVES))

const mediaKeys = ({ config }: Pick<Shop, 'config'>): SigningKeys => keysFor(config, 'media-address')

/** Newest first. Older keys still verify the addresses they signed. */
export type SigningKeys = readonly [Buffer, ...Buffer[]]

export type AddressHolder = Pick<Caller, 'userId' | 'sessionId'>

/** For one path and one session: `path?exp=…&u=…&s=…&sig=…`. */
export function signedAddress(
  keys: SigningKeys,
  path: string,
  { userId, sessionId }: AddressHolder,
  expiresAt: Date,
): string {
  const seconds = Math.floor(expiresAt.getTime() / 1000)
  const given = `exp=${seconds}&u=${userId}&s=${sessionId}`
  return `${path}?${given}&sig=${hmacOf(keys[0], path, String(seconds), userId, sessionId)}`
}

export function readSignature(keys: SigningKeys, url: string, now: RealTime): AddressHolder | null {
  const [path = '', query = ''] = url.split('?', 2)
  const given = new URLSearchParams(query)
  const expires = given.get('exp') ?? ''
  const userId = given.get('u') ?? ''
  const sessionId = given.get('s') ?? ''
  const signed = Buffer.from(given.get('sig') ?? '')
  if (!/^\d{1,12}$/.test(expires)) return null
  const genuine = keys.some((key) => {
    const expected = Buffer.from(hmacOf(key, path, expires, userId, sessionId))
    return expected.length === signed.length && timingSafeEqual(expected, signed)
  })
  return genuine && Number(expires) * 1000 > now.getTime() ? { userId, sessionId } : null
}

// No part can contain a line break, so different parts never produce the same text.
const hmacOf = (key: Buffer, ...parts: readonly string[]): string =>
  createHmac('sha256', key).update(parts.join('\n')).digest('base64url')
