import { expect, test } from 'vitest'
import { isActive, reductionOf } from './service.ts'
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
