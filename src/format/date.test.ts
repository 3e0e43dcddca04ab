import { expect, test } from 'vitest'
import { dayAndHour, longDate, monthYear } from './date.ts'

test.each([
  ['2021-03-01', 'March 2021'],
  ['2021-12-31T23:59:59Z', 'December 2021'],
  ['2022-01-01T00:30:00+01:00', 'December 2021'],
  ['1999-07', 'July 1999'],
  ['never', ''],
])('CONST-14: %s is %s', (iso, shown) => expect(monthYear(iso)).toBe(shown))

test.each([
  ['2026-03-03', '3rd March 2026'],
  ['2026-01-01', '1st January 2026'],
  ['2026-02-02', '2nd February 2026'],
  ['2026-05-11', '11th May 2026'],
  ['2026-05-12', '12th May 2026'],
  ['2026-05-13', '13th May 2026'],
  ['2026-08-21', '21st August 2026'],
  ['2026-08-22', '22nd August 2026'],
  ['2026-08-23', '23rd August 2026'],
  ['2026-10-30', '30th October 2026'],
  ['2026-10-31T22:00:00Z', '31st October 2026'],
  ['', ''],
])('CONST-14: %s in full is %s', (iso, shown) => expect(longDate(iso)).toBe(shown))

test.each([
  ['2026-12-02T19:30:00Z', '2nd December 2026, 7.30 pm'],
  ['2026-07-02T18:00:00Z', '2nd July 2026, 7 pm'],
  ['2026-07-01T23:15:00Z', '2nd July 2026, 12.15 am'],
  ['2026-12-02T12:00:00Z', '2nd December 2026, 12 pm'],
  ['2026-12-02T00:00:00Z', '2nd December 2026'],
  ['', ''],
])('an event at %s is on %s in London', (iso, shown) => expect(dayAndHour(iso)).toBe(shown))
