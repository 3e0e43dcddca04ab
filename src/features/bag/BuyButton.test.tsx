// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Book } from '#contract/catalogue.ts'
import type { Exchange } from '#net/send.ts'
import { configureNet } from '#net/settings.ts'
import { becomeUser } from '#session/store.ts'
import { BuyButton } from './BuyButton.tsx'

vi.mock('@tanstack/react-router', () => ({ createLink: (As: React.ComponentType) => As }))

const book = {
  entityType: 'audioBook',
  slug: 'salt-road-letters',
  title: 'Salt Road Letters',
  published: true,
  geoBlocked: false,
  inLibrary: false,
  moveToLibrary: true,
  price: 12,
  subscriptionPrice: 9.6,
  audioBook: null,
  eBook: null,
} as unknown as Book
const exchange = vi.fn(async (_request: Exchange): Promise<unknown> => ({ items: [] }))
const claims = () => exchange.mock.calls.filter(([{ path }]) => path.includes('add-to-library'))

beforeEach(() => {
  vi.clearAllMocks()
  configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
    typeof configureNet
  >[0])
  becomeUser({ uuid: 'u1' } as never, null)
})
afterEach(cleanup)

test('BAG-25: a credit is asked for once before it is spent, and "Not now" spends nothing', async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <BuyButton book={book} onLogInFirst={() => undefined} />
    </QueryClientProvider>,
  )
  const claim = () => fireEvent.click(screen.getByRole('button', { name: 'Claim with 1 credit' }))
  claim()
  fireEvent.click(await screen.findByRole('button', { name: 'Not now' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(claims()).toEqual([])
  claim()
  fireEvent.click(await screen.findByRole('button', { name: 'Use 1 credit' }))
  await screen.findByRole('button', { name: 'ADDED TO LIBRARY!' })
  expect(claims()).toHaveLength(1)
})
