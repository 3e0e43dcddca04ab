// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Order } from '#contract/orders.ts'
import { Receipt } from './ReceiptScreen.tsx'

vi.mock('#features/orders/OrderLines.tsx', () => ({ OrderLines: () => null }))
vi.mock('#features/orders/Sums.tsx', () => ({ OrderSums: () => null }))
afterEach(cleanup)

const show = (gifts: readonly boolean[]) =>
  render(
    <Receipt
      seller={undefined}
      order={
        {
          orderNumber: 'M-100001',
          createdAt: '2026-12-09T10:00:00.000Z',
          waiverAt: '2026-12-09T10:00:00.000Z',
          buyerName: 'Nell Hart',
          buyerEmail: 'nell@harbour.example',
          status: 'paid',
          transactions: [],
          orderItems: gifts.map((gift) => ({ gift })),
        } as unknown as Order
      }
    />,
  )

test('the receipt of a gift says that it can be refunded, not that the right to cancel was waived', () => {
  show([true])
  expect(
    screen.getByText(
      'Sent as a gift; agreed on 9th December 2026: it can be taken back within 14 days, until it’s opened. Prices include VAT.',
    ),
  ).toBeTruthy()
})

test('the receipt for own books and a gift has a sentence for each', () => {
  show([false, true])
  expect(
    screen.getByText(
      /^Delivered at once; the right to cancel was waived on 9th December 2026\. Sent as a gift;/,
    ),
  ).toBeTruthy()
})

test('month: the receipt carries the owner’s name, address and VAT number', () => {
  const order = {
    orderNumber: 'M-1',
    createdAt: '2026-12-09T10:00:00.000Z',
    transactions: [],
    orderItems: [],
  }
  render(
    <Receipt
      seller={{ address: ['1 Quay', 'Dublin'], vatNumber: 'IE1234567X' }}
      order={order as unknown as Order}
    />,
  )
  const fact = (name: string) => screen.getByText(name).nextElementSibling!.textContent
  expect(fact('Sold by')).toMatch(/^\S.*\n1 Quay\nDublin$/)
  expect(fact('VAT number')).toBe('IE1234567X')
})
