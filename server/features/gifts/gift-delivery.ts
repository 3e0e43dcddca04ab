import { givenInWords } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { deliveryStatesOf } from '../../integrations/mail/queries.ts'
import { inPages } from '../../db/in-pages.ts'
import type { Shop } from '../../shop.ts'
import { publish } from '../feed/service.ts'
import { giverToken } from './giver-link.ts'
import { noteFailedGifts } from './given-titles.ts'
import { accountsWithWaiting } from '../membership/service.ts'
import { beginWaitingGift } from '../membership/waiting-gifts.ts'
import { monthsAfter } from '../membership/months.ts'
import {
  type Due,
  lockGift,
  type MembershipGiftRow,
  selectDue,
  selectNextDelivery,
  updateGift,
} from './membership-gift-queries.ts'
import { claimableUntil, mailKeyOf, sendGift } from './send-membership-gift.ts'

const BATCH_SIZE = 200
/** After so many months both are reminded. */
const REMINDERS = [11, 23] as const

type IsOver = () => boolean

/**
 * Work that is due for gifts of memberships: those whose day has come are sent, once; what the mail server says of
 * them is noted; both sides are reminded; what nobody opened lapses; what waits begins. One at a time in a
 * transaction of its own, so that a job that is killed goes on where it was.
 */
export async function runGiftCalendar(
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  isOver: IsOver = () => false,
): Promise<void> {
  await eachDue(shop, 'toSend', isOver, async (tx, gift, now) => {
    if (gift.sentAt === null && gift.deliverAt <= now) await sendGift(tx, shop, gift)
  })
  await noteDeliveries(shop, isOver)
  await noteFailedGifts(shop, isOver)
  await eachDue(shop, 'toLapse', isOver, async (tx, gift, now) => {
    if (claimableUntil(gift) <= now) await updateGift(tx, gift.id, { lapsedAt: now })
  })
  await eachDue(shop, 'toRemind', isOver, (tx, gift, now) => remind(tx, shop, gift, now))
  await beginAll(shop, isOver)
}

/** When the next gift is to be sent, after `now`. */
export const nextGiftDay = (shop: Pick<Shop, 'db'>, now: Date): Promise<Date | null> =>
  selectNextDelivery(shop.db, now)

async function eachDue(
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  due: Due,
  isOver: IsOver,
  work: (tx: Db, gift: MembershipGiftRow, now: Date) => Promise<void>,
): Promise<void> {
  const { db, clock, log } = shop
  const now = clock.now()
  const pages = inPages(
    (from) => selectDue(db, due, { now, ...from }),
    ({ id }) => id,
    BATCH_SIZE,
  )
  for await (const page of pages)
    for (const { id } of page) {
      if (isOver()) return
      await db
        .transaction(async (tx) => {
          const gift = await lockGift(tx, id)
          if (gift && isOpen(gift)) await work(tx, gift, now)
        })
        .catch((error: unknown) =>
          log.warn({ err: error, gift: id, due }, 'what was due for a gift was not done'),
        )
    }
}

const isOpen = ({ claimedAt, takenBackAt, revokedAt, suspendedAt, lapsedAt }: MembershipGiftRow): boolean =>
  [claimedAt, takenBackAt, revokedAt, suspendedAt, lapsedAt].every((at) => at === null)

/** Notes what the recipient's mail server said; the giver is written to about a refused address, who can correct it. */
async function noteDeliveries(
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  isOver: IsOver,
): Promise<void> {
  await eachDue(shop, 'posted', isOver, async (tx, gift, now) => {
    const delivery = (await deliveryStatesOf(tx, [mailKeyOf(gift)])).get(mailKeyOf(gift))
    if (delivery === 'sent') await updateGift(tx, gift.id, { deliveredAt: now })
    if (delivery !== 'failed') return
    await updateGift(tx, gift.id, { failedAt: now })
    if (!gift.giverEmail) return
    await queueMail(tx, {
      to: gift.giverEmail,
      kind: 'gift_membership_failed',
      key: `gift_membership_failed:${gift.id}:${gift.edition}`,
      data: {
        giverName: gift.giverName,
        plan: givenInWords(shop.config.details.plans[gift.plan]),
        email: gift.email,
        giverToken: giverToken(shop.config, { kind: 'membership', id: gift.id }),
      },
    })
  })
}

/** A server that slept through one reminder does not write two. */
async function remind(
  tx: Db,
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  gift: MembershipGiftRow,
  now: Date,
): Promise<void> {
  const months = REMINDERS.findLast((after) => monthsAfter(gift.deliverAt, after) <= now)
  if (months === undefined || months <= gift.remindedAfter) return
  await updateGift(tx, gift.id, { remindedAfter: months })
  const isReminded = gift.failedAt === null
  if (isReminded) await sendGift(tx, shop, gift, months)
  if (!gift.giverEmail) return
  await queueMail(tx, {
    to: gift.giverEmail,
    kind: 'gift_membership_unopened',
    key: `gift_membership_unopened:${gift.id}:${months}`,
    data: {
      giverName: gift.giverName,
      plan: givenInWords(shop.config.details.plans[gift.plan]),
      recipient: gift.firstName ?? gift.email,
      email: gift.email,
      claimableUntil: claimableUntil(gift).toISOString(),
      giverToken: giverToken(shop.config, { kind: 'membership', id: gift.id }),
      isReminded,
    },
  })
}

async function beginAll(shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>, isOver: IsOver): Promise<void> {
  const { db, clock, log } = shop
  const now = clock.now()
  const pages = inPages(
    (from) => accountsWithWaiting(db, from),
    (userId) => userId,
    BATCH_SIZE,
  )
  for await (const page of pages)
    for (const userId of page) {
      if (isOver()) return
      try {
        if (await beginWaitingGift(shop, userId, now)) await publish(db, userId, { type: 'membership' }, now)
      } catch (error) {
        log.warn({ err: error }, 'a gift that waits could not begin')
      }
    }
}
