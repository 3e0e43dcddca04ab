// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Book } from '#contract/catalogue.ts'
import { type Exchange, configureNet } from '#net/settings.ts'
import { NetProblem } from '#net/problem.ts'
import { becomeUser, becomeVisitor, useSession } from '#session/store.ts'
import { tokensOfWhoIsIn } from '#tests/support/token-store.ts'
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
  authors: [],
  cover330: '/media/covers/a-330.webp',
  cover900: '/media/covers/a-900.webp',
  coverPlaceholder: null,
  audioBook: null,
  eBook: null,
} as unknown as Book
const exchange = vi.fn(async (_request: Exchange): Promise<unknown> => ({ items: [] }))
const claims = () => exchange.mock.calls.filter(([{ path }]) => path.includes('add-to-library'))

beforeEach(() => {
  vi.resetAllMocks()
  configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
    typeof configureNet
  >[0])
  becomeUser({ uuid: 'u1' } as never, null)
})
afterEach(cleanup)

const nothing = { items: [] }
const onAdded = vi.fn()
const onLogInFirst = vi.fn()
const buying = (more: object) => (
  <QueryClientProvider client={new QueryClient()}>
    <BuyButton
      book={{ ...book, moveToLibrary: false, ...more }}
      onLogInFirst={onLogInFirst}
      onAdded={onAdded}
    />
  </QueryClientProvider>
)
const show = (more: object = {}) => render(buying(more))
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })
const press = async (name: string) => fireEvent.click(await button(name))
const ready = async (name: string) => {
  await waitFor(async () => expect((await button(name)).getAttribute('aria-busy')).toBeNull())
  return button(name)
}
const isOff = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true'

test('BAG-10 BAG-22 BOOK-09: the button shows its label, then dots, ADDED TO BAG! and finally IN BAG, disabled', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let answer = (_cart: unknown) => {}
  let held: unknown = nothing
  exchange.mockImplementation(({ method }) => {
    if (method !== 'POST') return Promise.resolve(held)
    return new Promise((resolve) => (answer = resolve))
  })
  show()
  await press('Add to bag')
  expect((await button('Add to bag')).getAttribute('aria-busy')).toBe('true')
  held = { items: [{ audioBook: book, eBook: null }] }
  await waitFor(() => expect(exchange.mock.calls.some(([{ method }]) => method === 'POST')).toBe(true))
  answer({ cart: { uuid: 'c1' } })
  expect(isOff(await button('ADDED TO BAG!'))).toBe(true)
  expect(onAdded).toHaveBeenCalledOnce()
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  expect(isOff(await button('IN BAG'))).toBe(true)
  vi.useRealTimers()
})

test('ERR-23: a title that can’t be added shows the reason, and analytics isn’t called', async () => {
  exchange.mockImplementation(({ method }) =>
    method === 'POST' ? Promise.reject(new NetProblem('server', 500)) : Promise.resolve(nothing),
  )
  show()
  await press('Add to bag')
  expect((await screen.findByRole('alert')).textContent).toContain('didn’t go into your bag')
  expect(isOff(await button('Add to bag'))).toBe(false)
  expect(onAdded).not.toHaveBeenCalled()
})

test('ERR-32: after a free book fails, the button is ready again, without a message', async () => {
  exchange.mockImplementation(({ path }) =>
    path.includes('add-to-library')
      ? Promise.reject(new NetProblem('server', 500))
      : Promise.resolve(nothing),
  )
  show({ price: 0 })
  await press('ADD TO LIBRARY')
  await waitFor(() => expect(claims()).toHaveLength(1))
  await waitFor(async () => expect((await button('ADD TO LIBRARY')).getAttribute('aria-busy')).toBeNull())
  expect(screen.queryByRole('alert')).toBeNull()
  exchange.mockImplementation(async () => nothing)
  await press('ADD TO LIBRARY')
  await button('ADDED TO LIBRARY!')
})

test('ROLE-05: a visitor who takes a free book is asked to log in first', async () => {
  becomeVisitor()
  show({ price: 0 })
  await press('ADD TO LIBRARY')
  await waitFor(() => expect(onLogInFirst).toHaveBeenCalledOnce())
  expect(claims()).toEqual([])
})

test('a free book pressed before the session is known is taken as soon as it is, without a log-in prompt', async () => {
  useSession.setState({ ready: false, status: 'visitor', user: null, owner: null })
  show({ price: 0 })
  await press('ADD TO LIBRARY')
  expect((await button('ADD TO LIBRARY')).getAttribute('aria-busy')).toBe('true')
  act(() => becomeUser({ uuid: 'u1' } as never, null))
  await button('ADDED TO LIBRARY!')
  expect(onLogInFirst).not.toHaveBeenCalled()
  expect(claims()).toHaveLength(1)
})

