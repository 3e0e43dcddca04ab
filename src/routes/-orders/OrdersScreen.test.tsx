// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { becomeUser } from '#session/store.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { OrdersScreen } from './OrdersScreen.tsx'
import { ReceiptScreen } from './ReceiptScreen.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children, ...more }: { children: string }) => (
    <a href="#to" {...more}>
      {children}
    </a>
  ),
  createLink: (As: React.ComponentType) => As,
}))
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))
vi.mock('#app/problems/NotFound.tsx', () => ({ NotFound: () => <h1>Page not found</h1> }))

const order = (number: number) => ({
  uuid: `o${number}`,
  orderNumber: `M-${number}`,
  status: 'paid',
  createdAt: '2026-11-02T10:00:00.000Z',
  amount: 8.49,
  transactions: [{ type: 'card', last4: '4242' }],
  orderItems: [
    {
      id: `i${number}`,
      title: `Book ${number}`,
      price: 8.49,
      originalPrice: 8.49,
      gift: false,
      refundedAt: null,
      audioBook: null,
      eBook: { slug: 'nine-winters' },
    },
  ],
})
let answer: (asked: Exchange) => unknown
const exchange = vi.fn(async (asked: Exchange) => answer(asked))

beforeEach(() => {
  vi.clearAllMocks()
  configureNet({
    exchange,
    tokens: { read: async () => ({ token: tokenOf('u1') }) },
  } as unknown as Parameters<typeof configureNet>[0])
  becomeUser({ uuid: 'u1' } as never, null)
})
afterEach(cleanup)

const show = (screenOf: React.ReactNode) =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      {screenOf}
    </QueryClientProvider>,
  )

test('ORDER-06: loads five orders per page, and shows number, date, amount, items and receipt of each', async () => {
  const five = [9, 8, 7, 6, 5].map(order)
  answer = () => ({ 'hydra:member': five, 'hydra:totalItems': 7 })
  show(<OrdersScreen page={1} />)
  const entries = await screen.findAllByRole('article')
  expect(entries.map((entry) => within(entry).getByRole('heading').textContent)).toEqual(
    five.map(({ orderNumber }) => `Order ${orderNumber}`),
  )
  for (const words of ['2nd November 2026', '£8.49', 'Card ending 4242', 'Book 9', 'E-book'])
    expect(entries[0]!.textContent).toContain(words)
  within(entries[0]!).getByRole('link', { name: 'Receipt for order M-9' })
  expect(screen.getByRole('status').textContent).toBe('7 orders')
  expect(screen.getByRole('link', { name: 'Page 2' })).toBeTruthy()
  const [{ path, search }] = exchange.mock.calls[0]!
  expect([path, search?.get('page'), search?.get('itemsPerPage')]).toEqual(['/api/order_carts', '1', '5'])
})

test('ORDER-06: an order shows the refunded amount, and a dispute is not a refund', async () => {
  const orders = [
    { ...order(9), status: 'partly_refunded', refundedAmount: 4, dispute: null },
    { ...order(8), status: 'refunded', refundedAmount: 8.49, dispute: null },
    { ...order(7), refundedAmount: 0, dispute: 'open' },
    { ...order(6), refundedAmount: 0, dispute: 'won' },
    { ...order(5), status: 'refunded', refundedAmount: 8.49, dispute: 'lost' },
  ]
  answer = () => ({ 'hydra:member': orders, 'hydra:totalItems': 5 })
  show(<OrdersScreen page={1} />)
  const said = (await screen.findAllByRole('article')).map(({ textContent }) => textContent)
  expect(said[0]).toContain('Partly refunded, £4.00')
  expect(said[1]).toContain('Refunded, £8.49')
  expect(said[2]).toContain('Your bank is looking into this payment')
  expect(said[3]).toContain('Paid: your bank upheld the payment')
  expect(said[4]).toContain('£8.49 refunded by your bank')
  expect(said[2]).not.toContain('efunded')
})

test('ORDER-06: a partial refund is shown at its line, in the list and on the receipt', async () => {
  const [line] = order(9).orderItems
  const partly = {
    ...order(9),
    status: 'partly_refunded',
    amount: 16.98,
    refundedAmount: 2,
    orderItems: [
      line,
      {
        ...line,
        id: 'second',
        title: 'Torn',
        goodwillRefunds: [{ amount: 2, refundedAt: '2026-11-25T10:00:00.000Z' }],
      },
    ],
  }
  const settings = { address: [], vatNumber: null }
  answer = ({ path }) =>
    path.startsWith('/api/settings')
      ? settings
      : path.endsWith('/o9')
        ? partly
        : { 'hydra:member': [partly], 'hydra:totalItems': 1 }
  for (const screenOf of [<OrdersScreen key="list" page={1} />, <ReceiptScreen key="receipt" id="o9" />]) {
    show(screenOf)
    const title = await screen.findByText('Torn')
    expect(title.closest('li')!.textContent).toContain('£2.00 refunded on 25th November 2026')
    expect(screen.getByText('Book 9').closest('li')!.textContent).not.toContain('refunded')
    cleanup()
  }
})

test('a receipt shows the seller’s address and VAT number, or only the shop’s name if there are none', async () => {
  let settings: object = { address: ['3 Knapping Quay', 'Port Marram'], vatNumber: 'GB 000 0000 00' }
  answer = ({ path }) => (path.startsWith('/api/settings') ? settings : order(9))
  show(<ReceiptScreen id="o9" />)
  const fact = (term: string) => screen.getByText(term).nextElementSibling?.textContent
  await screen.findByText('M-9')
  expect(fact('Sold by')).toBe('Murmur\n3 Knapping Quay\nPort Marram')
  expect(fact('VAT number')).toBe('GB 000 0000 00')
  cleanup()
  settings = { address: [], vatNumber: null }
  show(<ReceiptScreen id="o9" />)
  await screen.findByText('M-9')
  expect(fact('Sold by')).toBe('Murmur')
  expect(screen.queryByText('VAT number')).toBeNull()
})

test('an account without orders has an explanation', async () => {
  answer = () => ({ 'hydra:member': [], 'hydra:totalItems': 0 })
  show(<OrdersScreen />)
  expect(await screen.findByText('No orders yet.')).toBeTruthy()
})

test.each([
  ['of somebody else', 404],
  ['whose address is none', 422],
])('a receipt %s is not found', async (_whose, status) => {
  answer = () => {
    throw new NetProblem('refused', status)
  }
  show(<ReceiptScreen id="o1" />)
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
})
