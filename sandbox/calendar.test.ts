import { expect, test } from 'vitest'
import { after, periodEnd, shareLeft } from './calendar.ts'

const at = (date: string) => Date.parse(`${date}T10:00:00Z`) / 1000
const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)
const monthly = { interval: 'month', interval_count: 1 }

test.each([
  ['2027-01-31', ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']],
  ['2028-01-31', ['2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31']],
  ['2027-01-30', ['2027-02-28', '2027-03-30', '2027-04-30', '2027-05-30']],
  ['2027-11-15', ['2027-12-15', '2028-01-15', '2028-02-15', '2028-03-15']],
])(
  'a subscription that begins on %s is billed from that day, never from a shorter month',
  (begins, expected) => {
    expect([1, 2, 3, 4].map((times) => day(after(at(begins), monthly, times)))).toEqual(expected)
  },
)

test('a leap day recurs every fourth year, and is the 28th in between', () => {
  const yearly = { interval: 'year', interval_count: 1 }
  expect([1, 2, 3, 4].map((times) => day(after(at('2028-02-29'), yearly, times)))).toEqual([
    '2029-02-28',
    '2030-02-28',
    '2031-02-28',
    '2032-02-29',
  ])
})

test('six months, a week and a day are valid billing intervals', () => {
  const begins = at('2027-08-31')
  expect(day(after(begins, { interval: 'month', interval_count: 6 }, 1))).toBe('2028-02-29')
  expect(day(after(begins, { interval: 'week', interval_count: 2 }, 1))).toBe('2027-09-14')
  expect(day(after(begins, { interval: 'day', interval_count: 3 }, 1))).toBe('2027-09-03')
})

test("a period ends after the given time, also if that time is the period's beginning", () => {
  const begins = at('2027-01-31')
  expect(day(periodEnd(begins, monthly, begins))).toBe('2027-02-28')
  expect(day(periodEnd(begins, monthly, at('2027-02-28') - 1))).toBe('2027-02-28')
  expect(day(periodEnd(begins, monthly, at('2027-02-28')))).toBe('2027-03-31')
})

test.each([
  [800, 0, 800],
  [800, 15, 413],
  [1200, 15, 619],
  [800, 31, 0],
  [1, 15, 1],
  [1, 16, 0],
])('of %i pence %i of 31 days later %i are left', (amount, days, left) => {
  const start = at('2027-03-01')
  const period = { start, end: start + 31 * 86_400 }
  expect(shareLeft(amount, period, start + days * 86_400)).toBe(left)
})
