import { expect, test } from 'vitest'
import { rangeOf } from './send-file.ts'
import { fc } from '#tests/support/random.ts'

test.each([
  ['bytes=0-1', { first: 0, last: 1 }],
  ['bytes=0-', { first: 0, last: 99 }],
  ['bytes=40-', { first: 40, last: 99 }],
  ['bytes=-10', { first: 90, last: 99 }],
  ['bytes=-1000', { first: 0, last: 99 }],
  ['bytes=90-1000', { first: 90, last: 99 }],
  ['bytes=99-99', { first: 99, last: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-3', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  ['items=0-1', 'whole'],
  ['bytes=a-b', 'whole'],
  ['', 'whole'],
  [undefined, 'whole'],
])('trap 3: of 100 bytes %s asks for %o', (header, expected) => {
  expect(rangeOf(header, 100)).toEqual(expected)
})

test('no header, however odd, results in bytes outside of the file', () => {
  const header = fc.oneof(
    fc.string(),
    fc.tuple(fc.option(fc.nat()), fc.option(fc.nat())).map(([a, b]) => `bytes=${a ?? ''}-${b ?? ''}`),
  )
  fc.assert(
    fc.property(header, fc.nat({ max: 10_000 }), (asked, size) => {
      const range = rangeOf(asked, size)
      if (typeof range === 'string') return
      expect(range.first).toBeGreaterThanOrEqual(0)
      expect(range.first).toBeLessThanOrEqual(range.last)
      expect(range.last).toBeLessThan(size)
    }),
  )
})
