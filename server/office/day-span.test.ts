import { expect, test } from 'vitest'
import { daySpan } from './day-span.ts'

// Half past midnight in London, still the day before in UTC.
const NOW = new Date('2026-07-14T23:30:00Z')
const days = (text: string, zone = 'Europe/London') => {
  const { from, until } = daySpan(text, NOW, zone)
  return [from.toISOString(), until.toISOString()]
}

test('days begin and end at midnight of the shop’s time zone', () => {
  expect(days('today')).toEqual(['2026-07-14T23:00:00.000Z', '2026-07-15T23:00:00.000Z'])
  expect(days('yesterday')).toEqual(['2026-07-13T23:00:00.000Z', '2026-07-14T23:00:00.000Z'])
  expect(days('week')).toEqual(['2026-07-08T23:00:00.000Z', '2026-07-15T23:00:00.000Z'])
  expect(days('month')[0]).toBe('2026-06-30T23:00:00.000Z')
  expect(days('2026-10-25..2026-10-25')).toEqual(['2026-10-24T23:00:00.000Z', '2026-10-26T00:00:00.000Z'])
})

test.each([
  '',
  'tomorrow',
  '2026-02-30..2026-03-01',
  '2026-03-02..2026-03-01',
  '2026-03-01T10:00..2026-03-02',
])('“%s” is refused', (text) => expect(() => days(text)).toThrow('Days are written'))
