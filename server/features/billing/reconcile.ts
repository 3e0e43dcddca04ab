import { NotAtProvider, PaymentsUnavailable } from '../../outside/stripe/problems.ts'
import { queueMail } from '../../outside/mail/queue.ts'
import { deliveryStatesOf } from '../../outside/mail/rows.ts'
import { planInWords, PLANS } from '#contract/plans.ts'
import { publish } from '../feed/rules.ts'
import {
  beginWaiting,
  daysAfter,
  graceEnd,
  memberOf,
  monthsAfter,
  monthsBetween,
} from '../membership/rules.ts'
import { leave } from './closed-account.ts'
import type { Shop } from '../../shop.ts'
import { reconcileMoneyBack } from './money-back.ts'
import { selectNextDue } from './next-due-rows.ts'
import {
  type Due,
  lockSubscription,
  noteChecked,
  selectDue,
  selectNow,
  selectUnchecked,
  type SubscriptionRow,
  updateSubscription,
} from './rows.ts'
import { settleSubscription } from './settle.ts'
import { endSuperseded } from './superseded.ts'

const AT_ONCE = 100

/** As many unanswered questions in a row mean that the provider is down; one alone, that it stumbles over one object. */
const SILENCES = 10

/** Whatever no notice told, found by asking about everything; `sweepMemberships` and `reconcileMoneyBack` are its halves. */
export async function reconcileMemberships(shop: Shop, isOver: () => boolean = () => false): Promise<void> {
  await sweepMemberships(shop, await selectNow(shop.db), isOver)
  await reconcileMoneyBack(shop, isOver)
}

/**
 * Asks about every membership that runs and was not asked about since: the longest unasked first, so that a run that was
 * ended early is gone on with by the next. A bad one stops no other.
 */
export async function sweepMemberships(
  shop: Shop,
  since: string,
  isOver: () => boolean = () => false,
): Promise<void> {
  let silences = 0
  for (;;) {
    const rows = await selectUnchecked(shop.db, since, AT_ONCE)
    for (const { id, providerId } of rows) {
      if (isOver()) return
      try {
        const row = await settleSubscription(shop, providerId!)
        if (row?.userId === null) await leave(shop, providerId!)
        silences = 0
      } catch (error) {
        silences = error instanceof PaymentsUnavailable ? silences + 1 : 0
        if (silences === SILENCES) throw error
        if (!(error instanceof NotAtProvider))
          shop.log.warn({ err: error, subscription: id }, 'a membership could not be reconciled')
      }
      await noteChecked(shop.db, id)
    }
    if (rows.length < AT_ONCE) return
  }
}

/** When the calendar has something to do next, after `now`; what is due already is not told. */
export const nextOfMembershipCalendar = (shop: Pick<Shop, 'db'>, now: Date): Promise<Date | null> =>
  selectNextDue(shop.db, now)

/** The calendar's work on memberships that nobody renews, and the mails that are due before something is charged. */
export async function runMembershipCalendar(shop: Shop, isOver: () => boolean = () => false): Promise<void> {
  const now = shop.clock.now()
  const each = (due: Due, work: (row: SubscriptionRow) => Promise<void>) =>
    eachDue(shop, due, { now, isOver, work })
  await each('lapsed', (row) => end(shop, row))
  await each('trialEnding', (row) => remindOfTrial(shop, row, now))
  await each('freeEnding', (row) =>
    write(shop, row, (to, firstName) => ({
      to,
      kind: 'membership_ending',
      key: `membership_ending:${row.id}`,
      data: { firstName, plan: nameOf(row), validUntil: row.validUntil.toISOString() },
    })),
  )
  await each('renewing', (row) => remind(shop, row))
  await each('graceEnding', (row) => warnOfGrace(shop, row))
  await endSuperseded(shop, isOver)
}

interface DueWork {
  readonly now: Date
  readonly isOver: () => boolean
  readonly work: (row: SubscriptionRow) => Promise<void>
}

/** All of them, however many; a bad one is told of and stops no other. */
async function eachDue({ db, log }: Shop, due: Due, { now, isOver, work }: DueWork): Promise<void> {
  for (let after: string | null = null; ;) {
    const rows: SubscriptionRow[] = await selectDue(db, due, { now, after, limit: AT_ONCE })
    for (const row of rows) {
      if (isOver()) return
      await work(row).catch((error: unknown) =>
        log.warn({ err: error, subscription: row.id, due }, 'work that was due for a membership failed'),
      )
    }
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)!.id
  }
}

