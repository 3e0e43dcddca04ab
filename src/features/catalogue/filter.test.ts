import { expect, test } from 'vitest'
import { cleared, isNarrowed, toggled, withLength } from './filter-options.ts'
import { AUDIO_LENGTHS, filterOf, lengthQuery, PAGE_LENGTHS, queryOf, searchOf } from './filter.ts'
import { fc } from '#tests/support/random.ts'

const listing = (search: Record<string, string> = {}) => filterOf(search, 'audio_books')

test('LIST-07: nine hours are sent as at most, one to eight as at least', () => {
  expect(lengthQuery(9, 'audio_books')).toEqual({ 'lengthHours[lte]': 9 })
  for (const hours of AUDIO_LENGTHS.slice(0, 8))
    expect(lengthQuery(hours, 'audio_books')).toEqual({ 'lengthHours[gte]': hours })
})

test('LIST-08: pages are offered from 100 to 900 by a hundred and are always sent as at least', () => {
  expect(PAGE_LENGTHS).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900])
  for (const pages of PAGE_LENGTHS) expect(lengthQuery(pages, 'e_books')).toEqual({ 'pages[gte]': pages })
})

test('a filter that is changed begins again at page 1, and the same length again clears it', () => {
  const third = listing({ page: '3', 'styles[]': '2' })
  expect(toggled('styles', 5)(third)).toMatchObject({ page: 1, styles: [2, 5] })
  expect(toggled('styles', 2)(third)).toMatchObject({ page: 1, styles: [] })
  expect(withLength(4)(withLength(4)(third))).toMatchObject({ page: 1, length: undefined })
  expect(isNarrowed(cleared(third))).toBe(false)
})

test('a listing address that says nonsense is the first page of twelve', () => {
  const nonsense = { page: 'x', itemsPerPage: '-3', 'styles[]': 'a,-1,0', 'lengthHours[gte]': '77' }
  expect(searchOf(filterOf(nonsense, 'audio_books'), 'audio_books')).toEqual({})
  expect(queryOf(filterOf(nonsense, 'e_books'), 'e_books')).toEqual({ page: 1, itemsPerPage: 12 })
})

test('addresses and filters convert into each other without loss', () => {
  const ids = fc
    .uniqueArray(fc.integer({ min: 1, max: 999 }), { maxLength: 5 })
    .map((each) => each.sort((a, b) => a - b))
  const anyFilter = fc.record({
    page: fc.integer({ min: 1, max: 500 }),
    itemsPerPage: fc.integer({ min: 1, max: 200 }),
    styles: ids,
    categories: ids,
    locations: ids,
    publishers: ids,
    nationalities: ids,
    length: fc.option(fc.constantFrom(...AUDIO_LENGTHS), { nil: undefined }),
  })
  fc.assert(
    fc.property(anyFilter, (filter) => {
      expect(filterOf(searchOf(filter, 'audio_books'), 'audio_books')).toEqual(filter)
    }),
  )
})
