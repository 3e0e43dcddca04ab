// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { OrderSums } from './Sums.tsx'

type Sums = Parameters<typeof OrderSums>[0]['order']

const order = (part: Partial<Sums>): Sums => ({
  sumBeforeDiscount: 12,
  amount: 12,
  sumNet: 10,
  couponCode: null,
  percentDiscount: null,
  discountRounded: false,
  refundedAmount: 0,
  orderItems: [],
  ...part,
})
const rows = () => screen.getAllByRole('term').map(({ textContent }) => textContent)

afterEach(cleanup)

test('a free order shows the discount, without net and VAT', () => {
  render(<OrderSums order={order({ amount: 0, sumNet: 0, couponCode: 'BOOKGIFT' })} />)
  expect(rows()).toEqual(['Discount, code BOOKGIFT', 'Total'])
})

test('a code that was rounded up says so next to the discount', () => {
  render(
    <OrderSums
      order={order({ amount: 10, couponCode: 'WELCOME20', percentDiscount: 20, discountRounded: true })}
    />,
  )
  expect(rows()[0]).toBe('Discount, code WELCOME2020% off, total rounded up to a whole pound')
})
