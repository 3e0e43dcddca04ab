// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bagKey } from '#features/bag/queries.ts'
import { bagHolder } from '#features/bag/store.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import type {} from '#app/page/history-state.ts'
import { PaymentSuccessful } from './PaymentSuccessful.tsx'

const { readStream } = vi.hoisted(() => ({ readStream: vi.fn() }))
const navigate = vi.fn(async () => undefined)
const router = { navigate, state: { location: { state: {} as object } } }
vi.mock('@tanstack/react-router', () => ({
  useRouter: () => router,
  useRouterState: ({ select }: { select: (state: object) => unknown }) => select(router.state),
  Link: ({ children }: { children: string }) => <a href="#to">{children}</a>,
  useNavigate: () => navigate,
  createLink: (As: React.ComponentType) => As,
}))
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))
vi.mock('#app/problems/GoInstead.tsx', () => ({ GoInstead: ({ to }: { to: string }) => <p>Goes to {to}</p> }))
vi.mock('#net/stream.ts', () => ({ readStream }))

const line = (id: string, title: string, gift = false) => ({
  id,
  title,
  price: 11,
  originalPrice: 11,
  vat: 1.83,
  vatPercent: 20,
  gift,
  giftEmail: gift ? 'mina@harbour.example' : null,
  giftClaimedAt: null,
  refundedAt: null,
  audioBook: {
    slug: 'the-quiet-ferry',
    title,
    coverAlt: 'A ferry',
    cover330: '/a-330.webp',
    cover900: '/a-900.webp',
  },
  eBook: null,
})
const order = {
  uuid: 'o1',
  orderNumber: 'M-1001',
  status: 'paid',
  createdAt: new Date().toISOString(),
  amount: 22,
  sumBeforeDiscount: 22,
  sumNet: 18.34,
  couponCode: null,
  percentDiscount: null,
  discountRounded: false,
  refundedAmount: 0,
  dispute: null,
  orderItems: [line('1', 'The Quiet Ferry'), line('2', 'Nine Winters', true)],
}
const silence = () => {
  throw new NetProblem('offline', 0)
}
let server: Record<'payment' | 'order' | 'orders', () => unknown>
const exchange = vi.fn(async ({ path }: Exchange): Promise<unknown> => {
  if (path.endsWith('/payments/return')) return server.payment()
  if (path.endsWith('/order_carts')) return server.orders()
  if (path.includes('/order_carts/')) return server.order()
  if (path === '/api/gifts/given') return { 'hydra:member': given }
  if (path === '/api/subscriptions/given') return { 'hydra:member': [] }
  if (path.endsWith('/card')) return { address: '/media/gift-cards/book/g2.pdf?sig=x' }
  return { uuid: 'c1', itemCount: 0, items: [] }
})
let given: object[]
const GIVEN = {
  ...{ id: 'g2', order: 'o1', title: 'Nine Winters', slug: 'the-quiet-ferry', format: 'audiobook' },
  ...{ giftEmail: 'mina@harbour.example', giftMessage: 'For the crossing.', state: 'delivered' },
  ...{ changeable: true, takeBack: null, givenAt: '2026-11-27T10:00:00Z' },
}
/** Sends a message on the account's stream; `close` ends the stream. */
let say: (message: object) => void
let close: () => void

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.clearAllMocks()
  sessionStorage.clear()
  server = { payment: silence, order: silence, orders: silence }
  given = [GIVEN]
  readStream.mockImplementation(
    ({ onEvent }: { onEvent: (event: object) => void }) =>
      new Promise((resolve) => {
        say = (message) => onEvent({ id: '1', data: JSON.stringify(message) })
        close = () => resolve('closed')
      }),
  )
  router.state.location.state = { order: 'o1', secret: 'pi_1_secret_x' }
  configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
    typeof configureNet
  >[0])
  becomeUser({ uuid: 'u1' } as never, { uuid: 'u1', jwtMercuryToken: 'ey' } as never)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const proven = { payment_intent: 'pi_1', payment_intent_client_secret: 'pi_1_secret_2' }
let client: QueryClient
const open = (proof: Parameters<typeof PaymentSuccessful>[0]['proof'] = {}) => {
  client = new QueryClient()
  return render(
    <QueryClientProvider client={client}>
      <PaymentSuccessful proof={proof} />
    </QueryClientProvider>,
  )
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const CHECKING = 'Checking your payment'
const THANKS = 'Thank you. It’s all yours.'

test('ORDER-01: on a `new_order` message the page loads that order and shows it', async () => {
  open()
  await heading(CHECKING)
  server.order = () => order
  // Neither for another order, nor by polling.
  act(() => say({ type: 'new_order', uuid: 'another' }))
  expect(screen.queryByRole('heading', { name: THANKS })).toBeNull()
  act(() => say({ type: 'new_order', uuid: 'o1' }))
  await heading(THANKS)
  expect(screen.getByRole('region', { name: 'Order M-1001' }).textContent).toContain('The Quiet Ferry')
  expect(screen.getByText('It’s in your library now. Your gift is on the way by email.')).toBeTruthy()
})

test('ORDER-07: the page finds its order even if the message was lost or arrived too early', async () => {
  open()
  await heading(CHECKING)
  act(() => close())
  server.order = () => ({ ...order, status: 'awaiting_payment' })
  await pass(4_000)
  await heading(CHECKING)
  server.order = () => order
  await pass(2_000)
  expect(await heading(THANKS)).toBeTruthy()
})

test('ORDER-08 ORDER-10: with the order, the bag is reloaded and its code removed', async () => {
  server.payment = () => ({ outcome: 'paid', order: 'o1' })
  server.order = () => order
  open()
  const discount = { discount_code: 'WELCOME20', relative_discount: 20, discount_amount: null }
  client.setQueryData(bagKey(bagHolder()), { uuid: 'c1', itemCount: 1, items: [{}], discount })
  await heading(THANKS)
  expect(client.getQueryState(bagKey(bagHolder()))!.isInvalidated).toBe(true)
})

test('a user who registered during the checkout reads that the account is ready', async () => {
  router.state.location.state = { order: 'o1', secret: 'pi_1_secret_x', newUser: true }
  server.payment = () => ({ outcome: 'paid', order: 'o1' })
  server.order = () => order
  open()
  expect(await screen.findByText(/Your account is ready\. Please confirm your email address/)).toBeTruthy()
})

test('ORDER-02: after 30 seconds without an order the page leads to the explanation', async () => {
  open()
  await pass(29_000)
  await heading(CHECKING)
  expect(navigate).not.toHaveBeenCalled()
  await pass(1_000)
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ to: '/payment-successful-problem', replace: true })
})

