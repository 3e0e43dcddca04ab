import { expect, test } from 'vitest'
import { couponCode } from '#contract/limits.ts'
import { isRoundedUp, type Line, calculatePrices, type Reduction, vatIn, shareOf } from './pricing.ts'
import { reductionOf } from '../discounts/service.ts'
import { fc } from '#tests/support/random.ts'

const AUDIO = 20
const E_BOOK = 0
const line = (originalMinor: number, vatPercent = AUDIO, bookId = originalMinor): Line => ({
  sold: { kind: 'title', bookId, format: vatPercent === AUDIO ? 'audio_book' : 'e_book' },
  originalMinor,
})
type Type = 'all' | 'cheapest_book' | 'book'
const off = (type: Type, percent: number | null, amountMinor: number | null = null): Reduction =>
  reductionOf({ type, percent, amountMinor, bookIds: [999] })
const total = (lines: readonly Line[], reduction: Reduction | null) =>
  calculatePrices(lines, reduction).totalMinor

test('DISC-01: a code is looked up in upper case and without surrounding spaces', () => {
  expect(couponCode('  Welcome20 ')).toBe('WELCOME20')
})

test('DISC-09: a percentage off the whole bag is rounded up to a whole pound, never above the total', () => {
  expect(total([line(999)], off('all', 20))).toBe(800)
  expect(total([line(1499), line(899)], off('all', 20))).toBe(2000)
  expect(total([line(1000)], off('all', 20))).toBe(800)
  expect(total([line(99)], off('all', 10))).toBe(99)
  expect(total([line(1499)], off('all', 1))).toBe(1499)
  expect(total([line(1499), line(899)], off('all', 100))).toBe(0)
})

test('DISC-09: a total counts as rounded up if the percentage alone would be less, and never with another kind of code', () => {
  const is = (beforeMinor: number, totalMinor: number, percent: number | null) =>
    isRoundedUp({ beforeMinor, totalMinor, percent })
  expect(is(1800, 1500, 20)).toBe(true)
  expect(is(2000, 1600, 20)).toBe(false)
  expect(is(1800, 1800, null)).toBe(false)
  expect(is(1800, 0, 100)).toBe(false)
  expect(is(1499, 750, 50)).toBe(false)
})

test('DISC-09: a code for the cheapest book or for one book reduces only that line, to the penny', () => {
  expect(calculatePrices([line(1499), line(899), line(899)], off('cheapest_book', 100)).lines).toMatchObject([
    { priceMinor: 1499, reduced: false },
    { priceMinor: 0, reduced: true },
    { priceMinor: 899, reduced: false },
  ])
  expect(calculatePrices([line(1499, AUDIO, 999), line(1000)], off('book', 50)).lines).toMatchObject([
    { priceMinor: 750, reduced: true },
    { priceMinor: 1000, reduced: false },
  ])
  expect(total([line(1499), line(333, AUDIO, 999)], off('book', 33))).toBe(1499 + 223)
})

test('DISC-09: a free title is never the cheapest, and a line that is too cheap to charge counts as reduced', () => {
  expect(calculatePrices([line(0), line(899)], off('cheapest_book', 50)).lines).toMatchObject([
    { priceMinor: 0, reduced: false },
    { priceMinor: 450, reduced: true },
  ])
  expect(calculatePrices([line(1499, AUDIO, 999), line(20)], off('book', 100)).lines).toMatchObject([
    { priceMinor: 0, reduced: true },
    { priceMinor: 0, reduced: true },
  ])
  // Taking nothing off is still an effect of the code.
  expect(calculatePrices([line(99)], off('all', 10)).lines).toMatchObject([{ priceMinor: 99, reduced: true }])
})

test('DISC-12: a fixed amount comes off to the penny, and the total never falls below zero', () => {
  expect(total([line(1499), line(899)], off('all', null, 500))).toBe(1898)
  expect(total([line(450)], off('all', null, 500))).toBe(0)
  expect(total([line(1499, AUDIO, 999), line(899)], off('book', null, 2000))).toBe(899)
})

test('CONST-02: 100% off the whole bag is free; 100% off the cheapest book is free only if there is no other', () => {
  expect(total([line(1499), line(899)], off('all', 100))).toBe(0)
  expect(total([line(1499), line(899)], off('cheapest_book', 100))).toBe(1499)
  expect(total([line(1499)], off('cheapest_book', 100))).toBe(0)
})

test('totals of 1 to 29 pence are below what a card can pay, and are given away', () => {
  for (const rest of [1, 29]) expect(total([line(500 + rest)], off('all', null, 500))).toBe(0)
  expect(total([line(530)], off('all', null, 500))).toBe(30)
  expect(calculatePrices([line(20), line(9, E_BOOK)], null)).toMatchObject({
    totalMinor: 0,
    vatMinor: 0,
    beforeMinor: 29,
  })
})