test('BAG-09 BAG-11 BAG-12: a free book goes to the library, with a message for five seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { rerender } = show({ price: 0 })
  await press('ADD TO LIBRARY')
  await button('ADDED TO LIBRARY!')
  expect(claims().map(([{ method, path }]) => `${method} ${path}`)).toEqual([
    'POST /api/audio_books/add-to-library/salt-road-letters',
  ])
  expect(exchange.mock.calls.some(([{ path }]) => path.includes('cart_items'))).toBe(false)
  rerender(buying({ price: 0, inLibrary: true }))
  await act(() => vi.advanceTimersByTimeAsync(4_000))
  await button('ADDED TO LIBRARY!')
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(isOff(await button('ALREADY IN LIBRARY'))).toBe(true)
  vi.useRealTimers()
})

test('BAG-13 BAG-14: an unpublished book, or one not sold in this country, has no button', () => {
  for (const more of [{ published: false }, { geoBlocked: true }]) {
    show(more)
    expect(screen.queryByRole('button')).toBeNull()
    cleanup()
  }
})

test('BAG-23: audiobook and e-book of a title have a button each', async () => {
  exchange.mockResolvedValue({ items: [{ audioBook: book, eBook: null }] })
  show({ entityType: 'eBook', audioBook: { slug: book.slug } })
  await screen.findByText('The audiobook is already in your bag.')
  expect(isOff(await button('Add to bag'))).toBe(false)
})

test('BAG-25: choosing the free audiobook asks for confirmation once, and "Not now" uses no credit', async () => {
  show({ moveToLibrary: true })
  const claim = () => fireEvent.click(screen.getByRole('button', { name: 'Choose as free audiobook' }))
  claim()
  fireEvent.click(await screen.findByRole('button', { name: 'Not now' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(claims()).toEqual([])
  claim()
  await screen.findByRole('dialog', { name: 'Choose Salt Road Letters as your free audiobook?' })
  fireEvent.click(await ready('Choose it'))
  await screen.findByRole('button', { name: 'ADDED TO LIBRARY!' })
  expect(claims()).toHaveLength(1)
})

test('API-73: a member in a free trial is asked to confirm their address, and can resend the email', async () => {
  configureNet({ exchange, tokens: tokensOfWhoIsIn })
  exchange.mockImplementation(async ({ path }) => {
    if (path.endsWith('/get-current-subscription')) return { id: 's1' }
    if (path.endsWith('/details'))
      return {
        credits: { left: 1, until: null, leavesToPayBack: null, confirmAddressFirst: true },
        subscription: { gift: false },
      }
    return nothing
  })
  show({ moveToLibrary: true })
  fireEvent.click(screen.getByRole('button', { name: 'Choose as free audiobook' }))
  await screen.findByRole('dialog', { name: 'Confirm your email first' })
  fireEvent.click(screen.getByRole('button', { name: 'Resend the email' }))
  await screen.findByText('A new email is on its way.')
  expect(exchange.mock.calls.map(([{ path }]) => path)).toContain('/api/user_confirmation/resend')
  expect(claims()).toEqual([])
})

test('a member with a free audiobook can also buy or give the title; the free choice comes first', async () => {
  const posted = () =>
    exchange.mock.calls.flatMap(([{ path, json }]) => (path === '/api/cart_items' ? [json] : []))
  exchange.mockImplementation(async ({ path }) =>
    path === '/api/cart_items' ? { cart: { uuid: 'c1' } } : nothing,
  )
  show({ moveToLibrary: true })
  expect((await screen.findAllByRole('button')).map(({ textContent }) => textContent)).toEqual([
    'Choose as free audiobook',
    'Add to bag',
    'Gift, £12',
  ])
  await press('Add to bag')
  await button('ADDED TO BAG!')
  screen.getByText('See your bag')
  cleanup()
  show({ moveToLibrary: true })
  await press('Gift, £12')
  await button('ADDED TO BAG!')
  expect(posted()).toEqual([
    { audioBook: '/api/audio_books/salt-road-letters' },
    { audioBook: '/api/audio_books/salt-road-letters', gift: true },
  ])
  expect(claims()).toEqual([])
})

test('API-73: a member who can still withdraw sees the refund, and must give it up to choose', async () => {
  configureNet({ exchange, tokens: tokensOfWhoIsIn })
  exchange.mockImplementation(async ({ path }) => {
    if (path.endsWith('/get-current-subscription')) return { id: 's1' }
    if (path.endsWith('/details'))
      return { credits: { left: 1, until: null, leavesToPayBack: 0 }, subscription: { gift: false } }
    return nothing
  })
  show({ moveToLibrary: true })
  fireEvent.click(screen.getByRole('button', { name: 'Choose as free audiobook' }))
  const box = await screen.findByRole('checkbox', {
    name: 'I want it now, and understand I can’t get this month’s payment back.',
  })
  const choose = screen.getByRole<HTMLButtonElement>('button', { name: 'Choose it' })
  expect(choose.disabled).toBe(true)
  fireEvent.click(box)
  fireEvent.click(choose)
  await screen.findByRole('button', { name: 'ADDED TO LIBRARY!' })
  expect(claims().map(([{ json }]) => json)).toEqual([{ waiver: true }])
})
