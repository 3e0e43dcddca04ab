import { expect, test } from 'vitest'
import { countIn, fromSearch, idsIn, pageSearch, textIn } from './address.ts'

test('an address leads back to a path of ours and nowhere else', () => {
  expect(fromSearch({ from: '/library?x=1' })).toEqual({ from: '/library?x=1' })
  for (const from of [
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    'javascript:0',
    7,
    undefined,
  ])
    // Named, though undefined: the router keeps what a schema does not name.
    expect(Object.entries(fromSearch({ from }))).toEqual([['from', undefined]])
})

test('a page is a whole number from one on', () => {
  expect(pageSearch({ page: '3' })).toEqual({ page: 3 })
  for (const page of ['0', '-1', '1.5', 'x', '1e9', '', undefined]) expect(countIn(page)).toBeUndefined()
})

test('ids are sorted and stand once; what cannot be one is left out', () => {
  expect(idsIn('7,2,2,x,0,-3,99999999999')).toEqual([2, 7])
  expect(idsIn([2, 7])).toEqual([2, 7])
  expect(idsIn(undefined)).toEqual([])
})

test('text is text that is not empty', () => {
  expect(textIn('a')).toBe('a')
  expect(textIn('')).toBeUndefined()
  expect(textIn(1)).toBeUndefined()
})
