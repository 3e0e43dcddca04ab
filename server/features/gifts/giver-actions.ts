import type { GivenState } from '#contract/membership-gifts.ts'
import type { Db } from '../../db/open.ts'
import { countOrRefuse, type Limit } from '../../rate-limiting/rate-limit.ts'
import type { DeliveryState } from '../../integrations/mail/queries.ts'
import { refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'

// The giver’s rights, which are the same for a book and a membership.

export const TAKE_BACK_DAYS = 14

export interface GiftProgress {
  readonly claimedAt: Date | null
  readonly takenBackAt: Date | null
  readonly revokedAt: Date | null
  readonly failedAt: Date | null
  readonly suspendedAt?: Date | null
  readonly lapsedAt?: Date | null
}

export const takeBackEnds = ({ givenAt }: { readonly givenAt: Date }): Date =>
  new Date(givenAt.getTime() + TAKE_BACK_DAYS * 86_400_000)

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
  gift: { readonly givenAt: Date },
  now: Date,
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

/** @throws 422 if the gift was claimed, taken back or lapsed, or is older than 14 days */
export function refuseTakingBack(gift: GiftProgress & { readonly givenAt: Date }, now: Date): void {
  refuseOver(gift)
  if (now >= takeBackEnds(gift)) throw refused('It’s too late to take this gift back.')
}

/** Limited because the recipient did not ask for these emails. */
const SENT_AGAIN: Limit = { name: 'given membership sent again', most: 5, windowSeconds: 86_400 }

/**
 * Counts an email to the recipient.
 * @throws 429 after five a day
 */
export const countSentAgain = (tx: Db, giftId: string, now: Date): Promise<void> =>
  countOrRefuse(tx, SENT_AGAIN, giftId, now)

export const blankAsNull = (text: string | null): string | null => (text?.trim() ? text.trim() : null)
