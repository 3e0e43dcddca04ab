import { expect, test } from 'vitest'
import { coverOf, placeOf } from './model.ts'
import { pagesToOffer } from './Pagination.tsx'
import { fc } from '#tests/support/random.ts'

test('LIST-15: the pagination shows 4 neighbours on page 1, 3 on page 2, 2 on each side from page 3 on', () => {
  expect(pagesToOffer(1, 20)).toEqual([1, 2, 3, 4, 5, 'gap', 20])
  expect(pagesToOffer(2, 20)).toEqual([1, 2, 3, 4, 5, 'gap', 20])
  expect(pagesToOffer(3, 20)).toEqual([1, 2, 3, 4, 5, 'gap', 20])
  expect(pagesToOffer(10, 20)).toEqual([1, 'gap', 8, 9, 10, 11, 12, 'gap', 20])
  expect(pagesToOffer(20, 20)).toEqual([1, 'gap', 18, 19, 20])
  expect(pagesToOffer(1, 3)).toEqual([1, 2, 3])
})

test('every pagination rises, holds the page itself, and never repeats a number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 199 }), (last, offset) => {
      const page = Math.min(last, 1 + offset)
      const numbers = pagesToOffer(page, last).filter((offer) => offer !== 'gap')
      expect(numbers).toContain(page)
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      expect(numbers[0]).toBe(1)
      expect(numbers.at(-1)).toBe(last)
    }),
  )
})

test('a cover has AVIF versions and a thumbnail besides the WebP of the response', () => {
  const picture = coverOf({
    entityType: 'eBook',
    cover330: '/media/covers/a-330.webp',
    cover900: '/media/covers/a-900.webp',
    coverPlaceholder: null,
    containerBackgroundColour: '#112233',
  })
  expect(picture.avif).toEqual({
    330: '/media/covers/a-330.avif',
    600: '/media/covers/a-600.avif',
    900: '/media/covers/a-900.avif',
  })
  expect(picture.thumb?.webp).toBe('/media/covers/a-thumb.webp')
  expect(picture.height / picture.width).toBe(1.5)
  expect(picture.ground).toBe('#112233')
})

test('listening: a card says which book of how many, a novella its number alone, and nothing of a book kept from before', () => {
  const words = (number: string | null, last: number | null = 5) => placeOf({ series: [{ number, last }] })
  expect(['2', '2.5', '0', '3–4', null].map((number) => words(number))).toEqual([
    'Book 2 of 5',
    'Book 2.5',
    'Book 0',
    'Books 3–4 of 5',
    '',
  ])
  expect([words('1', 1), words('1', null), placeOf({ series: [] }), placeOf({})]).toEqual([
    'Book 1',
    'Book 1',
    '',
    '',
  ])
})
