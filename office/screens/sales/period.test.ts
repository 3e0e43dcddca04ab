import { expect, test } from 'vitest'
import { daysOf, inUnit, shifted, unitOf } from './period.ts'

test('OFFICE-55: a period moves by its own length, across years and lengths of months', () => {
  expect(shifted('2026-12', 1)).toBe('2027-01')
  expect(shifted('2026-01', -1)).toBe('2025-12')
  expect(shifted('2026-Q4', 1)).toBe('2027-Q1')
  expect(shifted('2026-Q1', -1)).toBe('2025-Q4')
  expect(shifted('2026', -1)).toBe('2025')
  expect(shifted('2026-02-22..2026-02-28', 1)).toBe('2026-03-01..2026-03-07')
})

test('OFFICE-55: another unit begins with the same day', () => {
  const november = { from: '2026-11-01', to: '2026-11-30' }
  expect(inUnit('quarter', november)).toBe('2026-Q4')
  expect(inUnit('year', november)).toBe('2026')
  expect(inUnit('days', november)).toBe('2026-11-01..2026-11-30')
  expect(['2026', '2026-Q4', '2026-11', '2026-11-01..2026-11-30'].map(unitOf)).toEqual([
    'year',
    'quarter',
    'month',
    'days',
  ])
  expect(daysOf('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
})
