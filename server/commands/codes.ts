import { Option } from '@commander-js/extra-typings'
import { DISCOUNT_TYPES } from '#contract/discounts.ts'
import { couponCode } from '#contract/limits.ts'
import { changeCommand, type Group, group, pence, showCommand, wholeNumber } from './command-line.ts'
import { type Change, doneSoFar, type Shown } from './frame.ts'
import { day } from '../settings/days.ts'
import { counted, table } from '../print/table.ts'
import { formatPounds } from '../format.ts'
import type { Shop } from '../shop.ts'
import { notFound, refused } from '../http/http-errors.ts'
import { type DescribedCodes, MOST_AT_ONCE, planCodes } from '../features/discounts/make-codes.ts'
import { findDiscount, isActive, listCodes } from '../features/discounts/service.ts'
import { type DiscountRow, updateStopped } from '../features/discounts/queries.ts'

export const codesCommand: Group = ({ show, change }) =>
  group('codes', [
    showCommand('list')
      .description('Lists all codes with their discount, their uses, and whether they are valid')
      .action((options) => show(options, list)),
    showCommand('show')
      .description('Shows one code and its logbook')
      .argument('<code>')
      .action((code, options) => show(options, (shop) => showCode(shop, code))),
    changeCommand('make')
      .description('Creates a code, or with --count many random ones, and prints one per line')
      .argument('[code]', 'The code, unless there is a --count')
      .option('--percent <number>', 'The discount in per cent', wholeNumber('--percent', 1, 100))
      .option('--amount <pounds>', 'Or in pounds, like 5.00', pence('--amount', { example: '5.00' }))
      .addOption(
        new Option('--for <what>', 'What it discounts; by default all, or book with --title').choices(
          DISCOUNT_TYPES,
        ),
      )
      .option('--title <slug>', 'Only for this title')
      .option('--from <day>', 'The first valid day, like 2026-12-01')
      .option('--until <day>', 'The last valid day, like 2026-12-24')
      .option(
        '--uses <number>',
        'The maximum number of uses in total; 1 for random codes if you don’t set it',
        wholeNumber('--uses', 1, 1_000_000),
      )
      .option('--once-per-account', 'Each account can use it once')
      .option(
        '--months <number>',
        'For memberships: the number of discounted months, or forever; by default only the first payment',
        (said) => (said === 'forever' ? said : wholeNumber('--months', 1, 120)(said)),
      )
      .option('--count <number>', 'How many random codes to make', wholeNumber('--count', 1, MOST_AT_ONCE))
      .option('--prefix <letters>', 'How each random code begins, like PRESS-')
      .action((code, options, command) => {
        if ((code === undefined) === (options.count === undefined))
          command.error('error: name one code, or say with --count how many random ones to make')
        return change(options, (shop) => makeCodes(shop, code, options))
      }),
    changeCommand('stop')
      .description('Disables a code, also if an import contains it')
      .argument('<code>')
      .action((code, options) => change(options, (shop) => stop(shop, code))),
    changeCommand('start')
      .description('Enables a stopped code again, within its dates')
      .argument('<code>')
      .action((code, options) => change(options, (shop) => start(shop, code))),
  ])

async function list(shop: Shop): Promise<Shown> {
  const codes = await listCodes(shop.db, shop.clock.now())
  return {
    lines: codes.length > 0 ? linesOf(shop, codes) : ['There are no codes yet.'],
    json: codes.map(({ row, taken }) => ({ ...row, taken })),
  }
}

async function showCode(shop: Shop, typed: string): Promise<Shown> {
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
      TARGET_IN_LIST[row.type],
      row.uses === null ? `${taken} used` : `${taken} of ${row.uses} used`,
      stateOf(row, now, config.shopZone),
    ]),
  )
}

const TARGET_IN_LIST: Readonly<Record<DiscountRow['type'], string>> = {
  cheapest_book: 'the cheapest title',
  all: 'everything',
  book: 'its titles',
  subscription: 'memberships',
  monthly: 'monthly memberships',
  yearly: 'yearly memberships',
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
      await updateStopped(shop.db, code, shop.clock.now())
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

/** `codes make CODE …`, or `codes make --count 50 --prefix PRESS- …` for many single-use codes. */
async function makeCodes(shop: Shop, named: string | undefined, described: DescribedCodes): Promise<Change> {
  const { codes, words, about, what, create } = await planCodes(shop, named, described)
  return {
    about,
    what,
    will: [
      named === undefined
        ? `${counted(codes.length, 'code')} like ${codes[0]}: each takes ${words}.`
        : `${codes[0]} takes ${words}.`,
    ],
    carryOut: async () => {
      const made = await create()
      return { lines: made, json: made }
    },
  }
}
