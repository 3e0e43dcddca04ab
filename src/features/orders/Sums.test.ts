import { expect, test } from 'vitest'
import type { CartMember } from '#contract/bag.ts'
import { summaryOf } from '#features/orders/Sums.tsx'

const line = (vat: number, vatPercent: number, audioBook: boolean, available = true) =>
  ({ vat, vatPercent, audioBook: audioBook ? {} : null, available }) as unknown as CartMember

test('BAG-02: the subtotal is the total less VAT, with a line for each VAT rate, and the lines add up', () => {
  const cart = {
    sumCheckedForPayment: 28,
    sumVat: 3.6,
    sumNet: 24.4,
    sumBeforeDiscount: 34.99,
    items: [line(2, 20, true), line(1.6, 20, true), line(0, 0, false), line(5, 20, true, false)],
  }
  const summary = summaryOf(cart)
  expect(summary).toMatchObject({ subTotalMinor: 2440, vatMinor: 360, totalMinor: 2800 })
  expect(summary.vat).toEqual([
    { label: 'VAT 20%, audiobooks', minor: 360 },
    { label: 'VAT 0%, e-books', minor: 0 },
  ])
  expect(summary.subTotalMinor + summary.vat.reduce((sum, { minor }) => sum + minor, 0)).toBe(
    summary.totalMinor,
  )
  expect(summary).toMatchObject({ beforeMinor: 3499, totalMinor: 2800 })
  expect(summaryOf({ ...cart, sumBeforeDiscount: 28 }).beforeMinor).toBe(2800)
})
