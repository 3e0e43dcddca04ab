import { expect, test } from 'vitest'
import { contradictionIn, isActive, reductionOf } from './service.ts'
import type { DiscountRow } from './queries.ts'
import { appliedDiscount } from './serializers.ts'

const NOW = new Date('2026-03-02T08:00:00.000Z')
const BEFORE = new Date(NOW.getTime() - 1)
const AFTER = new Date(NOW.getTime() + 1)

const code = (more: Partial<DiscountRow>): DiscountRow =>
  ({
    code: 'TENTH',
    type: 'all',
    active: true,
    percent: 10,
    amountMinor: null,
    stoppedAt: null,
    startsAt: null,
    endsAt: null,
    ...more,
  }) as DiscountRow

test('DISC-02: a code is active from its start until its end, and never while it is switched off', () => {
  expect(isActive(code({}), NOW)).toBe(true)
  expect(isActive(code({ startsAt: NOW, endsAt: AFTER }), NOW)).toBe(true)
  expect(isActive(code({ startsAt: AFTER }), NOW)).toBe(false)
  expect(isActive(code({ startsAt: BEFORE, endsAt: NOW }), NOW)).toBe(false)
  expect(isActive(code({ active: false }), NOW)).toBe(false)
  expect(isActive(code({ stoppedAt: BEFORE }), NOW)).toBe(false)
  expect(isActive(code({ active: false, startsAt: BEFORE, endsAt: AFTER }), NOW)).toBe(false)
})

test('DISC-09: only a percentage off the whole bag is reported as rounded, and only if it took off less', () => {
  const rounded = (more: Partial<DiscountRow>, beforeMinor: number, totalMinor: number) =>
    appliedDiscount(code(more), { beforeMinor, totalMinor }).rounded
  expect(rounded({}, 1499, 1400)).toBe(true)
  expect(rounded({}, 1000, 900)).toBe(false)
  expect(rounded({ type: 'book' }, 1499, 1400)).toBe(false)
})

test('DISC-06: a code for certain books covers these and nothing else', () => {
  const { covers } = reductionOf({ type: 'book', percent: 50, amountMinor: null, bookIds: [7] })
  expect(covers({ kind: 'title', bookId: 7, format: 'audio_book' })).toBe(true)
  expect(covers({ kind: 'title', bookId: 8, format: 'audio_book' })).toBe(false)
  expect(covers({ kind: 'membership', plan: 7 })).toBe(false)
  const none = reductionOf({ type: 'book', percent: 50, amountMinor: null, bookIds: null })
  expect(none.covers({ kind: 'title', bookId: 7, format: 'audio_book' })).toBe(false)
})

test.each([
  [undefined, {}],
  [undefined, { percent: undefined, amount: 5 }],
  ['either “percent” or “amount”', { amount: 5 }],
  ['either “percent” or “amount”', { percent: undefined }],
  [undefined, { type: 'book', book: 'the-salt-ledger' }],
  ['needs a “book” exactly', { type: 'book' }],
  ['needs a “book” exactly', { book: 'the-salt-ledger' }],
  [undefined, { startsAt: new Date(1), endsAt: new Date(2) }],
  [undefined, { endsAt: new Date(0) }],
  ['ends before it starts', { startsAt: new Date(2), endsAt: new Date(2) }],
  ['ends before it starts', { startsAt: new Date(2), endsAt: new Date(1) }],
  [undefined, { duration: 'forever' }],
  ['“duration” is for memberships', { type: 'cheapest_book', duration: 'once' }],
  ['“duration” is for memberships', { type: 'book', book: 'the-salt-ledger', duration: 'once' }],
  [undefined, { duration: 'repeating', durationMonths: 3 }],
  ['needs “durationMonths” exactly', { duration: 'repeating' }],
  ['needs “durationMonths” exactly', { durationMonths: 3 }],
  [undefined, { type: 'yearly', duration: 'repeating', durationMonths: 24 }],
  [undefined, { type: 'monthly', duration: 'repeating', durationMonths: 13 }],
  ['whole years', { type: 'yearly', duration: 'repeating', durationMonths: 13 }],
] as const)('a description of a code is refused with a reason: %s for %j', (reason, given) => {
  const plain = { code: 'CODE', type: 'all', percent: 20, startsAt: null, endsAt: null } as const
  const found = contradictionIn({ ...plain, ...given })
  expect(found ?? '').toContain(reason ?? '')
  expect(found === undefined).toBe(reason === undefined)
})
