import type { Db } from '../../db/open.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import {
  endReaders,
  insertStatement,
  latestStatement,
  lockOutlet,
  recordCardTitles,
  oldestOpen,
  type OutletRow,
  selectAdditions,
  selectOutletNamed,
  selectOutlets,
  selectStaff,
  type StatementRow,
  stateLines,
  sumsOf,
  updateOutlet,
} from './queries.ts'
import { totalsOf } from './service.ts'
import {
  dayOf,
  daysLater,
  longDay,
  type Month,
  monthAfter,
  monthAt,
  monthBefore,
  monthWords,
} from './time-zone.ts'

const DAYS_TO_PAY = 30

/** On the first of a month, in the shop's time zone. Running late or twice has the same result. */
export async function runOutletCalendar(
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const { db, clock, config, log } = shop
  await recordCardTitles(db, clock.now())
  const month = monthAt(clock.now(), config.shopZone)
  const endMonth = async (outlet: OutletRow) => {
    await makeDueStatements(shop, outlet, month)
    if (!outlet.closedAt && config.details.has('cards'))
      await mailAdditions(db, outlet, monthBefore(month, config.shopZone))
  }
  await forEachDue(await selectOutlets(db), endMonth, {
    log,
    signal,
    problem: 'a bookshop’s month could not be ended',
    about: ({ id }) => ({ outlet: id }),
  })
}

export const nextOfOutletCalendar = async ({ config }: Pick<Shop, 'config'>, now: Date): Promise<Date> =>
  monthAt(now, config.shopZone).ends

export async function closeOutlet(
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  slug: string,
): Promise<StatementRow | undefined> {
  const { db, clock, config } = shop
  const outlet = await selectOutletNamed(db, slug)
  if (!outlet) throw notFound(`There is no bookshop ${slug}.`)
  if (outlet.closedAt) throw refused(`${outlet.name} is closed already.`)
  const now = clock.now()
  const month = monthAt(now, config.shopZone)
  await makeDueStatements(shop, outlet, month)
  return db.transaction(async (tx) => {
    await lockOutlet(tx, outlet.id)
    await updateOutlet(tx, outlet.id, { closedAt: now })
    await endReaders(tx, outlet.id, now)
    // Include every line that was written before the lock was acquired.
    const last = { ...month, to: dayOf(now, config.shopZone), ends: new Date(now.getTime() + 1) }
    return makeStatement(tx, shop, outlet, last)
  })
}

async function makeDueStatements(
  shop: Pick<Shop, 'db' | 'config' | 'clock' | 'log'>,
  outlet: OutletRow,
  thisMonth: Month,
): Promise<void> {
  const { db, config } = shop
  for (;;) {
    const made = await db.transaction(async (tx) => {
      await lockOutlet(tx, outlet.id)
      const oldest = await oldestOpen(tx, outlet.id, thisMonth.begins)
      if (!oldest) return false
      // A line that was committed after its month's statement is included in the next one.
      const latest = await latestStatement(tx, outlet.id)
      const own = monthAt(oldest, config.shopZone)
      const month = latest && latest.from >= own.from ? monthAfter(latest.from, config.shopZone) : own
      if (month.begins >= thisMonth.begins) return false
      return (await makeStatement(tx, shop, outlet, month)) !== undefined
    })
    if (!made) return
  }
}

/** The caller has locked the bookshop. Undefined if there is nothing to state. */
async function makeStatement(
  tx: Db,
  { clock }: Pick<Shop, 'clock'>,
  outlet: OutletRow,
  { from, to, ends }: Month,
): Promise<StatementRow | undefined> {
  if ((await oldestOpen(tx, outlet.id, ends)) === null) return undefined
  const dueOn = daysLater(to, DAYS_TO_PAY)
  const statement = await insertStatement(tx, { outletId: outlet.id, from, to, dueOn, madeAt: clock.now() })
  if (!statement) return undefined
  await stateLines(tx, { outletId: outlet.id, before: ends, statementId: statement.id })
  const sums = totalsOf((await sumsOf(tx, [statement.id])).get(statement.id)!)
  for (const [place, address] of (await selectStaff(tx, outlet.id)).entries())
    await queueMail(tx, {
      to: address,
      kind: 'outlet_statement',
      key: `outlet_statement:${statement.id}:${place}`,
      data: {
        outlet: outlet.name,
        number: statement.number,
        month: monthWords(from),
        cards: sums.cards,
        soldMinor: sums.soldMinor,
        owedMinor: sums.owedMinor,
        commissionMinor: sums.commissionMinor,
        toPayMinor: sums.toPayMinor,
        dueOn: longDay(dueOn),
      },
    })
  return statement
}

async function mailAdditions(db: Db, outlet: OutletRow, month: Month): Promise<void> {
  if (outlet.createdAt >= month.ends) return
  const titles = await selectAdditions(db, month)
  if (titles.length === 0) return
  for (const [place, to] of (await selectStaff(db, outlet.id)).entries())
    await queueMail(db, {
      to,
      kind: 'card_additions',
      key: `card_additions:${outlet.id}:${month.from}:${place}`,
      data: {
        month: monthWords(month.from),
        titles: titles.map(({ title, priceMinor }) => ({ title, priceMinor })),
      },
    })
}
