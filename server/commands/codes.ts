import { DISCOUNT_TYPES } from '#contract/discounts.ts'
import { couponCode } from '#contract/limits.ts'
import { day } from '../settings/days.ts'
import { type Change, doneSoFar, type OwnersCommand, ownersCommand, type Shown } from './owner-command.ts'
import { table } from '../print/table.ts'
import { formatPounds } from '../format.ts'
import type { Shop } from '../shop.ts'
import { notFound, refused } from '../http/http-errors.ts'
import { makeCodes } from './create-codes.ts'
import { listCodes, findDiscount, isActive } from '../features/discounts/service.ts'
import { updateStopped, type DiscountRow } from '../features/discounts/queries.ts'

const USAGE = `Usage: npm run codes -- list
       npm run codes -- show CODE
       npm run codes -- make CODE --percent 20 | --amount 5.00 [--for WHAT] [--title SLUG] [--until DAY] --because WHY
       npm run codes -- make --count 50 [--prefix PRESS-] --percent 100 --title SLUG --because WHY
       npm run codes -- stop CODE --because WHY
       npm run codes -- start CODE --because WHY

list   all codes with their discount, their uses, and whether they are valid
show   one code and its logbook
make   creates a code, or with --count many random ones, which can be used once each unless you set --uses; prints one per line
stop   disables a code, also if an import contains it
start  enables a stopped code again, within its dates

  --for               ${DISCOUNT_TYPES.join(', ')}; all of them by default
  --title             only for this title
  --percent, --amount the discount, in per cent or in pounds
  --from, --until     the first and the last valid day, like 2026-12-24
  --uses              the maximum number of uses in total
  --once-per-account  each account can use it once
  --months            for memberships: the number of discounted months, or forever; by default only the first payment`

export const CODES: OwnersCommand = {
  name: 'codes',
  usage: USAGE,
  options: {
    for: { type: 'string' },
    title: { type: 'string' },
    percent: { type: 'string' },
    amount: { type: 'string' },
    from: { type: 'string' },
    until: { type: 'string' },
    uses: { type: 'string' },
    'once-per-account': { type: 'boolean' },
    months: { type: 'string' },
    count: { type: 'string' },
    prefix: { type: 'string' },
  },
  verbs: {
    make: (shop, typed) => makeCodes(shop, typed),
    list: (shop, { words }) => (words.length > 0 ? undefined : list(shop)),
    show: (shop, { words: [code, ...more] }) => (code && more.length === 0 ? show(shop, code) : undefined),
    stop: (shop, { words: [code, ...more] }) => (code && more.length === 0 ? stop(shop, code) : undefined),
    start: (shop, { words: [code, ...more] }) => (code && more.length === 0 ? start(shop, code) : undefined),
  },
}

async function list(shop: Shop): Promise<Shown> {
  const codes = await listCodes(shop.db, shop.clock.now())
  return {
    lines: codes.length > 0 ? linesOf(shop, codes) : ['There are no codes yet.'],
    json: codes.map(({ row, taken }) => ({ ...row, taken })),
  }
}

async function show(shop: Shop, typed: string): Promise<Shown> {
  const { code } = await codeOf(shop, typed)
  const found = (await listCodes(shop.db, shop.clock.now())).filter(({ row }) => row.code === code)
  const done = await doneSoFar(shop, { about: `code ${code}` })
  return {
    lines: [...linesOf(shop, found), ...done.lines],
    json: { ...found[0]!.row, taken: found[0]!.taken, logbook: done.json },
  }
}

function linesOf({ clock, config }: Shop, codes: Awaited<ReturnType<typeof listCodes>>): string[] {
  const now = clock.now()
  return table(
    codes.map(({ row, taken }) => [
      row.code,
      row.percent === null ? `${formatPounds(row.amountMinor ?? 0)} off` : `${row.percent}% off`,
      FOR[row.type],
      row.uses === null ? `${taken} used` : `${taken} of ${row.uses} used`,
      stateOf(row, now, config.shopZone),
    ]),
  )
}

const FOR: Readonly<Record<DiscountRow['type'], string>> = {
  cheapest_book: 'the cheapest title',
  all: 'everything',
  book: 'its titles',
  subscription: 'memberships',
  monthly: 'memberships by the month',
  yearly: 'memberships by the year',
}

function stateOf(row: DiscountRow, now: Date, zone: string): string {
  if (row.stoppedAt) return `stopped ${day(row.stoppedAt, zone)}`
  if (!row.active) return 'stopped: its folder was imported without it'
  if (row.startsAt && row.startsAt > now) return `from ${day(row.startsAt, zone)}`
  if (!isActive(row, now)) return 'over'
  // The last valid day: a code that ends at midnight is no longer valid on the day that begins then.
  return row.endsAt ? `until ${day(new Date(row.endsAt.getTime() - 1), zone)}` : 'works'
}

async function codeOf(shop: Shop, typed: string): Promise<DiscountRow> {
  const row = await findDiscount(shop.db, typed)
  if (!row) throw notFound(`There is no code ${couponCode(typed)}. See them: npm run codes -- list`)
  return row
}

async function stop(shop: Shop, typed: string): Promise<Change> {
  const { code, stoppedAt } = await codeOf(shop, typed)
  if (stoppedAt) throw refused(`${code} is stopped already.`)
  return {
    about: `code ${code}`,
    what: 'stopped the code',
    will: [
      `${code} works for nobody from now on; whoever types it reads that it has ended.`,
      'Who is paying with it at this moment pays what they were told. Memberships that it made cheaper stay so.',
    ],
    carryOut: async () => {
      await updateStopped(shop.db, code, shop.now())
      return { lines: [`${code} is stopped.`], json: {} }
    },
  }
}

async function start(shop: Shop, typed: string): Promise<Change> {
  const { code, stoppedAt } = await codeOf(shop, typed)
  if (!stoppedAt) throw refused(`No command has stopped ${code}.`)
  return {
    about: `code ${code}`,
    what: 'started the code again',
    will: [`${code} works again, within its days and for the uses that are left.`],
    carryOut: async () => {
      await updateStopped(shop.db, code, null)
      return { lines: [`${code} works again.`], json: {} }
    },
  }
}

// Must come last: it uses the constants above.
if (import.meta.main) await ownersCommand(CODES)
