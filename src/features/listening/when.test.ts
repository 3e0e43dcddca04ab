import { expect, test } from 'vitest'
import { when } from './model.ts'

/** Noon on Tuesday 10 March 2026, local time. */
const now = new Date(2026, 2, 10, 12).getTime()
const at = (...[month, day, hour, minute]: [number, number, number, number]) =>
  when(new Date(2026, month, day, hour, minute).toISOString(), now)

test.each([
  ['today', at(2, 10, 8, 42), '08:42'],
  ['late last night', at(2, 9, 23, 50), 'Monday 23:50'],
  ['nearly six days ago', at(2, 4, 12, 1), 'Wednesday 12:01'],
  ['six days ago', at(2, 4, 12, 0), '4 March 12:00'],
  ['last month', at(1, 3, 8, 42), '3 February 08:42'],
  ['by a clock that is ahead', at(2, 11, 0, 5), '11 March 00:05'],
])('a place heard %s', (_when, said, words) => {
  expect(said).toBe(words)
})
