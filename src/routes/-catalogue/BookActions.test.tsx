// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Book } from '#contract/catalogue.ts'
import { giveConsent } from '#features/analytics/track.ts'
import type { DataLayerEvent } from '#features/analytics/events.ts'
import type {} from '#features/analytics/track.ts'
import { askForShop, shop } from '#features/shop-details/shop.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { becomeVisitor } from '#session/store.ts'
import { soon } from '#tests/support/wait-for.ts'
import { BookActions } from './BookActions.tsx'

vi.mock('@tanstack/react-router', () => ({
  useRouter: () => ({}),
  useNavigate: () => () => undefined,
  Link: ({ children }: { children: string }) => <a href="#to">{children}</a>,
  createLink: (As: React.ComponentType) => As,
}))

const book = (slug: string, title: string) =>
  ({
    entityType: 'audioBook',
    slug,
    title,
    published: true,
    geoBlocked: false,
    inLibrary: false,
    moveToLibrary: false,
    price: 11,
    subscriptionPrice: 8.8,
    audioBook: null,
    eBook: null,
    sample: null,
  }) as unknown as Book
const ferry = book('the-quiet-ferry', 'The Quiet Ferry')

let add: () => Promise<unknown>
let publishableKey: string | null
const exchange = vi.fn(async ({ method, path }: Exchange): Promise<unknown> => {
  if (path.endsWith('/payment_settings')) return { publishableKey }
  return method === 'POST' ? add() : { items: [] }
})
const told = () => (window.dataLayer ?? []) as DataLayerEvent[]

beforeEach(() => {
  localStorage.clear()
  delete window.dataLayer
  publishableKey = 'pk_test_1'
  add = async () => ({ cart: { uuid: 'c1' } })
  configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
    typeof configureNet
  >[0])
  becomeVisitor()
})
afterEach(cleanup)

const page = (of: Book) => (
  <QueryClientProvider client={new QueryClient()}>
    <BookActions book={of} />
  </QueryClientProvider>
)
const press = () => fireEvent.click(screen.getByRole('button', { name: 'Add to bag' }))

test('ANLT-05: a title that goes into the bag is told once, with its value and tax, and not where it failed', async () => {
  giveConsent('on')
  add = () => Promise.reject(new NetProblem('server', 500))
  render(page(ferry))
  press()
  await screen.findByRole('alert')
  expect(told()).toEqual([])
  add = async () => ({ cart: { uuid: 'c1' } })
  press()
  await screen.findByRole('button', { name: 'ADDED TO BAG!' })
  await soon(() => expect(told()).toHaveLength(1))
  expect(told()[0]).toMatchObject({
    event: 'add_to_cart',
    ecommerce: { value: 11, tax: 2.2, items: [{ item_id: 'audio_books/the-quiet-ferry' }] },
  })
})

test('in a shop without payment keys a title that costs something says so, and a free one says nothing', async () => {
  publishableKey = null
  render(page(ferry))
  expect((await screen.findByRole('note')).textContent).toMatch(/^We can’t take payments yet. A code that/)
  cleanup()
  exchange.mockClear()
  render(page({ ...ferry, price: 0, subscriptionPrice: 0 }))
  await screen.findByRole('button', { name: 'ADD TO LIBRARY' })
  await soon(() =>
    expect(exchange.mock.calls.some(([{ path }]) => path.endsWith('/payment_settings'))).toBe(true),
  )
  expect(screen.queryByRole('note')).toBeNull()
})

test('the page of a shop without payment keys says so before its settings are loaded, so that nothing moves', () => {
  const details = shop()
  askForShop(() => ({ ...details, takesNoPayments: true }))
  onTestFinished(() => askForShop(() => details))
  render(page(ferry))
  expect(screen.getByRole('note').textContent).toMatch(/^We can’t take payments yet/)
  expect(screen.queryByRole('button', { name: 'Buy now' })).toBeNull()
})

test('BOOK-20: the button is reset on the page of another book', async () => {
  add = () => new Promise(() => undefined)
  const { rerender } = render(page(ferry))
  press()
  const button = () => screen.getByRole('button', { name: 'Add to bag' })
  expect(button().getAttribute('aria-busy')).toBe('true')
  rerender(page(book('nine-winters', 'Nine Winters')))
  expect(button().getAttribute('aria-busy')).toBeNull()
})
