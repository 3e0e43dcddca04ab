import type { BusinessTime } from '../../clock.ts'
import { inPages } from '../../db/in-pages.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'
import type { Shop } from '../../shop.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { deliveryStatesOf } from '../../integrations/mail/queries.ts'
import { daysAfter } from './months.ts'
import { type Lapsing, selectLapsing, selectNextLapsing } from './credit-queries.ts'
import { selectMember } from './queries.ts'

const DAYS_BEFORE = 5

/**
 * Emails members about unused free audiobooks that expire soon, once for each month. Can be repeated or stopped at any
 * time, because the email's key contains the expiry date.
 */
export async function remindOfLapsing(
  { db, clock, log }: Pick<Shop, 'db' | 'clock' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const now = clock.now()
  const span = { now, until: daysAfter(now, DAYS_BEFORE) }
  await forEachDue(notEmailed(db, span), (lapsing) => write(db, lapsing), {
    log,
    signal,
    problem: 'nobody was written to that a free audiobook lapses',
  })
}

/** Most members were emailed already: they stay in this query for five days. */
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
  const until = await selectNextLapsing(db, daysAfter(now, DAYS_BEFORE))
  return until && daysAfter(until, -DAYS_BEFORE)
}

const keyOf = ({ userId, until }: Lapsing): string => `audiobook_lapsing:${userId}:${until.getTime()}`

async function write(db: Shop['db'], lapsing: Lapsing): Promise<void> {
  const { userId, until, left } = lapsing
  const person = await selectMember(db, userId)
  if (!person) return
  await queueMail(db, {
    to: person.email,
    kind: 'audiobook_lapsing',
    key: keyOf(lapsing),
    // The last day on which it can be chosen, as the pages show it.
    data: { firstName: person.firstName, left, lastDay: new Date(until.getTime() - 1).toISOString() },
  })
}