const nameOf = ({ plan }: SubscriptionRow) => planInWords(plan)

type Letter = Parameters<typeof queueMail>[1]

async function write(
  { db }: Shop,
  { userId }: SubscriptionRow,
  letter: (to: string, firstName: string) => Letter,
): Promise<void> {
  if (userId === null) return
  await db.transaction(async (tx) => {
    const person = await memberOf(tx, userId)
    if (person) await queueMail(tx, letter(person.email, person.firstName))
  })
}

/** Seven days before, and three. A member who joins late gets the second one alone. */
async function remindOfTrial(shop: Shop, row: SubscriptionRow, now: Date): Promise<void> {
  const endsAt = row.trialEndsAt!
  const days = now >= daysAfter(endsAt, -3) ? 3 : 7
  await write(shop, row, (to, firstName) => ({
    to,
    kind: 'trial_ending',
    key: `trial_ending:${row.id}:${days}`,
    data: {
      firstName,
      endsAt: endsAt.toISOString(),
      plan: planInWords(row.pendingPlan ?? row.plan),
      amountMinor: row.nextMinor ?? PLANS[row.plan].priceMinor,
      last: days === 3,
    },
  }))
}

/** Two days before the benefits end: what is still open, as the provider says it. */
async function warnOfGrace(shop: Shop, row: SubscriptionRow): Promise<void> {
  const { providerId: subscription } = row
  const key = `payment_failed_again:${row.id}:${row.paymentFailedAt!.getTime()}`
  // Asked once, and not every ten minutes for two days.
  if (subscription === null || (await deliveryStatesOf(shop.db, [key])).has(key)) return
  for await (const { state, dueMinor } of shop.billing.invoices.list({ subscription })) {
    if (state !== 'open') continue
    await write(shop, row, (to, firstName) => ({
      to,
      kind: 'payment_failed',
      key,
      data: {
        firstName,
        plan: nameOf(row),
        amountMinor: dueMinor,
        benefitsUntil: graceEnd(row.paymentFailedAt!).toISOString(),
        subscriptionId: row.id,
        last: true,
      },
    }))
    return
  }
}

/** Fourteen days before a year is charged again, and every six months of a monthly plan. */
export function isRemindedOf({
  plan,
  anchor,
  periodEnd,
}: Pick<SubscriptionRow, 'plan' | 'anchor' | 'periodEnd'>): boolean {
  const months = monthsBetween(anchor, periodEnd)
  const isWhole = monthsAfter(anchor, months).getTime() === periodEnd.getTime()
  return PLANS[plan].yearly || (months > 0 && months % 6 === 0 && isWhole)
}

async function remind(shop: Shop, row: SubscriptionRow): Promise<void> {
  if (!isRemindedOf(row)) return
  const plan = PLANS[row.plan]
  await write(shop, row, (to, firstName) => ({
    to,
    kind: 'membership_reminder',
    key: `membership_reminder:${row.id}:${row.periodEnd.getTime()}`,
    data: {
      firstName,
      plan: nameOf(row),
      at: row.periodEnd.toISOString(),
      amountMinor: row.nextMinor ?? plan.priceMinor,
    },
  }))
}

async function end(shop: Shop, { id }: SubscriptionRow): Promise<void> {
  const userId = await shop.db.transaction(async (tx) => {
    const row = await lockSubscription(tx, id)
    if (!row || row.status !== 'active' || row.validUntil > shop.clock.now()) return null
    await updateSubscription(tx, id, { status: 'canceled', endedAt: row.validUntil })
    if (row.userId === null) return null
    const person = await memberOf(tx, row.userId)
    if (person)
      await queueMail(tx, {
        to: person.email,
        kind: 'membership_ended',
        key: `membership_ended:${id}`,
        data: { firstName: person.firstName, plan: nameOf(row), unpaid: false },
      })
    await publish(tx, row.userId, { type: 'membership' }, shop.clock.now())
    return row.userId
  })
  // In a transaction of its own: whoever holds an account locks its memberships after that, never before.
  if (userId) await beginWaiting(shop.db, userId, shop.clock.now())
}
