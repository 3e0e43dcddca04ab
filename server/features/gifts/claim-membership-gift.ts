import type { BusinessTime } from '../../clock.ts'
import { ACCOUNT_MESSAGES } from '#contract/messages-account.ts'
import type { GiftKind } from '#contract/membership-gifts.ts'
import { givenInWords, type Plans } from '#contract/plans.ts'
import { findByAnyCode, findByCode } from '../../codes/find-by-code.ts'
import { printedCode } from '../../codes/secrets.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { forbidden, notFound, refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { confirmAddress } from '../account/email-queries.ts'
import { publish } from '../feed/service.ts'
import {
  selectClaimer,
  lockMembershipGift,
  type MembershipGiftRow,
  selectForRecipient,
  selectMembershipGift,
  selectMembershipGiftBy,
  updateMembershipGift,
} from './queries.ts'
import { formatOfGift, NEW_LINK_SENT } from './title-gifts.ts'
import { membershipsOf } from '../membership/service.ts'
import { notYetWords } from '../products/delivery-day.ts'
import { isOngoing } from '../membership/entitlement.ts'
import { startWaitingGiftIn, startOfWaiting } from '../membership/waiting-gifts.ts'
import { lockAccount } from '../membership/queries.ts'

const LAPSED = 'This gift wasn’t opened in time, so it has lapsed.'
const REDEEMED = 'This gift has already been redeemed'

export interface ClaimedMembership {
  readonly gift: MembershipGiftRow
  readonly startsAt: Date | null
}

interface MembershipGiftOpening {
  readonly token: string
  readonly address: string
}

/** @throws 404 if unknown, 422 if replaced, lapsed or before its day, 429 after too many wrong guesses */
export const viewMembershipGift = async (
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  opening: MembershipGiftOpening,
): Promise<MembershipGiftRow> => (await findMembershipGift(shop, opening)).gift

async function findMembershipGift(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  { token, address }: MembershipGiftOpening,
): Promise<{ readonly gift: MembershipGiftRow; readonly isPrinted: boolean }> {
  const found = await findByCode(shop, { kind: 'membership_gift', given: token, address }, (candidates) =>
    selectMembershipGiftBy(shop.db, candidates),
  )
  if (!found || isGone(found.gift)) throw notFound()
  const { gift, isReplaced, printedHash } = found
  const isPrinted = printedHash !== null
  if (isReplaced || (isPrinted && printedHash !== printedCode(shop.config, 'membership_gift', gift).hash))
    throw refused(NEW_LINK_SENT)
  if (gift.lapsedAt) throw refused(LAPSED)
  if (gift.sentAt === null) throw refused(notYetWords(gift.day))
  return { gift, isPrinted }
}

const KIND_OF_BOOK = { audio_book: 'audio_books', e_book: 'e_books' } as const

/** @throws 404 if unknown, 429 after too many wrong guesses */
export async function kindOfGift(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  { token, address }: MembershipGiftOpening,
): Promise<GiftKind> {
  const kind = await findByAnyCode<GiftKind>(shop, { given: token, address }, [
    [
      'gift',
      async (candidates) => {
        const format = await formatOfGift(shop.db, candidates)
        return format && KIND_OF_BOOK[format]
      },
    ],
    [
      'membership_gift',
      async (candidates) => (await selectMembershipGiftBy(shop.db, candidates)) && ('subscriptions' as const),
    ],
  ])
  if (!kind) throw notFound()
  return kind
}

const isGone = ({ takenBackAt, revokedAt, suspendedAt, claimedAt }: MembershipGiftRow): boolean =>
  takenBackAt !== null || revokedAt !== null || (suspendedAt !== null && claimedAt === null)

/**
 * An emailed link or code also confirms the address that it was sent to (docs/product.md, Accounts). The code of a
 * printed card doesn't: its giver has it too.
 */
