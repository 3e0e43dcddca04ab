import { givenInWords } from '#contract/plans.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { deliveryStatesOf } from '../../integrations/mail/queries.ts'
import { eachRow } from '../../db/in-pages.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'
import type { Shop } from '../../shop.ts'
import { publish } from '../feed/service.ts'
import { giverToken } from './giver-actions.ts'
import { recordFailedGifts } from './given-gifts.ts'
import { startWaitingGift } from '../membership/waiting-gifts.ts'
import { monthsAfter } from '../membership/months.ts'
import {
  type DueMembershipGifts,
  lockMembershipGift,
  lockTitleGift,
  type MembershipGiftRow,
  selectDueMembershipGifts,
  selectDueTitleGifts,
  selectTitleGift,
  selectNextDelivery,
  updateMembershipGift,
} from './queries.ts'
import { claimableUntil, membershipGiftMailKey, sendMembershipGift } from './membership-gifts.ts'
import { isScheduled, mailTitleGiftWithNewLink } from './title-gifts.ts'
import { selectWaitingAccounts } from '../membership/queries.ts'

/** The months after delivery at which giver and recipient are reminded of an unclaimed gift. */
const REMINDERS = [11, 23] as const

/** Each gift has its own transaction, so a killed job continues where it stopped. */
export async function runGiftCalendar(
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  await eachDue(shop, 'toSend', signal, async (tx, gift, now) => {
    if (gift.sentAt === null && gift.deliverAt <= now) await sendMembershipGift(tx, shop, gift)
  })
  await sendDueTitles(shop, signal)
  await recordDeliveries(shop, signal)
  await recordFailedGifts(shop, signal)
  await eachDue(shop, 'toLapse', signal, async (tx, gift, now) => {
    if (claimableUntil(gift) <= now) await updateMembershipGift(tx, gift.id, { lapsedAt: now })
  })
  await eachDue(shop, 'toRemind', signal, (tx, gift, now) => remind(tx, shop, gift, now))
  await beginAll(shop, signal)
}

export const nextGiftDay = (shop: Pick<Shop, 'db'>, now: BusinessTime): Promise<Date | null> =>
  selectNextDelivery(shop.db, now)

async function eachDue(
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  due: DueMembershipGifts,
  signal: AbortSignal | undefined,
  work: (tx: Db, gift: MembershipGiftRow, now: BusinessTime) => Promise<void>,
): Promise<void> {
  const { db, clock, log } = shop
  const now = clock.now()
  const gifts = eachRow(
    (page) => selectDueMembershipGifts(db, due, { now, ...page }),
    ({ id }) => id,
  )
  const workLocked = ({ id }: MembershipGiftRow) =>
    db.transaction(async (tx) => {
      const gift = await lockMembershipGift(tx, id)
      if (gift && isOpen(gift)) await work(tx, gift, now)
    })
  await forEachDue(gifts, workLocked, {
    log,
    signal,
    problem: 'what was due for a gift was not done',
    about: ({ id }) => ({ gift: id, due }),
  })
}

async function sendDueTitles(
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { db, clock, log } = shop
  const now = clock.now()
  const due = eachRow(
    (page) => selectDueTitleGifts(db, { now, ...page }),
    (id) => id,
  )
  const send = (id: string) =>
    db.transaction(async (tx) => {
      const gift = await lockTitleGift(tx, id)
      if (!gift || gift.takenBackAt || gift.revokedAt || !isScheduled(gift) || gift.deliverAt! > now) return
      await mailTitleGiftWithNewLink(tx, shop, gift, (await selectTitleGift(tx, id))!.title)
    })
  await forEachDue(due, send, {
    log,
    signal,
    problem: 'a title given for a day was not sent',
    about: (id) => ({ gift: id }),
  })
}

const isOpen = ({ claimedAt, takenBackAt, revokedAt, suspendedAt, lapsedAt }: MembershipGiftRow): boolean =>
  [claimedAt, takenBackAt, revokedAt, suspendedAt, lapsedAt].every((at) => at === null)

async function recordDeliveries(
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  await eachDue(shop, 'posted', signal, async (tx, gift, now) => {
    const delivery = (await deliveryStatesOf(tx, [membershipGiftMailKey(gift)])).get(
      membershipGiftMailKey(gift),
    )
    if (delivery === 'sent') await updateMembershipGift(tx, gift.id, { deliveredAt: now })
    if (delivery !== 'failed') return
    await updateMembershipGift(tx, gift.id, { failedAt: now })
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

/** After a long downtime only the latest reminder is sent. */
async function remind(
  tx: Db,
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  gift: MembershipGiftRow,
  now: BusinessTime,
): Promise<void> {
  const months = REMINDERS.findLast((after) => monthsAfter(gift.deliverAt, after) <= now)
  if (months === undefined || months <= gift.remindedAfter) return
  await updateMembershipGift(tx, gift.id, { remindedAfter: months })
  const isReminded = gift.failedAt === null
  if (isReminded) await sendMembershipGift(tx, shop, gift, months)
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

async function beginAll(
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { db, clock, log } = shop
  const now = clock.now()
  const accounts = eachRow(
    (page) => selectWaitingAccounts(db, page),
    (userId) => userId,
  )
  const begin = async (userId: string) => {
    if (await startWaitingGift(shop, userId, now)) await publish(db, userId, { type: 'membership' }, now)
  }
  await forEachDue(accounts, begin, { log, signal, problem: 'a gift that waits could not begin' })
}