test.each([
  // Baskets with their charge and its VAT in pence: audiobooks have 20% VAT, e-books none.
  { lines: [line(1200)], reduction: null, charged: 1200, vat: 200 },
  { lines: [line(599, E_BOOK)], reduction: null, charged: 599, vat: 0 },
  { lines: [line(1200), line(599, E_BOOK)], reduction: null, charged: 1799, vat: 200 },
  { lines: [line(1499), line(899, E_BOOK)], reduction: off('all', 20), charged: 2000, vat: 208 },
  { lines: [line(1200), line(600, E_BOOK)], reduction: off('all', null, 600), charged: 1200, vat: 133 },
  { lines: [line(1499, AUDIO, 999), line(899, E_BOOK)], reduction: off('book', 50), charged: 1649, vat: 125 },
  { lines: [line(1200), line(599, E_BOOK)], reduction: off('cheapest_book', 100), charged: 1200, vat: 200 },
  { lines: [line(1200), line(599, E_BOOK)], reduction: off('all', 100), charged: 0, vat: 0 },
])(
  'trap 32: a mixed basket of $charged pence holds $vat pence of VAT',
  ({ lines, reduction, charged, vat }) => {
    expect(calculatePrices(lines, reduction)).toMatchObject({ totalMinor: charged, vatMinor: vat })
  },
)

const anyLine = fc
  .record({
    bookId: fc.integer({ min: 1, max: 12 }),
    originalMinor: fc.integer({ min: 0, max: 20_000 }),
    vatPercent: fc.constantFrom(AUDIO, E_BOOK),
  })
  .map(({ bookId, originalMinor, vatPercent }) => line(originalMinor, vatPercent, bookId))
const anyReduction = fc.option(
  fc
    .record({
      type: fc.constantFrom<Type[]>('all', 'cheapest_book', 'book'),
      off: fc.oneof(
        fc.record({ percent: fc.integer({ min: 1, max: 100 }), amountMinor: fc.constant(null) }),
        fc.record({ percent: fc.constant(null), amountMinor: fc.integer({ min: 1, max: 5000 }) }),
      ),
    })
    .map(({ type, off: taken }) => reductionOf({ type, ...taken, bookIds: [1, 2, 3] })),
)

test('for any bag and any code the pennies add up', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 40 }), anyReduction, (lines, reduction) => {
      const { lines: reckoned, totalMinor, vatMinor, beforeMinor } = calculatePrices(lines, reduction)
      const sum = (numbers: number[]) => numbers.reduce((all, number) => all + number, 0)
      expect(sum(reckoned.map(({ priceMinor }) => priceMinor))).toBe(totalMinor)
      expect(sum(reckoned.map((each) => each.vatMinor))).toBe(vatMinor)
      expect(sum(lines.map(({ originalMinor }) => originalMinor))).toBe(beforeMinor)
      expect(totalMinor).toBeGreaterThanOrEqual(0)
      expect(totalMinor).toBeLessThanOrEqual(beforeMinor)
      expect(totalMinor === 0 || totalMinor >= 30).toBe(true)
      for (const { priceMinor, originalMinor, vatMinor: vat, vatPercent } of reckoned) {
        for (const amount of [priceMinor, vat]) expect(Number.isSafeInteger(amount)).toBe(true)
        expect(priceMinor).toBeGreaterThanOrEqual(0)
        expect(priceMinor).toBeLessThanOrEqual(originalMinor)
        expect(vat).toBe(vatIn(priceMinor, vatPercent))
        expect(vat).toBeLessThanOrEqual(priceMinor)
      }
      const isRound = reduction?.of === 'total' && reduction.percent !== null && totalMinor !== beforeMinor
      expect(isRound ? totalMinor % 100 : 0).toBe(0)
    }),
    { numRuns: 500 },
  )
})

test('a leftover penny goes to the line with the largest remainder, and no line costs more than before', () => {
  const lines = [line(100), line(100), line(100)]
  expect(calculatePrices(lines, off('all', null, 200)).lines.map(({ priceMinor }) => priceMinor)).toEqual([
    34, 33, 33,
  ])
  // Remainders of a third and two thirds of a penny.
  const uneven = calculatePrices([line(100), line(200)], off('all', null, 200))
  expect(uneven.lines.map(({ priceMinor }) => priceMinor)).toEqual([33, 67])
})

test('a percentage of a price is rounded half up, to the penny', () => {
  expect([shareOf(50, 1), shareOf(49, 1), shareOf(150, 1), shareOf(1200, 15)]).toEqual([1, 0, 2, 180])
})

test('the VAT in a price is rounded half up, to the penny', () => {
  // VAT of half a penny, of one and a half, of a little less than a half, and none.
  expect([vatIn(3, 20), vatIn(9, 20), vatIn(2, 20), vatIn(1499, 0)]).toEqual([1, 2, 0, 0])
})
