import type { BusinessTime } from '../../clock.ts'
import type { Plan } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { monthOf, monthsWithin, type Span, daysAfter } from './months.ts'
import {
  deleteGrantsFrom,
  type Grant,
  insertGrants,
  type Lapsing,
  selectLapsing,
  selectNextLapsing,
} from './credit-queries.ts'
import { inPages } from '../../db/in-pages.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'
import type { Shop } from '../../shop.ts'
import { mailMember } from './mail-member.ts'
import { coversForMember, REMINDED_DAYS_BEFORE } from './month-emails.ts'
import { deliveryStatesOf } from '../../integrations/mail/queries.ts'

export interface Grantee {
  readonly id: string
  readonly userId: string
  readonly plan: Pick<Plan, 'creditsPerMonth'>
  readonly anchor: Date
}

/** Grants a year's twelve months at once, so that no job has to run each month. Idempotent. */
export const grantFor = (tx: Db, to: Grantee, paidFor: Span): Promise<void> =>
  insertGrants(
    tx,
    monthsWithin(to.anchor, paidFor).flatMap((month) => grantsOf(to, month)),
  )

export const grantTrial = (tx: Db, to: Grantee, trial: Span): Promise<void> =>
  insertGrants(tx, grantsOf(to, trial))

/** An upgrade adds the plans' difference. Credits are numbered, so changing back and forth grants nothing more. */
export async function regrant(tx: Db, to: Grantee, paidFor: Span, now: BusinessTime): Promise<void> {
  const running = monthOf(to.anchor, now)
  const from = running.until
  await insertGrants(tx, grantsOf(to, running))
  await deleteGrantsFrom(tx, to.id, from)
  if (from < paidFor.until) await grantFor(tx, to, { from, until: paidFor.until })
}

const grantsOf = ({ id, userId, plan }: Grantee, { from, until }: Span): Grant[] =>
  Array.from({ length: plan.creditsPerMonth }, (_, ordinal) => ({
    subscriptionId: id,
    userId,
    ordinal,
    usableFrom: from,
    usableUntil: until,
  }))

/** Once for each month: the email's key contains the expiry date, so the job can be repeated. */
export async function remindOfLapsing(
  { db, clock, log }: Pick<Shop, 'db' | 'clock' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const now = clock.now()
  const span = { now, until: daysAfter(now, REMINDED_DAYS_BEFORE) }
  await forEachDue(notEmailed(db, span), (lapsing) => mailLapsing(db, lapsing), {
    log,
    signal,
    problem: 'nobody was written to that a free audiobook lapses',
  })
}

async function* notEmailed(
  db: Shop['db'],
  span: Parameters<typeof selectLapsing>[1],
): AsyncGenerator<Lapsing> {
  const pages = inPages(
    (page) => selectLapsing(db, span, page),
    ({ userId }) => userId,
  )
  for await (const page of pages) {
    const emailed = await deliveryStatesOf(db, page.map(keyOf))
    yield* page.filter((lapsing) => !emailed.has(keyOf(lapsing)))
  }
}

export async function nextLapsing({ db }: Pick<Shop, 'db'>, now: BusinessTime): Promise<Date | null> {
  const until = await selectNextLapsing(db, daysAfter(now, REMINDED_DAYS_BEFORE))
  return until && daysAfter(until, -REMINDED_DAYS_BEFORE)
}

const keyOf = ({ userId, until }: Lapsing): string => `audiobook_lapsing:${userId}:${until.getTime()}`

async function mailLapsing(db: Shop['db'], lapsing: Lapsing): Promise<void> {
  const covers = await coversForMember(db, lapsing.userId, { choiceEmails: true })
  await mailMember(db, lapsing.userId, ({ firstName }) => ({
    kind: 'audiobook_lapsing',
    key: keyOf(lapsing),
    // The last day on which it can be chosen, as the pages show it.
    data: {
      firstName,
      left: lapsing.left,
      lastDay: new Date(lapsing.until.getTime() - 1).toISOString(),
      covers,
    },
  }))
}
