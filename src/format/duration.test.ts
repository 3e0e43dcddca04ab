import { expect, test } from 'vitest'
import { clock, spokenClock, spokenPosition } from './clock.ts'
import { isShortRecording, shortLength, spokenLength } from './duration.ts'

test.each([
  [22_320, '6 h 12 m', '6 hours 12 minutes'],
  [28_999, '8 h 03 m', '8 hours 3 minutes'],
  [3_600, '1 h', '1 hour'],
  [3_660, '1 h 01 m', '1 hour 1 minute'],
  [1_440, '24 min', '24 minutes'],
  [20, '1 min', '1 minute'],
])('a length of %i seconds is %s, spoken %s', (seconds, short, spoken) => {
  expect(shortLength(seconds)).toBe(short)
  expect(spokenLength(seconds)).toBe(spoken)
})

test.each([
  [245, '4:05', '4 minutes 5 seconds'],
  [3_725, '1:02:05', '1 hour 2 minutes 5 seconds'],
  [60, '1:00', '1 minute'],
  [9.99, '0:09', '9 seconds'],
  [0, '0:00', '0 seconds'],
  [-3, '0:00', '0 seconds'],
  [Number.NaN, '0:00', '0 seconds'],
])('a place at %d seconds is %s, spoken %s', (seconds, shown, spoken) => {
  expect(clock(seconds)).toBe(shown)
  expect(spokenClock(seconds)).toBe(spoken)
})

test('a scrubber announces its position and the chapter’s length', () => {
  expect(spokenPosition(250, 1010)).toBe('4 minutes 10 seconds of 16 minutes 50 seconds')
})

test('a recording of less than half the advertised length is short; without sound it is unknown', () => {
  expect(isShortRecording(180, 19_020)).toBe(true)
  expect(isShortRecording(18_000, 19_020)).toBe(false)
  expect(isShortRecording(0, 19_020)).toBe(false)
  expect(isShortRecording(180, 0)).toBe(false)
  // The shortest advertised length is one minute.
  expect(isShortRecording(7, 60)).toBe(false)
})