export async function claimMembershipGift(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  userId: string,
  opening: MembershipGiftOpening,
): Promise<ClaimedMembership> {
  const { gift, isPrinted } = await findMembershipGift(shop, opening)
  return claimLockedGift(shop, userId, { id: gift.id, edition: gift.edition, isMailed: !isPrinted })
}

export async function waitingMembershipGifts(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  userId: string,
): Promise<ClaimedMembership[]> {
  const account = await selectClaimer(db, userId)
  if (!account?.confirmedAt) return []
  const gifts = await selectForRecipient(db, userId, account.addresses)
  return Promise.all(gifts.map((gift) => withStart(db, userId, gift, clock.now())))
}

export async function claimWaitingMembership(
  shop: Pick<Shop, 'db' | 'config' | 'now' | 'clock'>,
  userId: string,
  id: string,
): Promise<ClaimedMembership> {
  const [account, gift] = await Promise.all([
    selectClaimer(shop.db, userId),
    selectMembershipGift(shop.db, id),
  ])
  const isTheirs = account?.confirmedAt && gift && account.addresses.includes(gift.email.toLowerCase())
  if (!isTheirs || gift.sentAt === null || isGone(gift)) throw notFound()
  return claimLockedGift(shop, userId, { id, edition: null, isMailed: false })
}

/** Locks the account before the gift: concurrent joins, claims and starts for the same account wait. */
async function claimLockedGift(
  { db, clock, config, now: realNow }: Pick<Shop, 'db' | 'clock' | 'config' | 'now'>,
  userId: string,
  {
    id,
    edition,
    isMailed,
  }: { readonly id: string; readonly edition: number | null; readonly isMailed: boolean },
): Promise<ClaimedMembership> {
  const now = clock.now()
  const { plans } = config.details
  const gift = await db.transaction(async (tx) => {
    await lockAccount(tx, userId)
    const locked = await lockMembershipGift(tx, id)
    const account = await selectClaimer(tx, userId)
    if (!locked || !account || isGone(locked)) throw notFound()
    if (!account.addresses.includes(locked.email.toLowerCase()))
      throw forbidden(ACCOUNT_MESSAGES.emailMustBeSame)
    if (locked.claimedBy === userId) return locked
    if (locked.claimedAt) throw refused(REDEEMED)
    if (locked.lapsedAt) throw refused(LAPSED)
    if (edition !== null && locked.edition !== edition) throw refused(NEW_LINK_SENT)
    const isPresent = account.email.toLowerCase() === locked.email.toLowerCase()
    if (!account.confirmedAt && isPresent && isMailed) await confirmAddress(tx, userId, realNow())
    const claimed = await updateMembershipGift(tx, id, { claimedAt: now, claimedBy: userId })
    const begun = await startWaitingGiftIn(tx, plans, userId, now)
    await mailGiverOfClaim(tx, plans, claimed)
    if (begun) await publish(tx, userId, { type: 'membership' }, now)
    return (await lockMembershipGift(tx, id)) ?? claimed
  })
  return withStart(db, userId, gift, now)
}

async function withStart(
  db: Db,
  userId: string,
  gift: MembershipGiftRow,
  now: BusinessTime,
): Promise<ClaimedMembership> {
  const isWaiting = gift.claimedAt !== null && gift.begunAt === null
  if (!isWaiting) return { gift, startsAt: gift.begunAt }
  const memberships = (await membershipsOf(db, userId)).map(({ row }) => row)
  const isBlocked = memberships.some((row) => isOngoing(row, now))
  return { gift, startsAt: isBlocked ? startOfWaiting(memberships, now) : now }
}

async function mailGiverOfClaim(tx: Db, plans: Plans, gift: MembershipGiftRow): Promise<void> {
  if (!gift.giverEmail) return
  await queueMail(tx, {
    to: gift.giverEmail,
    kind: 'gift_membership_opened',
    key: `gift_membership_opened:${gift.id}`,
    data: {
      giverName: gift.giverName,
      plan: givenInWords(plans[gift.plan]),
      recipient: gift.firstName ?? gift.email,
    },
  })
}
