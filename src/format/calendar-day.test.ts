import { expect, test } from 'vitest'
import { addDays, addMonths, dayIn, hourIn, todayIn, typedDay, weeksOf, zoneInWords } from './calendar-day.ts'

test.each([
  ['25/12/2026', '2026-12-25'],
  [' 1/2/2027 ', '2027-02-01'],
  ['25.12.2026', '2026-12-25'],
  ['25-12-2026', '2026-12-25'],
  ['31/11/2026', undefined],
  ['29/02/2027', undefined],
  ['12/25/2026', undefined],
  ['25/12/26', undefined],
  ['2026-12-25', undefined],
  ['', undefined],
])('"%s" is the day %s', (typed, day) => expect(dayIn(typed)).toBe(day))

test('a date is typed day first', () => expect(typedDay('2026-12-05')).toBe('05/12/2026'))

test('day and hour depend on the time zone, also across a clock change', () => {
  const late = Date.parse('2026-12-24T23:30:00Z')
  expect(todayIn('Europe/London', late)).toBe('2026-12-24')
  expect(todayIn('Europe/Berlin', late)).toBe('2026-12-25')
  expect(todayIn('America/New_York', late)).toBe('2026-12-24')
  expect(hourIn('Europe/London', Date.parse('2026-10-25T00:30:00Z'))).toBe(1)
  expect(hourIn('Europe/London', Date.parse('2026-10-25T08:30:00Z'))).toBe(8)
  expect(hourIn('Europe/London', Date.parse('2026-12-25T00:00:00Z'))).toBe(0)
})

test('adds days and months across the ends of months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
  expect(addMonths('2026-12-25', 1)).toBe('2027-01-25')
  expect(addMonths('2027-01-31', 1)).toBe('2027-02-28')
  expect(addMonths('2027-01-15', -1)).toBe('2026-12-15')
})

test('the weeks of a month begin on Monday', () => {
  const weeks = weeksOf('2026-12-09')
  expect(weeks).toHaveLength(5)
  expect(weeks[0]).toEqual([
    undefined,
    ...['01', '02', '03', '04', '05', '06'].map((day) => `2026-12-${day}`),
  ])
  expect(weeks[3]![4]).toBe('2026-12-25')
  expect(weeks.at(-1)!.filter(Boolean)).toHaveLength(4)
  expect(weeksOf('2027-02-10')).toHaveLength(4)
})

test('a time zone is named by its city', () => {
  expect(zoneInWords('Europe/London')).toBe('London time')
  expect(zoneInWords('America/New_York')).toBe('New York time')
  expect(zoneInWords('UTC')).toBe('UTC')
})
