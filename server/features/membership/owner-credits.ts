import { randomUUID } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { publish } from '../feed/service.ts'
import { daysAfter } from './months.ts'
import { insertOwnersCredits, unspendCredit } from './credit-queries.ts'
import { lockAccountRow, selectMember } from './queries.ts'

interface OwnersCredits {
  readonly userId: string
  readonly count: number
  readonly until: Date
}

/** If a title chosen with a free audiobook is returned, the member has at least this long to choose another one. */
const DAYS_TO_CHOOSE_AGAIN = 31

export const giveCreditBack = (
  tx: Db,
  { userId, bookId }: { readonly userId: string; readonly bookId: number },
  now: Date,
): Promise<Date | null> => unspendCredit(tx, userId, bookId, daysAfter(now, DAYS_TO_CHOOSE_AGAIN))

/**
 * @throws 422 if `until` is over
 * @throws 404 if there is no such account
 */
export const giveCredits = ({ db, clock }: Pick<Shop, 'db' | 'clock'>, given: OwnersCredits): Promise<void> =>
  db.transaction(async (tx) => {
    const now = clock.now()
    const { userId, count, until } = given
    if (until <= now) throw refused('That day is over.')
    await lockAccountRow(tx, userId)
    const person = await selectMember(tx, userId)
    if (!person) throw notFound()
    await insertOwnersCredits(tx, { userId, count, from: now, until })
    await queueMail(tx, {
      to: person.email,
      kind: 'audiobook_given',
      key: `audiobook_given:${userId}:${randomUUID()}`,
      data: {
        firstName: person.firstName,
        count,
        lastDay: new Date(until.getTime() - 1).toISOString(),
      },
    })
    await publish(tx, userId, { type: 'membership' }, now)
  })
