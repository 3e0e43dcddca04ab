import type { BusinessTime, RealTime } from '../../clock.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../settings/config.ts'
import { keysFor } from '../../settings/keys.ts'
import type { GivenState } from '#contract/membership-gifts.ts'
import type { Db } from '../../db/open.ts'
import { countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import type { DeliveryState } from '../../integrations/mail/queries.ts'
import { refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'

export interface LinkedGift {
  readonly kind: 'book' | 'membership'
  readonly id: string
}

export type Giver = { readonly userId: string } | 'link'

type LinkKeys = Pick<Config, 'appKeys'>

const LETTERS = { b: 'book', m: 'membership' } as const

/** Access to this one gift without a log-in. Derived from a key, so nothing is stored. */
export const giverToken = (config: LinkKeys, gift: LinkedGift): string =>
  `${gift.kind === 'book' ? 'b' : 'm'}${gift.id.replaceAll('-', '')}${seal(keysFor(config, 'giver-link')[0], gift)}`

export function giftOfToken(config: LinkKeys, token: string): LinkedGift | undefined {
  const [, letter, hex, given] = /^([bm])([0-9a-f]{32})([\w-]{43})$/.exec(token) ?? []
  if (!letter || !hex || !given) return undefined
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const gift = { kind: letter === 'b' ? LETTERS.b : LETTERS.m, id }
  const isOurs = keysFor(config, 'giver-link').some((key) =>
    timingSafeEqual(Buffer.from(seal(key, gift)), Buffer.from(given)),
  )
  return isOurs ? gift : undefined
}

const seal = (key: Buffer, { kind, id }: LinkedGift): string =>
  createHmac('sha256', key).update(`${kind} ${id}`).digest('base64url')

const TAKE_BACK_DAYS = 14

interface GiftProgress {
  readonly claimedAt: Date | null
  readonly takenBackAt: Date | null
  readonly revokedAt: Date | null
  readonly failedAt: Date | null
  readonly suspendedAt?: Date | null
  readonly lapsedAt?: Date | null
}

interface Dated {
  readonly givenAt: Date
  /** Null for a gift that was sent at once. */
  readonly deliverAt: Date | null
}

/** A gift counts from its day. */
export const takeBackEnds = ({ givenAt, deliverAt }: Dated): Date =>
  new Date(Math.max(givenAt.getTime(), deliverAt?.getTime() ?? 0) + TAKE_BACK_DAYS * 86_400_000)

interface Sent {
  readonly isSent: boolean
  /** Undefined if the email is no longer stored. */
  readonly delivery: DeliveryState | undefined
  readonly isDelivered: boolean
}

export function stateOfGiven(gift: GiftProgress, { isSent, delivery, isDelivered }: Sent): GivenState {
  if (gift.takenBackAt || gift.revokedAt || gift.suspendedAt) return 'refunded'
  if (gift.claimedAt) return 'claimed'
  if (gift.lapsedAt) return 'lapsed'
  if (!isSent) return 'scheduled'
  if (gift.failedAt || delivery === 'failed') return 'failed'
  return isDelivered || delivery === 'sent' ? 'delivered' : 'sending'
}

export function waysOf(
  state: GivenState,
  gift: Dated,
  now: BusinessTime,
): { readonly isChangeable: boolean; readonly takeBackUntil: Date | null } {
  const isChangeable =
    state === 'scheduled' || state === 'sending' || state === 'delivered' || state === 'failed'
  const until = takeBackEnds(gift)
  return { isChangeable, takeBackUntil: isChangeable && now < until ? until : null }
}

/** The demo stores its emails instead of sending them, so they count as delivered. */
export const storesMail = ({ demo, smtpUrl }: Shop['config']): boolean => demo && !smtpUrl

export function refuseOver({
  claimedAt,
  takenBackAt,
  revokedAt,
  suspendedAt,
  lapsedAt,
}: Omit<GiftProgress, 'failedAt'>): void {
  if (claimedAt) throw refused('This gift has already been opened.')
  if (takenBackAt || revokedAt || suspendedAt) throw refused('This gift was taken back.')
  if (lapsedAt) throw refused('This gift has lapsed.')
}

export function refuseTakingBack(gift: GiftProgress & Dated, now: BusinessTime): void {
  refuseOver(gift)
  if (now >= takeBackEnds(gift)) throw refused('It’s too late to take this gift back.')
}

/** Limited because the recipient did not ask for these emails. */
const SENT_AGAIN: Limit = { name: 'given membership sent again', most: 5, windowSeconds: 86_400 }

/** @throws 429 after five emails a day */
export const countSentAgain = (tx: Db, giftId: string, now: RealTime): Promise<void> =>
  countOrRefuse(tx, SENT_AGAIN, giftId, now)

export const blankAsNull = (text: string | null): string | null => (text?.trim() ? text.trim() : null)
