import { expect, test } from 'vitest'
import type { OutletAccount, OutletStatement } from '#contract/outlets.ts'
import { accountLines, monthBefore, monthOf, statementWords } from './BookshopAccount.tsx'

test('the month so far reads as its sum is made: sold, our part, and the commission', () => {
  const account = {
    sold: 516,
    owed: 206.4,
    commission: 8.2,
    purchases: 9,
    discountPercent: 60,
    commissionPercent: 10,
  }
  expect(accountLines(account as OutletAccount)).toEqual([
    ['Sold at the till', '£516.00'],
    ['Murmur’s 40%', '−£206.40'],
    ['10% of later purchases, 9 of them', '£8.20'],
  ])
})

test('a statement says who pays whom, and until when', () => {
  const words = (toPay: number, cards = 61, paidOn: string | null = null) =>
    statementWords({ cards, toPay, dueOn: '2026-11-30', paidOn } as OutletStatement)
  expect(words(198.2)).toBe('61 cards, £198.20 to pay by 30th November')
  expect(words(0, 1)).toBe('1 card, nothing to pay')
  expect(words(-4.5)).toBe('61 cards, £4.50 comes to you by 30th November')
  expect(words(198.2, 61, '2026-12-02')).toBe('61 cards, £198.20 paid on 2nd December')
})

test('months are named by a day of them, over the turn of a year too', () => {
  expect(monthOf('2026-10-01')).toBe('October')
  expect(monthOf(monthBefore('2026-11-01'))).toBe('October')
  expect(monthBefore('2027-01-01')).toBe('2026-12')
})
