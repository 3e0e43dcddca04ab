import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asc } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { discounts } from '#server/db/schema/discounts.ts'
import { updateStopped } from '#server/features/discounts/queries.ts'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { readDiscounts } from './discounts.ts'
import { importContent } from './run.ts'

let shop: TestShop
const folder = mkdtempSync(join(tmpdir(), 'murmur-discounts-'))
beforeAll(async () => {
  shop = await testShop()
})
afterAll(async () => {
  await shop.close()
  rmSync(folder, { recursive: true })
})

async function bring(codes: readonly object[], dryRun = false) {
  const path = join(folder, 'discounts.json')
  writeFileSync(path, JSON.stringify(codes, null, 2))
  const piece = await readDiscounts(path)
  const coming = { books: new Set<string>(), authors: new Set<string>(), publishers: new Set<string>() }
  const { outcome, changes } = await shop.db.transaction((tx) =>
    piece.apply(tx, { now: shop.now(), dryRun, coming }),
  )
  return [outcome, ...changes]
}
const stored = () => shop.db.select().from(discounts).orderBy(asc(discounts.code))

test('imports discount codes as checkout looks them up; a second run changes nothing', async () => {
  const [audioBook, eBook] = [
    await anAudioBook(shop, { slug: 'one-title' }),
    await anEBook(shop, { slug: 'one-title' }),
  ]
  const codes = [
    { code: 'autumn', type: 'all', percent: 15, endsAt: '2026-11-30' },
    { code: 'ONETITLE', type: 'book', amount: 2.5, book: 'one-title', oncePerAccount: true },
    { code: 'PAST', type: 'monthly', percent: 10, endedDaysAgo: 3, duration: 'repeating', durationMonths: 3 },
  ]
  expect(await bring(codes, true)).toEqual(['created'])
  expect(await stored()).toEqual([])
  expect(await bring(codes)).toEqual(['created'])
  expect(await stored()).toMatchObject([
    { code: 'AUTUMN', percent: 15, amountMinor: null, endsAt: new Date('2026-11-30'), active: true },
    { code: 'ONETITLE', amountMinor: 250, bookIds: [audioBook.id, eBook.id], oncePerAccount: true },
    { code: 'PAST', endsAt: new Date(shop.now().getTime() - 3 * 24 * 3_600_000), durationMonths: 3 },
  ])
  shop.clock.advance(24 * 3600)
  expect(await bring(codes)).toEqual(['same'])
  const [autumn, ...others] = codes
  expect(await bring([{ ...autumn, active: false }, ...others])).toEqual(['changed', 'AUTUMN'])
  expect(await stored()).toMatchObject([{ active: false }, { active: true }, { active: true }])
})

test('an import without a code of the same folder stops it, and a later import with the code starts it again', async () => {
  const codes = ['SPRING', 'SUMMER'].map((code) => ({ code, type: 'all', percent: 10, uses: 50 }))
  await shop.db.delete(discounts)
  await bring(codes)
  await shop.db.insert(discounts).values([
    { code: 'BYHAND', type: 'all', percent: 10 },
    { code: 'ELSEWHERE', type: 'all', percent: 10, folder: '/another/folder' },
  ])
  const works = async () => (await stored()).filter(({ active }) => active).map(({ code }) => code)
  const all = ['BYHAND', 'ELSEWHERE', 'SPRING', 'SUMMER']
  expect(await works()).toEqual(all)
  expect(await bring([codes[0]!], true)).toEqual(['changed', 'SUMMER stopped'])
  expect(await works()).toEqual(all)
  expect(await bring([codes[0]!])).toEqual(['changed', 'SUMMER stopped'])
  expect(await works()).toEqual(['BYHAND', 'ELSEWHERE', 'SPRING'])
  expect(await bring([codes[0]!])).toEqual(['same'])
  expect(await bring(codes)).toEqual(['changed', 'SUMMER'])
  // Only the command starts a code again that the command stopped.
  await updateStopped(shop.db, 'SUMMER', shop.clock.now())
  expect(await bring(codes.map((code) => ({ ...code, percent: 20 })))).toEqual([
    'changed',
    'SPRING',
    'SUMMER',
  ])
  expect((await stored()).at(-1)).toMatchObject({ code: 'SUMMER', percent: 20, stoppedAt: shop.now() })
  expect(await works()).toEqual(all)
  expect((await stored()).find(({ code }) => code === 'SUMMER')).toMatchObject({ uses: 50 })
  expect(await bring([{ ...codes[0], code: 'WINTER' }])).toEqual([
    'changed',
    'WINTER',
    'SPRING stopped',
    'SUMMER stopped',
  ])
})

test('if the file of codes is gone, all codes of the folder are stopped and the report names them', async () => {
  await bring([{ code: 'LEFT', type: 'all', percent: 10 }])
  rmSync(join(folder, 'discounts.json'))
  writeFileSync(join(folder, 'settings.json'), '{}')
  const { db } = shop
  const importing = { db, media: shop.media, now: shop.now }
  const stopped = { folder: 'discounts.json', outcome: 'changed', details: ['LEFT stopped'], warnings: [] }
  expect(await importContent({ ...importing, dryRun: true }, folder)).toContainEqual(stopped)
  expect(await importContent(importing, folder)).toContainEqual(stopped)
  expect((await importContent(importing, folder)).map((report) => report.folder)).toEqual(['settings.json'])
})

test.each([
  [{ code: 'A', type: 'all', percent: 10, uses: 0 }, /how often it can be used in all/],
  [{ code: 'A', type: 'all' }, /either “percent” or “amount”/],
  [{ code: 'A', type: 'all', percent: 10, amount: 5 }, /either “percent” or “amount”/],
  [{ code: 'A', type: 'book', percent: 10 }, /needs a “book”/],
  [{ code: 'A', type: 'book', percent: 10, book: 'no-such-book' }, /No book is called “no-such-book”/],
  [{ code: 'A', type: 'all', percent: 10, duration: 'repeating' }, /needs “durationMonths” exactly where/],
  [{ code: 'A', type: 'all', percent: 10, durationMonths: 3 }, /needs “durationMonths” exactly where/],
  [
    { code: 'A', type: 'yearly', percent: 10, duration: 'repeating', durationMonths: 18 },
    /whole years, 12, 24 or more/,
  ],
  [{ code: 'A', type: 'cheapest_book', percent: 10, duration: 'forever' }, /“duration” is for memberships/],
  [
    { code: 'A', type: 'all', percent: 10, startsAt: '2026-05-02', endsAt: '2026-05-01' },
    /“A” ends before it starts/,
  ],
  [{ code: 'A B', type: 'all', percent: 10 }, /without spaces/],
  [{ code: 'A', type: 'everything', percent: 10 }, /one of cheapest_book/],
  [{ code: 'A', type: 'all', percent: 101 }, /from 1 to 100/],
  [
    { code: 'A', type: 'all', percent: 10, endsAt: '2026-02-31' },
    /“A”: 2026-02-31 is not a date in the calendar/,
  ],
])('refuses a contradictory code with an explanation: %j', async (code, sentence) => {
  const reasons = await bring([code]).catch((error: { reasons: string[] }) => error.reasons.join(' '))
  expect(reasons).toMatch(sentence)
})

test('the error for a code without a type lists the types', async () => {
  await expect(bring([{ code: 'NOTYPE', percent: 5 }])).rejects.toThrow(
    /needs "type": one of cheapest_book, all, subscription, monthly, yearly, book\./,
  )
})
