// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeCartId } from '#features/bag/store.ts'
import { giveUpPayment, storeCode, pendingPayment, rememberPayment, takeCode } from './store.ts'
import { currentBag } from '#features/bag/queries.ts'
import { NetProblem } from '#net/problem.ts'
import { type Exchange, configureNet } from '#net/settings.ts'
import { becomeVisitor } from '#session/store.ts'
import type {} from '#app/page/history-state.ts'
import { useCheckoutOpening } from './use-checkout-opening.ts'

const navigate = vi.fn(async () => undefined)
vi.mock('@tanstack/react-router', () => ({ useRouter: () => router }))
const router = { navigate }

const CART = '0b9d6f0e-5a8e-4c3f-9a57-3f1f3f0f8a11'
const discount = {
  discount_code: 'WELCOME20',
  discount_type: 'all',
  relative_discount: 20,
  discount_amount: null,
  saved: 3,
}
let ended: string | null
const cartWith = (applied: typeof discount | null) => ({
  uuid: CART,
  itemCount: 1,
  items: [{ uuid: 'i1' }],
  discount: applied,
  discountMessage: ended,
})
const codeOf = ({ json }: Exchange) => (json as { couponCode: string | null }).couponCode

let outcome: () => unknown
let setUp: () => unknown
let apply: (code: string | null) => unknown
let standing: typeof discount | null
const exchange = vi.fn(async (request: Exchange): Promise<unknown> => {
  if (request.path === '/api/payments/return') return outcome()
  if (request.path === '/api/set_ups/return') return setUp()
  if (request.path === '/api/logged-user') return { uuid: 'u1' }
  if (request.path.endsWith('/apply-coupon')) return apply(codeOf(request))
  return cartWith(standing)
})
const asked = () => exchange.mock.calls.map(([{ path }]) => path)
const codesSent = () =>
  exchange.mock.calls.flatMap(([request]) =>
    request.path.endsWith('/apply-coupon') ? [codeOf(request)] : [],
  )
const nobodyAnswers = () => {
  throw new NetProblem('offline', 0)
}

beforeEach(() => {
  vi.clearAllMocks()
  sessionStorage.clear()
  standing = null
  ended = null
  outcome = () => ({ outcome: 'refused', order: null })
  apply = (code) => cartWith(code === null ? null : discount)
  configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
    typeof configureNet
  >[0])
  becomeVisitor()
  storeCartId(CART)
})
afterEach(cleanup)

let client: QueryClient
function opened() {
  client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return renderHook(() => useCheckoutOpening(), { wrapper }).result
}
const pay = (code: string | null = null) =>
  rememberPayment({ order: 'o1', secret: 'pi_1_secret_x', newUser: false, code })

test('trap 24: a payment with an unknown outcome stays stored, and the checkout opens only once it is known', async () => {
  pay()
  outcome = nobodyAnswers
  const till = opened()
  await waitFor(() => expect(till.current.is).toBe('silent'))
  expect(pendingPayment()).toMatchObject({ order: 'o1' })
  expect(navigate).not.toHaveBeenCalled()
  outcome = () => ({ outcome: 'paid', order: 'o1' })
  act(() => till.current.askAgain())
  await waitFor(() => expect(navigate).toHaveBeenCalledTimes(1))
  expect(navigate).toHaveBeenCalledWith(expect.objectContaining({ to: '/payment-successful' }))
})

test('a payment that the server doesn’t know is removed, and the checkout opens', async () => {
  pay()
  outcome = () => {
    throw new NetProblem('refused', 404)
  }
  const till = opened()
  await waitFor(() => expect(till.current.is).toBe('open'))
  expect(pendingPayment()).toBeUndefined()
})

test('PAY-45: a new card confirmed while the page was reloading is recognised, and doesn’t block later checkouts', async () => {
  const membership = { plan: 4, kind: 'card', subscription: 's1' } as const
  rememberPayment({ order: 's1', secret: 'seti_1_secret_x', newUser: false, membership })
  setUp = () => ({ outcome: 'done', subscription: 's1' })
  opened()
  await waitFor(() => expect(navigate).toHaveBeenCalledTimes(1))
  expect(navigate).toHaveBeenCalledWith(expect.objectContaining({ to: '/subscription-details' }))
  expect(asked()).toContain('/api/logged-user')
  expect(pendingPayment()).toBeUndefined()
})

test('DISC-04: a code stored with the bag is shown again after a reload, in another tab and in a new session', async () => {
  standing = discount
  const till = opened()
  await waitFor(() => expect(till.current).toMatchObject({ is: 'open' }))
  expect(codesSent()).toEqual([])
  expect(currentBag(client)?.discount).toEqual(discount)
  expect(till.current.lostCode).toBeUndefined()
})

test('a code that expired while stored with the bag is removed, and the page says so', async () => {
  ended = 'This discount code is not valid'
  const till = opened()
  await waitFor(() => expect(till.current.is).toBe('open'))
  expect(till.current.lostCode).toEqual({ code: '', why: 'This discount code is not valid' })
  expect(codesSent()).toEqual([null])
})

test('the code of a refused order is applied again, but only once', async () => {
  pay('WELCOME20')
  const till = opened()
  await waitFor(() => expect(till.current.is).toBe('open'))
  expect(codesSent()).toEqual(['WELCOME20'])
  expect(currentBag(client)?.discount).toEqual(discount)
  expect(till.current.lostCode).toBeUndefined()
  expect([pendingPayment(), takeCode()]).toEqual([undefined, undefined])
})

test('the code of a refused membership is not applied to a bag', async () => {
  const membership = { plan: 4, kind: 'plan' } as const
  rememberPayment({ order: 's1', secret: 'pi_1_secret_x', newUser: false, code: 'MEMBER50', membership })
  giveUpPayment()
  const till = opened()
  await waitFor(() => expect(till.current.is).toBe('open'))
  expect(codesSent()).toEqual([])
  expect(takeCode('membership')).toBe('MEMBER50')
})

test('a code still applied to the bag is left unchanged', async () => {
  storeCode('WELCOME20')
  standing = discount
  const till = opened()
  await waitFor(() => expect(till.current.is).toBe('open'))
  expect(codesSent()).toEqual([])
  expect(currentBag(client)?.discount).toEqual(discount)
})

test('a code that cannot be applied again is shown with the reason', async () => {
  storeCode('ONEUSE')
  apply = () => {
    throw new NetProblem('refused', 422, { message: 'This discount code was already used' })
  }
  const till = opened()
  await waitFor(() => expect(till.current.is).toBe('open'))
  expect(till.current.lostCode).toEqual({ code: 'ONEUSE', why: 'This discount code was already used' })
})
