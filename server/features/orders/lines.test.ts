import { expect, test } from 'vitest'
import { fingerprintOf, oneLineBasket, stateWords, wasRoundedUp } from './service.ts'
import { matchRefunds } from './undecided-refunds.ts'
import type { Line, OrderRow } from './queries.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of a line is read
const line = (more: Partial<Line>) =>
  ({ gift: false, deliveredId: 'entry', couponCode: null, ...more }) as Line

test('a refund takes back the line with exactly its price', () => {
  const [one, two] = [line({ id: 'one', priceMinor: 1200 }), line({ id: 'two', priceMinor: 599 })]
  expect(matchRefunds([one, two], [599])).toEqual({ lines: [two], undecided: [] })
  // Goodwill: no line has this price.
  expect(matchRefunds([one, two], [500])).toEqual({ lines: [], undecided: [] })
})

test('of lines with the same price the one that delivered nothing is refunded first; a gift counts as delivered', () => {
  const kept = line({ id: 'kept', priceMinor: 1200 })
  const gift = line({ id: 'gift', priceMinor: 1200, gift: true, deliveredId: null })
  const unneeded = line({ id: 'unneeded', priceMinor: 1200, deliveredId: null })
  expect(matchRefunds([kept, gift, unneeded], [1200])).toEqual({ lines: [unneeded], undecided: [] })
  expect(matchRefunds([kept, gift], [1200])).toEqual({ lines: [], undecided: [1200] })
})

test('a refund that fits several lines is undecided until as many refunds of that price as lines are known', () => {
  const [one, two] = [line({ id: 'one', priceMinor: 999 }), line({ id: 'two', priceMinor: 999 })]
  expect(matchRefunds([one, two], [999])).toEqual({ lines: [], undecided: [999] })
  expect(matchRefunds([one, two], [999, 999])).toEqual({ lines: [one, two], undecided: [] })
})

test('DISC-09: an order was rounded up if a percentage off all priced lines reduced them by less than it says', () => {
  const rounded = (totalMinor: number, lines: readonly Line[]) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of an order is read
    wasRoundedUp({ beforeDiscountMinor: 1499, totalMinor, percentDiscount: 10 } as OrderRow, lines)
  const reduced = line({ originalMinor: 1499, couponCode: 'TENTH' })
  expect(rounded(1400, [reduced])).toBe(true)
  expect(rounded(1400, [reduced, line({ originalMinor: 0 })])).toBe(true)
  expect(rounded(1400, [reduced, line({ originalMinor: 100 })])).toBe(false)
  expect(rounded(1300, [reduced])).toBe(false)
})

test('an order is replaced if its code, a line, a price or anything about a gift has changed', () => {
  const gift = { email: 'friend@murmur.example', message: null, day: '2026-12-24', zone: 'Europe/London' }
  const sold = { kind: 'title', bookId: 7, format: 'audio_book' } as const
  const priced = { title: 'A Book', originalMinor: 1200, priceMinor: 1080, vatPercent: 20 }
  const basket = (more: Partial<Parameters<typeof oneLineBasket>[0]> = {}) =>
    fingerprintOf(oneLineBasket({ sold, ...priced, ...more }))
  const code = (name: string) => ({ code: { code: name, percent: 10 } })
  expect(basket()).toBe(basket({ title: 'A renamed book' }))
  const baskets = [
    basket(),
    ...[code('ONE'), code('OTHER'), { originalMinor: 1300 }, { priceMinor: 1000 }].map(basket),
    ...[{ ...sold, bookId: 8 }].map((other) => basket({ sold: other })),
    ...[gift, { ...gift, email: null }, { ...gift, message: 'Hello' }].map((given) =>
      basket({ gift: given }),
    ),
    ...[
      { ...gift, day: null },
      { ...gift, zone: null },
    ].map((given) => basket({ gift: given })),
  ]
  expect(new Set(baskets).size).toBe(baskets.length)
})

test('the owner reads in a word what became of an order', () => {
  const paid = { state: 'paid', taken: null, totalMinor: 1200, refundedMinor: 0, disputedAt: null } as const
  expect(stateWords(paid)).toBe('paid')
  expect(stateWords({ ...paid, refundedMinor: 500 })).toBe('£5.00 paid back')
  expect(stateWords({ ...paid, refundedMinor: 1200 })).toBe('paid back')
  expect(stateWords({ ...paid, state: 'awaiting_payment' })).toBe('awaiting payment')
  expect(stateWords({ ...paid, disputedAt: new Date() })).toBe('disputed at the bank')
  expect(stateWords({ ...paid, taken: 'credit', totalMinor: 0 })).toBe('with a free audiobook')
})
