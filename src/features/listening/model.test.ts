import { expect, test } from 'vitest'
import { mergeHistory, receiptWords } from './model.ts'

const place = (minute: number, eventId: string | null = `e${minute}`) => ({
  chapter: 1,
  seconds: minute * 60,
  heardAt: new Date(minute * 60_000).toISOString(),
  eventId,
  deviceId: null,
})

test('merges the device’s and the server’s history, newest first, without duplicates', () => {
  const merged = mergeHistory([place(3), place(1)], [place(4), place(3), place(2, null)])
  expect(merged.map(({ seconds }) => seconds)).toEqual([240, 180, 120, 60])
})

test('an event in both lists is one place, even if this device’s clock was wrong', () => {
  const dated = { ...place(3), heardAt: new Date(60_000).toISOString() }
  const merged = mergeHistory([dated], [place(3), place(2)])
  expect(merged.map(({ seconds }) => seconds)).toEqual([180, 120])
})

test('omits a place close to the one above it', () => {
  const at = (minute: number, chapter: number, seconds: number) => ({ ...place(minute), chapter, seconds })
  const merged = mergeHistory([at(9, 2, 100), at(8, 2, 70), at(7, 2, 65), at(6, 1, 65), at(5, 2, 100)], [])
  expect(merged.map(({ chapter, seconds }) => [chapter, seconds])).toEqual([
    [2, 100],
    [2, 65],
    [1, 65],
    [2, 100],
  ])
})

test('places without an id are equal if heard at the same moment', () => {
  const old = place(3, null)
  expect(mergeHistory([old, place(1, null)], [old])).toHaveLength(2)
})

test('shows at most fifty', () => {
  const many = Array.from({ length: 60 }, (_, minute) => place(minute))
  expect(mergeHistory(many, [])).toHaveLength(50)
  expect(mergeHistory(many, [])[0]?.seconds).toBe(59 * 60)
})

test('a receipt has time and length, and omits less than five seconds', () => {
  expect(receiptWords(14 * 60 + 5, '07:58', '08:42')).toBe('14 min from 07:58 saved at 08:42')
  expect(receiptWords(40.2, '07:58', '08:42')).toBe('40 s from 07:58 saved at 08:42')
  expect(receiptWords(60, '07:58', '08:42')).toBe('1 min from 07:58 saved at 08:42')
  expect(receiptWords(5, '07:58', '08:42')).toBe('5 s from 07:58 saved at 08:42')
  expect(receiptWords(4.9, '07:58', '08:42')).toBeUndefined()
})
