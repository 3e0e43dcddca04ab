import { expect, test } from 'vitest'
import { countIn, fromSearch, idsIn, pageSearch, textIn } from './address.ts'

test('a redirect address is a path of our own and nothing else', () => {
  expect(fromSearch({ from: '/library?x=1' })).toEqual({ from: '/library?x=1' })
  for (const from of [
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    'javascript:0',
    7,
    undefined,
  ])
    // Present though undefined: the router keeps keys that a schema doesn't return.
    expect(Object.entries(fromSearch({ from }))).toEqual([['from', undefined]])
})

test('a page is a positive integer', () => {
  expect(pageSearch({ page: '3' })).toEqual({ page: 3 })
  for (const page of ['0', '-1', '1.5', 'x', '1e9', '', undefined]) expect(countIn(page)).toBeUndefined()
})

test('ids are sorted and unique; invalid ones are left out', () => {
  expect(idsIn('7,2,2,x,0,-3,99999999999')).toEqual([2, 7])
  expect(idsIn([2, 7])).toEqual([2, 7])
  expect(idsIn(undefined)).toEqual([])
})

test('text is never empty', () => {
  expect(textIn('a')).toBe('a')
  expect(textIn('')).toBeUndefined()
  expect(textIn(1)).toBeUndefined()
})
