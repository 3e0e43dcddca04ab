// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SearchPanel } from './SearchPanel.tsx'

const call = vi.hoisted(() => vi.fn())
vi.mock('#net/call.ts', () => ({ call }))

const found = (books: number, articles: number) => ({
  books: Array.from({ length: Math.min(4, books) }, (_, n) => ({
    entityType: 'audioBook',
    id: n + 1,
    slug: `book-${n + 1}`,
    title: `Book ${n + 1}`,
    authors: [],
    cover330: '',
    cover900: '',
  })),
  booksTotal: books,
  articles: Array.from({ length: Math.min(2, articles) }, (_, n) => ({
    article: {
      entityType: 'article',
      id: n + 1,
      slug: `article-${n + 1}`,
      title: `Article ${n + 1}`,
      author: null,
      image: null,
    },
  })),
  articlesTotal: articles,
  series: [],
  didYouMean: null,
})
const onClose = vi.fn()

async function open(address = '/') {
  const client = new QueryClient()
  const panel = () => (
    <QueryClientProvider client={client}>
      <SearchPanel shortcuts={<p>Shortcuts</p>} onClose={onClose} />
    </QueryClientProvider>
  )
  const router = createRouter({
    routeTree: createRootRoute({ component: panel }),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  render(<RouterProvider router={router as never} />)
  await act(() => vi.advanceTimersByTimeAsync(0))
  return router
}
const field = () => screen.getByRole('combobox')
const type = (value: string) => fireEvent.change(field(), { target: { value } })
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
/** Waits for the rest after typing, and for the answer. */
const answered = async () => {
  await pass(400)
  await pass(50)
}
const titleIn = ({ textContent }: HTMLElement) => textContent.replace(/(Audiobook|Article)$/, '')
const options = () => screen.queryAllByRole('option').map(titleIn)

beforeEach(() => {
  vi.useFakeTimers()
  call.mockReset().mockResolvedValue(found(15, 7))
  onClose.mockReset()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('SEARCH-02 SEARCH-01: the search waits for 400 ms without typing, and for three characters', async () => {
  await open()
  type('ha')
  await pass(1000)
  expect(call).not.toHaveBeenCalled()
  type('har')
  await pass(399)
  type('harb')
  await pass(399)
  expect(call).not.toHaveBeenCalled()
  await pass(1)
  expect(call).toHaveBeenCalledOnce()
  // Counted like the results page, where an audiobook and its e-book are one result.
  expect(call.mock.calls[0]?.[1]).toMatchObject({ query: { keyword: 'harb', together: true } })
})

test('SEARCH-03 SEARCH-15: the panel shows four books and two articles, and how many there are', async () => {
  await open()
  expect(screen.getByText('Shortcuts')).toBeTruthy()
  type('harbour')
  await answered()
  expect(options()).toEqual(['Book 1', 'Book 2', 'Book 3', 'Book 4', 'Article 1', 'Article 2'])
  expect(screen.getByRole('group', { name: 'Books, 15' })).toBeTruthy()
  expect(screen.getByRole('group', { name: 'Articles, 7' })).toBeTruthy()
  expect(screen.queryByText('Shortcuts')).toBeNull()
})

test('SEARCH-04 SEARCH-16: a link to all shows only where there is more than is shown', async () => {
  await open()
  type('harbour')
  await answered()
  expect(screen.getByRole('link', { name: 'Show all 15 books' }).getAttribute('href')).toContain(
    '/search-books?',
  )
  expect(screen.getByRole('link', { name: 'Show all 7 articles' }).getAttribute('href')).toContain(
    '/search-articles?',
  )
  call.mockResolvedValue(found(4, 2))
  type('harbours')
  await answered()
  expect(options()).toHaveLength(6)
  expect(screen.queryByRole('link', { name: /Show all/ })).toBeNull()
})

test('SEARCH-13: the link to all results searches for the keyword without filters', async () => {
  const router = await open('/search-books?keyword=harbour&sort=name&styles=2&page=3')
  type('harbour')
  await answered()
  fireEvent.click(screen.getByRole('link', { name: 'Show all 15 books' }))
  await pass(50)
  expect(router.latestLocation.search).toEqual({ keyword: 'harbour' })
  expect(onClose).toHaveBeenCalledOnce()
})

test('SEARCH-05: an empty search says so, with a link to the collection', async () => {
  call.mockResolvedValue(found(0, 0))
  await open()
  type('zzyzx')
  await answered()
  expect(screen.getByText(/Sorry, no results\./)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Visit our collection' }).getAttribute('href')).toBe('/audiobooks')
})

test('arrow keys move through the results, and Enter opens the active one, or all of them', async () => {
  const router = await open()
  type('harbour')
  await answered()
  fireEvent.keyDown(field(), { key: 'ArrowUp' })
  expect(field().getAttribute('aria-activedescendant')).toBe(
    screen.getByRole('option', { name: /^Article 2/ }).id,
  )
  fireEvent.keyDown(field(), { key: 'ArrowDown' })
  expect(field().getAttribute('aria-activedescendant')).toBeNull()
  fireEvent.keyDown(field(), { key: 'ArrowDown' })
  expect(titleIn(screen.getByRole('option', { selected: true }))).toBe('Book 1')
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(onClose).toHaveBeenCalledOnce()
  fireEvent.keyDown(field(), { key: 'ArrowUp' })
  fireEvent.keyDown(field(), { key: 'Enter' })
  await pass(50)
  expect(router.state.location.href).toContain('/search-books?keyword=harbour')
})
