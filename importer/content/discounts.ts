import { DAY_MS } from '#contract/durations.ts'
import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { and, asc, eq, inArray, notInArray } from 'drizzle-orm'
import { couponCode } from '#contract/limits.ts'
import type { Transaction } from '#server/db/open.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { counted } from '#server/print/table.ts'
import { contradictionIn } from '#server/features/discounts/service.ts'
import { ImportRefused } from '../refused.ts'
import { instantOf, readJson } from './files.ts'
import { type Applying, changedBy, created, type Piece, piece } from './piece.ts'
import { DiscountsFile } from './schemas.ts'
import { bookIdsOf } from './vocabularies.ts'

type Given = DiscountsFile[number]
type Row = typeof discounts.$inferInsert

export async function readDiscounts(path: string): Promise<Piece> {
  const given = await readJson(path, DiscountsFile)
  const wrong = given.flatMap((code) => mistakeIn(code) ?? [])
  if (wrong.length > 0) throw new ImportRefused(...wrong)
  const folder = await realpath(dirname(path))
  return piece(counted(given.length, 'discount code'), (tx, applying) =>
    applyDiscounts(tx, given, folder, applying),
  )
}

function mistakeIn(given: Given): string | undefined {
  const { code, startsAt, endsAt } = given
  for (const time of [startsAt, endsAt])
    if (time !== undefined && !instantOf(time)) return `“${code}”: ${time} is not a date in the calendar.`
  return contradictionIn({ ...given, startsAt: instant(startsAt), endsAt: instant(endsAt) })
}

/** Keeps codes of other folders and from commands. */
export async function stopOtherCodes(
  tx: Transaction,
  folder: string,
  taken: readonly string[],
  dryRun: boolean,
): Promise<string[]> {
  const gone = await tx
    .select({ code: discounts.code })
    .from(discounts)
    .where(
      and(eq(discounts.folder, folder), eq(discounts.active, true), notInArray(discounts.code, [...taken])),
    )
    .orderBy(asc(discounts.code))
  const codes = gone.map(({ code }) => code)
  if (!dryRun) await tx.update(discounts).set({ active: false }).where(inArray(discounts.code, codes))
  return codes.map((code) => `${code} stopped`)
}

async function applyDiscounts(
  tx: Transaction,
  given: DiscountsFile,
  folder: string,
  { now, dryRun, coming }: Applying,
) {
  const titles = given.flatMap(({ book }) => book ?? [])
  const known = await bookIdsOf(tx, titles)
  const unknown = titles.filter((slug) => !known.has(slug) && !coming.books.has(slug))
  if (unknown.length > 0) throw new ImportRefused(...unknown.map((slug) => `No book is called “${slug}”.`))

  const changes: string[] = []
  let stood = 0
  for (const each of given) {
    const wanted = { ...rowOf(each, known, now), folder }
    const [standing] = await tx.select().from(discounts).where(eq(discounts.code, wanted.code))
    if (standing) stood += 1
    // A relative date counts from the run that first saw it.
    const row = {
      ...wanted,
      // Only the command starts a code again that the command stopped.
      stoppedAt: standing?.stoppedAt ?? null,
      ...(standing && each.endedDaysAgo !== undefined ? { endsAt: standing.endsAt } : {}),
    }
    const isSame = standing && isDeepStrictEqual({ ...standing, folder }, row)
    if (!isSame) changes.push(row.code)
    if (!dryRun && !(isSame && standing.folder === folder))
      await tx.insert(discounts).values(row).onConflictDoUpdate({ target: discounts.code, set: row })
  }
  const taken = given.map(({ code }) => couponCode(code))
  const stopped = await stopOtherCodes(tx, folder, taken, dryRun)
  return stood === 0 && stopped.length === 0 && changes.length > 0
    ? created
    : changedBy([...changes, ...stopped])
}

const instant = (text: string | undefined) => (text === undefined ? null : (instantOf(text) ?? null))

function rowOf(
  given: Given,
  known: ReadonlyMap<string, number[]>,
  now: Date,
): Required<Omit<Row, 'folder' | 'stoppedAt'>> {
  const { type, percent = null, amount, book, active = true, oncePerAccount = false, endedDaysAgo } = given
  return {
    code: couponCode(given.code),
    type,
    percent,
    amountMinor: amount === undefined ? null : Math.round(amount * 100),
    active,
    startsAt: instant(given.startsAt),
    endsAt:
      endedDaysAgo === undefined ? instant(given.endsAt) : new Date(now.getTime() - endedDaysAgo * DAY_MS),
    bookIds: book === undefined ? null : (known.get(book) ?? []),
    oncePerAccount,
    duration: given.duration ?? null,
    durationMonths: given.durationMonths ?? null,
    uses: given.uses ?? null,
  }
}
