import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { refused, unprocessable } from '../../http/http-errors.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import {
  type OutletRow,
  selectOverdueStatements,
  selectStaff,
  type StatementRow,
  sumsOf,
  updateStatement,
} from './queries.ts'
import { totalsOf } from './service.ts'
import { dayOf, longDay, monthWords } from './time-zone.ts'

/** Negative if the shop owes the bookshop. */
export const toPayOf = async (db: Db, { id }: StatementRow): Promise<number> =>
  totalsOf((await sumsOf(db, [id])).get(id)!).toPayMinor

/** Payments arrive at the bank, so a member of staff says when. @throws 422 */
export async function recordStatementPaid(
  { db, clock, config }: Pick<Shop, 'db' | 'clock' | 'config'>,
  statement: StatementRow,
  { on, by }: { readonly on: string; readonly by: string },
): Promise<void> {
  if (statement.paidOn !== null) throw refused(`${statement.number} is paid already.`)
  if ((await toPayOf(db, statement)) === 0) throw refused(`There is nothing to pay for ${statement.number}.`)
  if (Number.isNaN(Date.parse(on))) throw unprocessable('on', 'There is no such day.')
  if (on > dayOf(clock.now(), config.shopZone)) throw unprocessable('on', 'That day is still to come.')
  if (on < statement.from) throw unprocessable('on', 'That is before the month of the statement.')
  await updateStatement(db, statement.id, { paidOn: on, paidBy: by })
}

export const takeBackStatementPaid = (db: Db, { id }: StatementRow): Promise<void> =>
  updateStatement(db, id, { paidOn: null, paidBy: null })

/** An email to the bookshop, once a day at most. @throws 422 if there is nothing to remind of */
export async function remindOfStatement(
  { db, clock, config }: Pick<Shop, 'db' | 'clock' | 'config'>,
  outlet: OutletRow,
  statement: StatementRow,
): Promise<void> {
  const { id, number, from, dueOn, paidOn } = statement
  const now = clock.now()
  const today = dayOf(now, config.shopZone)
  const toPayMinor = await toPayOf(db, statement)
  if (paidOn !== null) throw refused(`${number} is paid already.`)
  if (toPayMinor <= 0) throw refused(`${outlet.name} has nothing to pay for ${number}.`)
  if (statement.remindedAt && dayOf(statement.remindedAt, config.shopZone) === today)
    throw refused(`${outlet.name} was reminded today already.`)
  const addresses = await selectStaff(db, outlet.id)
  if (addresses.length === 0) throw refused(`${outlet.name} has no account to write to.`)
  await db.transaction(async (tx) => {
    for (const [place, to] of addresses.entries())
      await queueMail(tx, {
        to,
        kind: 'outlet_reminder',
        key: `outlet_reminder:${id}:${today}:${place}`,
        data: { number, month: monthWords(from), toPayMinor, dueOn: longDay(dueOn), isLate: dueOn < today },
      })
    await updateStatement(tx, id, { remindedAt: now })
  })
}

export interface OverdueBookshop {
  readonly slug: string
  readonly name: string
  readonly numbers: readonly string[]
  readonly owedMinor: number
  /** The latest day by which one of them was to be paid. */
  readonly since: Date
}

/** One entry for each bookshop, so that many months make one thing to do. */
export async function overdueBookshops(
  { db, config }: Pick<Shop, 'db' | 'config'>,
  now: BusinessTime,
  atMost: number,
): Promise<OverdueBookshop[]> {
  const rows = await selectOverdueStatements(db, dayOf(now, config.shopZone), atMost)
  return rows.map(({ slug, name, numbers, owedMinor, since }) => ({
    slug,
    name,
    numbers,
    owedMinor,
    since: new Date(`${since}T12:00:00Z`),
  }))
}
