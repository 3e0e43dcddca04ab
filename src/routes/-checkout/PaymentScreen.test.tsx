// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { configureNet } from '#net/settings.ts'
import { becomeVisitor } from '#session/store.ts'
import type {} from '#app/page/history-state.ts'
import { PaymentScreen } from './PaymentScreen.tsx'
import { checkoutSearch } from '#features/checkout/addresses.ts'

const location = { state: {} as { subscription?: 'month' | 'year' } }
const router = { navigate: vi.fn(async () => undefined), state: { location } }
vi.mock('@tanstack/react-router', () => ({
  useRouter: () => router,
  useRouterState: ({ select }: { select: (state: object) => unknown }) => select({ location }),
  createLink: (As: React.ComponentType) => As,
}))
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))
vi.mock('./PlanCheckout.tsx', () => ({
  PlanCheckout: ({ plan }: { plan: number }) => <p>Checkout for plan {plan}</p>,
}))
vi.mock('./NewCardCheckout.tsx', () => ({
  NewCardCheckout: ({ subscription }: { subscription: string }) => (
    <p>Checkout for the card of {subscription}</p>
  ),
}))

beforeEach(() => {
  vi.clearAllMocks()
  location.state = {}
  configureNet({
    exchange: async () => ({ itemCount: 0, items: [] }),
    tokens: { read: async () => null },
  } as unknown as Parameters<typeof configureNet>[0])
  becomeVisitor()
})
afterEach(cleanup)

const open = (search: Parameters<typeof checkoutSearch>[0]) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PaymentScreen search={checkoutSearch(search)} />
    </QueryClientProvider>,
  )

test('PAY-05 PAY-41: with an empty bag, the checkout stays for a plan, a new card or a choice of the simpler page; else it leads home', async () => {
  open({ plan: '5' })
  expect(screen.getByText('Checkout for plan 5')).toBeTruthy()
  cleanup()
  open({ 'update-card': 1, subscription: '7b0c9a52-8d0a-4f57-9a2e-6a2e0f1c9d11' })
  expect(screen.getByText(/^Checkout for the card of 7b0c/)).toBeTruthy()
  cleanup()
  location.state = { subscription: 'month' }
  open({})
  expect(screen.getByText('Checkout for plan 4')).toBeTruthy()
  expect(router.navigate).not.toHaveBeenCalled()
  cleanup()
  location.state = {}
  open({})
  await waitFor(() => expect(router.navigate).toHaveBeenCalledWith({ to: '/', replace: true }))
})