test('ORDER-11: after PayPal it keeps waiting beyond 30 seconds', async () => {
  server.payment = () => ({ outcome: 'checking', order: null })
  becomeVisitor()
  open({ ...proven, redirect_status: 'succeeded' })
  await pass(45_000)
  await heading(CHECKING)
  expect(navigate).not.toHaveBeenCalled()
  server.payment = () => ({ outcome: 'paid', order: null })
  await pass(2_000)
  await heading('Your payment went through.')
})

test('ORDER-04 ERR-18: after PayPal without a payment, the page says so and suggests another card', async () => {
  server.payment = () => ({ outcome: 'open', order: null })
  open({ ...proven, redirect_status: 'failed' })
  await heading('Oops, looks like there was a problem with Paypal.')
  expect(screen.getByText('Nothing has been charged. Please try again or another card.')).toBeTruthy()
  expect(screen.getByText('Try again').closest('[to]')?.getAttribute('to')).toBe('/payment')
})

test('a card that is refused later leads to the problem page', async () => {
  server.payment = () => ({ outcome: 'refused', order: null })
  open()
  await pass(0)
  expect(navigate).toHaveBeenCalledWith({
    to: '/payment-problem',
    state: { secret: 'pi_1_secret_x' },
    replace: true,
  })
})

test('ROLE-22 ROLE-25: a visitor is refused without the payment’s own proof, and with it sees only that it was paid', async () => {
  becomeVisitor()
  for (const proof of [{}, { redirect_status: 'failed' }]) {
    open(proof)
    expect(screen.getByText('Goes to /access-denied')).toBeTruthy()
    cleanup()
  }
  expect(exchange).not.toHaveBeenCalled()
  server.payment = () => ({ outcome: 'paid', order: 'o1' })
  server.order = () => order
  open(proven)
  await heading('Your payment went through.')
  expect(document.body.textContent).not.toMatch(/The Quiet Ferry|£/)
})

test('a bought e-book is opened from here, and each of several titles has its own button', async () => {
  const { audioBook, ...eBook } = line('3', 'Nine Winters')
  const lines = [line('1', 'The Quiet Ferry'), { ...eBook, audioBook: null, eBook: audioBook }]
  server.order = () => ({ ...order, orderItems: lines.slice(1) })
  open()
  await heading(THANKS)
  expect(screen.getByText('Read now')).toBeTruthy()
  cleanup()
  server.order = () => ({ ...order, orderItems: lines })
  open()
  await heading(THANKS)
  expect(screen.getByRole('button', { name: 'Listen now: The Quiet Ferry' })).toBeTruthy()
  expect(screen.getByText('Read')).toBeTruthy()
})

test('a single bought audiobook appears with its cover and a play button; a gift doesn’t', async () => {
  server.order = () => ({ ...order, orderItems: [line('1', 'The Quiet Ferry')] })
  open()
  await heading(THANKS)
  expect(screen.getByRole('img', { name: 'A ferry' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Listen now: The Quiet Ferry' })).toBeTruthy()
  cleanup()
  server.order = () => ({ ...order, orderItems: [line('2', 'Nine Winters', true)] })
  open()
  await heading('Thank you. It’s on its way.')
  expect(screen.queryByText('Listen now')).toBeNull()
})

test('paying: a given title is shown as its recipient will see it, with a card to print', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  server.order = () => order
  open()
  const present = within(await screen.findByRole('region', { name: 'What mina@harbour.example will open' }))
  await present.findByText('For the crossing.')
  fireEvent.click(present.getByRole('button', { name: 'Print a card for mina@harbour.example' }))
  await waitFor(() => expect(click).toHaveBeenCalledOnce())
  expect(exchange.mock.calls.map(([{ method, path }]) => `${method} ${path}`)).toContain(
    'POST /api/gifts/given/g2/card',
  )
})

test('a given title of an earlier order, and one that can’t be changed any more, has no card to print', async () => {
  given = [
    { ...GIVEN, order: 'o0' },
    { ...GIVEN, changeable: false },
  ]
  server.order = () => order
  open()
  await screen.findByText('For the crossing.')
  expect(screen.queryByText('Print a card')).toBeNull()
})
