import { and, asc, desc, eq, gte, isNull, lt, min, sql } from 'drizzle-orm'
import type { BusinessTime, RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { accountTokens, outlets, users } from '../../db/schema/accounts.ts'
import {
  cardTitles,
  outletLines,
  outletReaders,
  outletStatements,
  starterPackRequests,
} from '../../db/schema/cards.ts'
import { books } from '../../db/schema/catalogue.ts'

export type OutletRow = typeof outlets.$inferSelect
export type LineRow = typeof outletLines.$inferSelect
export type StatementRow = typeof outletStatements.$inferSelect

export async function insertOutlet(
  db: Db,
  outlet: typeof outlets.$inferInsert & { slug: string },
): Promise<string | undefined> {
  const [row] = await db.insert(outlets).values(outlet).onConflictDoNothing().returning({ id: outlets.id })
  return row?.id
}

export const selectOutlets = (db: Db): Promise<OutletRow[]> =>
  db.select().from(outlets).orderBy(outlets.createdAt, outlets.id)

export async function selectOutlet(db: Db, id: string): Promise<OutletRow | undefined> {
  const [row] = await db.select().from(outlets).where(eq(outlets.id, id))
  return row
}

export async function selectOutletNamed(db: Db, slug: string): Promise<OutletRow | undefined> {
  const [row] = await db.select().from(outlets).where(eq(outlets.slug, slug))
  return row
}

/** Terms and opening stay as they are until the transaction ends. Sales can run concurrently. */
export async function shareLockOutlet(tx: Db, id: string): Promise<OutletRow | undefined> {
  const [row] = await tx.select().from(outlets).where(eq(outlets.id, id)).for('share')
  return row
}

/** The bookshop is not closed, and gets no other statement, until the transaction ends. */
export async function lockOutlet(tx: Db, id: string): Promise<OutletRow | undefined> {
  const [row] = await tx.select().from(outlets).where(eq(outlets.id, id)).for('update')
  return row
}

export async function updateOutlet(
  tx: Db,
  id: string,
  change: Partial<typeof outlets.$inferInsert>,
): Promise<void> {
  await tx.update(outlets).set(change).where(eq(outlets.id, id))
}

export async function selectStaff(db: Db, outletId: string): Promise<string[]> {
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(eq(users.outletId, outletId))
    .orderBy(users.createdAt)
  return rows.map(({ email }) => email)
}

export async function insertLine(tx: Db, line: typeof outletLines.$inferInsert): Promise<void> {
  await tx.insert(outletLines).values(line).onConflictDoNothing()
}

export async function selectLineOfActivation(tx: Db, activationId: string): Promise<LineRow | undefined> {
  const [row] = await tx
    .select()
    .from(outletLines)
    .where(and(eq(outletLines.activationId, activationId), eq(outletLines.kind, 'card')))
  return row
}

/** Does nothing if the bookshop is closed, or the reader already has one. */
export async function insertReader(
  tx: Db,
  { userId, outletId, since, until }: typeof outletReaders.$inferInsert,
): Promise<void> {
  await tx.execute(sql`
    insert into outlet_readers (user_id, outlet_id, since, until)
    select ${userId}::uuid, id, ${since.toISOString()}::timestamptz, ${until.toISOString()}::timestamptz
    from outlets where id = ${outletId}::uuid and closed_at is null
    on conflict do nothing`)
}

export async function endReaders(tx: Db, outletId: string, until: BusinessTime): Promise<void> {
  await tx
    .update(outletReaders)
    .set({ until })
    .where(
      and(
        eq(outletReaders.outletId, outletId),
        sql`${outletReaders.until} > ${until.toISOString()}::timestamptz`,
      ),
    )
}

export interface Sums extends Record<string, unknown> {
  cards: number
  soldMinor: number
  owedMinor: number
  vatMinor: number
  purchases: number
  commissionMinor: number
}

const SUMS = sql`
  coalesce(sum(case kind when 'card' then 1 when 'card_taken_back' then -1 else 0 end), 0)::int as cards,
  coalesce(sum(of_minor) filter (where kind like 'card%'), 0)::int as "soldMinor",
  coalesce(sum(amount_minor) filter (where kind like 'card%'), 0)::int as "owedMinor",
  coalesce(sum(vat_minor), 0)::int as "vatMinor",
  coalesce(sum(case kind when 'commission' then 1 when 'commission_given_back' then 1 when 'commission_taken_back' then -1 else 0 end), 0)::int as purchases,
  coalesce(-sum(amount_minor) filter (where kind like 'commission%'), 0)::int as "commissionMinor"`

export async function sumBetween(
  db: Db,
  outletId: string,
  { begins, ends }: { begins: Date; ends: Date },
): Promise<Sums> {
  const { rows } = await db.execute<Sums>(sql`
    select ${SUMS} from outlet_lines
    where outlet_id = ${outletId}::uuid and at >= ${begins.toISOString()}::timestamptz and at < ${ends.toISOString()}::timestamptz`)
  return rows[0]!
}

export async function sumsOf(db: Db, statementIds: readonly string[]): Promise<Map<string, Sums>> {
  if (statementIds.length === 0) return new Map()
  const { rows } = await db.execute<Sums & { statementId: string }>(sql`
    select statement_id as "statementId", ${SUMS} from outlet_lines
    where statement_id = any(${sql.param([...statementIds])}::uuid[]) group by statement_id`)
  return new Map(rows.map((row) => [row.statementId, row]))
}

export async function oldestOpen(db: Db, outletId: string, before: Date): Promise<Date | null> {
  const [row] = await db
    .select({ at: min(outletLines.at) })
    .from(outletLines)
    .where(
      and(eq(outletLines.outletId, outletId), isNull(outletLines.statementId), lt(outletLines.at, before)),
    )
  return row?.at ?? null
}

export async function insertStatement(
  tx: Db,
  statement: typeof outletStatements.$inferInsert,
): Promise<StatementRow | undefined> {
  const [row] = await tx.insert(outletStatements).values(statement).onConflictDoNothing().returning()
  return row
}

export async function latestStatement(db: Db, outletId: string): Promise<StatementRow | undefined> {
  const [row] = await selectStatements(db, outletId)
  return row
}

export async function stateLines(
  tx: Db,
  { outletId, before, statementId }: { outletId: string; before: Date; statementId: string },
): Promise<void> {
  await tx
    .update(outletLines)
    .set({ statementId })
    .where(
      and(eq(outletLines.outletId, outletId), isNull(outletLines.statementId), lt(outletLines.at, before)),
    )
}

export const selectStatements = (db: Db, outletId: string): Promise<StatementRow[]> =>
  db
    .select()
    .from(outletStatements)
    .where(eq(outletStatements.outletId, outletId))
    .orderBy(desc(outletStatements.from))
    .limit(600)

export async function selectStatement(
  db: Db,
  { id, outletId }: { id: string; outletId: string },
): Promise<StatementRow | undefined> {
  const [row] = await db
    .select()
    .from(outletStatements)
    .where(and(eq(outletStatements.id, id), eq(outletStatements.outletId, outletId)))
  return row
}

export async function updateStatement(
  db: Db,
  id: string,
  change: Pick<Partial<StatementRow>, 'paidOn' | 'paidBy' | 'remindedAt'>,
): Promise<void> {
  await db.update(outletStatements).set(change).where(eq(outletStatements.id, id))
}

interface OverdueRow extends Record<string, unknown> {
  slug: string
  name: string
  numbers: string[]
  owedMinor: number
  since: string
}

/** Bookshops that owe something for statements that were to be paid before this day. */
export async function selectOverdueStatements(db: Db, today: string, atMost: number): Promise<OverdueRow[]> {
  const { rows } = await db.execute<OverdueRow>(sql`
    select o.slug, o.name, array_agg(s.number order by s.from_day) as numbers, sum(l.owed)::int as "owedMinor",
      max(s.due_on)::text as since
    from outlet_statements s
    join outlets o on o.id = s.outlet_id
    cross join lateral (select coalesce(sum(amount_minor), 0) as owed from outlet_lines where statement_id = s.id) l
    where s.paid_on is null and s.due_on < ${today}::date and l.owed > 0 and o.slug is not null
    group by o.id order by o.name limit ${atMost}::int`)
  return rows
}

export const selectLines = (db: Db, statementId: string): Promise<LineRow[]> =>
  db
    .select()
    .from(outletLines)
    .where(eq(outletLines.statementId, statementId))
    .orderBy(asc(outletLines.at), outletLines.id)

/** On the first call of a shop, titles count from the day they were listed. */
export async function recordCardTitles(db: Db, now: BusinessTime): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`
  await db.execute(sql`
    insert into card_titles (book_id, since)
    select id, case when exists (select 1 from card_titles) then ${at} else least(listed_at, ${at}) end
    from books where available_as_card and sellable and format = 'audio_book'
    on conflict do nothing`)
}

export const selectAdditions = (db: Db, { begins, ends }: { begins: Date; ends: Date }) =>
  db
    .select({ bookId: books.id, title: books.title, priceMinor: books.priceMinor, since: cardTitles.since })
    .from(cardTitles)
    .innerJoin(books, eq(books.id, cardTitles.bookId))
    .where(
      and(
        gte(cardTitles.since, begins),
        lt(cardTitles.since, ends),
        eq(books.availableAsCard, true),
        eq(books.sellable, true),
      ),
    )
    .orderBy(desc(cardTitles.since), books.id)

export async function selectCardPrice(db: Db, slug: string): Promise<number | undefined> {
  const isCard = [eq(books.format, 'audio_book'), eq(books.availableAsCard, true), eq(books.sellable, true)]
  const [row] = await db
    .select({ priceMinor: books.priceMinor })
    .from(books)
    .where(and(eq(books.slug, slug), ...isCard))
  return row?.priceMinor
}

export async function selectOutletOfStaff(db: Db, userId: string): Promise<string | null> {
  const [row] = await db.select({ outletId: users.outletId }).from(users).where(eq(users.id, userId))
  return row?.outletId ?? null
}

export async function insertStaff(
  tx: Db,
  {
    email,
    passwordHash,
    outletId,
    name,
    now,
  }: {
    email: string
    passwordHash: string
    outletId: string
    name: string
    now: RealTime
  },
): Promise<boolean> {
  const rows = await tx
    .insert(users)
    .values({
      email,
      passwordHash,
      outletId,
      firstName: name,
      lastName: '',
      confirmedAt: now,
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: users.id })
  return rows.length > 0
}

/** Deletes the tokens mailed to the old address. Undefined if another account has the address. */
export async function moveAccount(
  tx: Db,
  {
    outletId,
    email,
    passwordHash,
    now,
  }: { outletId: string; email: string; passwordHash: string; now: RealTime },
): Promise<string | undefined> {
  const [account] = await tx
    .update(users)
    .set({ email, passwordHash, confirmedAt: now })
    .where(
      and(
        eq(users.outletId, outletId),
        sql`not exists (select from users u where lower(u.email) = ${email.toLowerCase()} and u.outlet_id is distinct from ${outletId}::uuid)`,
      ),
    )
    .returning({ id: users.id })
  if (account) await tx.delete(accountTokens).where(eq(accountTokens.userId, account.id))
  return account?.id
}

interface EarningLine {
  readonly outletId: string
  readonly orderLineId: string
  /** Net of VAT, in pence. */
  readonly netMinor: number
  readonly percent: number
}

/** Locks the bookshop, so that it cannot be closed and its terms cannot change meanwhile. */
export async function selectEarningLines(
  tx: Db,
  { orderId, userId, now }: { orderId: string; userId: string; now: BusinessTime },
): Promise<EarningLine[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await tx.execute<{ outlet: string; line: string; net: number; percent: number }>(sql`
    select o.id as outlet, l.id as line, l.price_minor - l.vat_minor as net, o.commission_percent as percent
    from outlet_readers r
      join outlets o on o.id = r.outlet_id and o.closed_at is null
      join order_lines l on l.order_id = ${orderId}::uuid and l.entry_id is not null and not l.gift and l.price_minor > 0
    where r.user_id = ${userId}::uuid and r.since <= ${at} and r.until > ${at}
    for share of o`)
  return rows.map(({ outlet, line, net, percent }) => ({
    outletId: outlet,
    orderLineId: line,
    netMinor: net,
    percent,
  }))
}

export async function insertCommission(
  tx: Db,
  lines: readonly (EarningLine & { readonly amountMinor: number })[],
  now: BusinessTime,
): Promise<void> {
  if (lines.length === 0) return
  await tx
    .insert(outletLines)
    .values(
      lines.map(({ outletId, orderLineId, netMinor, percent, amountMinor }) => ({
        ...{ outletId, orderLineId, percent, amountMinor, at: now },
        ...{ kind: 'commission' as const, ofMinor: netMinor },
      })),
    )
    .onConflictDoNothing()
}

export async function insertCommissionBack(
  tx: Db,
  { orderLineIds, now }: { orderLineIds: readonly string[]; now: BusinessTime },
): Promise<void> {
  if (orderLineIds.length === 0) return
  await tx.execute(sql`
    insert into outlet_lines (outlet_id, kind, at, order_line_id, of_minor, percent, amount_minor)
    select c.outlet_id, 'commission_taken_back', ${now.toISOString()}::timestamptz, c.order_line_id, -c.of_minor, c.percent,
      -c.amount_minor
    from outlet_lines c join outlets o on o.id = c.outlet_id and o.closed_at is null
    where c.kind = 'commission' and c.order_line_id = any(${sql.param([...orderLineIds])}::uuid[])
    on conflict do nothing`)
}

/** Deletes lines of `insertCommissionBack` that are in no statement yet, and adds correcting lines for the others. */
export async function insertCommissionAgain(
  tx: Db,
  { orderLineIds, now }: { orderLineIds: readonly string[]; now: BusinessTime },
): Promise<void> {
  if (orderLineIds.length === 0) return
  const ids = sql`${sql.param([...orderLineIds])}::uuid[]`
  await tx.execute(sql`
    delete from outlet_lines
    where kind = 'commission_taken_back' and statement_id is null and order_line_id = any(${ids})`)
  await tx.execute(sql`
    insert into outlet_lines (outlet_id, kind, at, order_line_id, of_minor, percent, amount_minor)
    select c.outlet_id, 'commission_given_back', ${now.toISOString()}::timestamptz, c.order_line_id, -c.of_minor, c.percent,
      -c.amount_minor
    from outlet_lines c join outlets o on o.id = c.outlet_id and o.closed_at is null
    where c.kind = 'commission_taken_back' and c.order_line_id = any(${ids})
    on conflict do nothing`)
}

export type PackRequestRow = typeof starterPackRequests.$inferSelect

/** The request's id, or undefined if the same one is still open. */
export async function insertPackRequest(
  tx: Db,
  request: typeof starterPackRequests.$inferInsert,
): Promise<string | undefined> {
  const [row] = await tx
    .insert(starterPackRequests)
    .values(request)
    .onConflictDoNothing()
    .returning({ id: starterPackRequests.id })
  return row?.id
}

export const selectOpenPackRequests = (db: Db, limit: number): Promise<PackRequestRow[]> =>
  db
    .select()
    .from(starterPackRequests)
    .where(isNull(starterPackRequests.doneAt))
    .orderBy(asc(starterPackRequests.askedAt), asc(starterPackRequests.id))
    .limit(limit)

/** Open ones. Two at most: enough to see whether there is only one. */
export const selectPackRequestsBy = (db: Db, idBegins: string): Promise<PackRequestRow[]> =>
  db
    .select()
    .from(starterPackRequests)
    .where(
      and(isNull(starterPackRequests.doneAt), sql`${starterPackRequests.id}::text like ${`${idBegins}%`}`),
    )
    .limit(2)

export async function finishPackRequest(db: Db, id: string, doneAt: RealTime): Promise<void> {
  await db.update(starterPackRequests).set({ doneAt }).where(eq(starterPackRequests.id, id))
}

export async function deleteOldPackRequests(db: Db, before: RealTime): Promise<void> {
  await db.delete(starterPackRequests).where(lt(starterPackRequests.askedAt, before))
}
