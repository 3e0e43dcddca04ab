// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MESSAGES } from '#contract/messages.ts'
import { aBook, aShelf, atTheShelves, books } from '#tests/support/title-lists.tsx'
import { soon } from '#tests/support/wait-for.ts'

const BOOKS = '/api/search_books'

beforeEach(() => {
  window.innerWidth = 1280
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const count = () => screen.getAllByRole('status')[0]!.textContent
const isPressed = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-pressed')
async function openPanel() {
  press(/Show filters/)
  await screen.findByRole('checkbox', { name: 'Lyrical' })
}
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

test('SEARCH-09 SEARCH-12: results are sorted by relevance until sorting by name is pressed; order and keyword are in the address', async () => {
  const shop = aShelf(books(14))
  const { search } = await atTheShelves('/search-books?keyword=harbour')
  expect(isPressed('Sort by name')).toBe('false')
  press('Sort by name')
  await soon(() => expect(search()).toEqual({ keyword: 'harbour', sort: 'name', direction: 'asc' }))
  await soon(() => expect(isPressed('Sort by name')).toBe('true'))
  expect(shop.asked.at(-1)).toBe(
    `${BOOKS}?direction=asc&itemsPerPage=12&keyword=harbour&page=1&sort=name&together=true`,
  )
})

test('SEARCH-19: load more adds twelve and ends at the count', async () => {
  aShelf(books(30))
  const { search } = await atTheShelves('/search-books?keyword=harbour')
  expect(count()).toBe('30 titles')
  const titles = () => within(screen.getByRole('list', { name: 'Titles' })).getAllByRole('heading')
  for (const [page, shown] of [
    ['2', 24],
    ['3', 30],
  ] as const) {
    press('Load more')
    await soon(() => expect(titles()).toHaveLength(shown))
    await soon(() => expect(search()).toEqual({ keyword: 'harbour', page }))
  }
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
})

test('SEARCH-10 SEARCH-11 SEARCH-20: a filter begins again at page 1, its chip takes it out alone, “Remove all” every one', async () => {
  aShelf(books(30))
  const { search } = await atTheShelves('/search-books?keyword=harbour&sort=name&direction=asc&page=2')
  const sorted = { keyword: 'harbour', sort: 'name', direction: 'asc' }
  await openPanel()
  fireEvent.click(box('Plain'))
  await soon(() => expect(search()).toEqual({ ...sorted, 'styles[]': '2' }))
  await soon(() => expect(count()).toBe('15 titles'))
  press(/^4 h\+/)
  await soon(() => expect(search()).toEqual({ ...sorted, 'styles[]': '2', 'lengthHours[gte]': '4' }))
  press('Remove 4 hours or more')
  await soon(() => expect(search()).toEqual({ ...sorted, 'styles[]': '2' }))
  fireEvent.click(box('Plain'))
  await soon(() => expect(search()).toEqual(sorted))
  fireEvent.click(box('Lyrical'))
  await soon(() => expect(search()).toEqual({ ...sorted, 'styles[]': '1' }))
  press('Remove all')
  await soon(() => expect(search()).toEqual(sorted))
  await soon(() => expect(count()).toBe('30 titles'))
})

test('SEARCH-10 SEARCH-12: what is pressed while an answer is on its way adds to what was asked before', async () => {
  const shop = aShelf(books(14))
  const { search } = await atTheShelves('/search-books?keyword=harbour')
  await openPanel()
  shop.hold(BOOKS)
  fireEvent.click(box('Lyrical'))
  fireEvent.click(box('Plain'))
  const field = screen.getByRole('searchbox', { name: 'Search books' })
  fireEvent.change(field, { target: { value: 'winter' } })
  fireEvent.submit(field.closest('form')!)
  press('Sort by name')
  const asked = { keyword: 'winter', sort: 'name', direction: 'asc', 'styles[]': '1,2' }
  await soon(() => expect(search()).toEqual(asked))
  expect(box('Lyrical').checked).toBe(true)
  expect(document.querySelector('ul[aria-busy="true"]')).not.toBeNull()
  await shop.release()
  await soon(() => expect(document.querySelector('[aria-busy="true"]')).toBeNull())
  expect(search()).toEqual(asked)
  expect(box('Plain').checked).toBe(true)
})

test('SEARCH-17: types are taken in and out, also while an answer is on its way, and narrow what is found', async () => {
  const shop = aShelf([])
  const { search } = await atTheShelves('/search-articles?keyword=harbour')
  expect(count()).toBe('9 results')
  press('Podcasts')
  await soon(() => expect(search()).toEqual({ keyword: 'harbour', types: 'interviews' }))
  await soon(() => expect(count()).toBe('3 results'))
  for (const link of within(screen.getByRole('list', { name: 'Journal' })).getAllByRole('link'))
    expect(link.getAttribute('href')).toMatch(/^\/interviews\//)
  press('Podcasts')
  await soon(() => expect(count()).toBe('9 results'))
  shop.hold('/api/murmurations')
  press('Articles')
  await soon(() => expect(isPressed('Articles')).toBe('true'))
  press('Events')
  await soon(() => expect(search()).toEqual({ keyword: 'harbour', types: 'articles,discussions' }))
  await shop.release()
  await soon(() => expect(count()).toBe('6 results'))
})

test('SEARCH-06 SEARCH-07: the article search shows five, and load more adds the next ones', async () => {
  aShelf([])
  const { search } = await atTheShelves('/search-articles?keyword=harbour')
  const shown = () => screen.getAllByRole('heading', { level: 3 }).length
  expect(shown()).toBe(5)
  press('Load more')
  await soon(() => expect(shown()).toBe(9))
  await soon(() => expect(search()).toEqual({ keyword: 'harbour', _page: '2' }))
})

test('SEARCH-02 SEARCH-12: the keyword is in the address 400 ms after the last letter', async () => {
  const shop = aShelf(books(14))
  const { search } = await atTheShelves('/search-books')
  expect(count()).toBe('Type at least three letters of a title or a name.')
  // There is nothing to sort yet.
  expect(screen.queryByRole('button', { name: 'Sort by name' })).toBeNull()
  vi.useFakeTimers()
  const type = (value: string) =>
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search books' }), { target: { value } })
  type('harb')
  await act(() => vi.advanceTimersByTimeAsync(399))
  type('harbuor')
  await act(() => vi.advanceTimersByTimeAsync(399))
  expect(search()).toEqual({})
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(search()).toEqual({ keyword: 'harbuor' })
  vi.useRealTimers()
  await soon(() => expect(count()).toContain('Here’s what we have for “harbour”.'))
  const asked = shop.asked.filter((call) => call.startsWith(BOOKS))
  expect(asked).toEqual([`${BOOKS}?itemsPerPage=12&keyword=harbuor&page=1&together=true`])
  const other = screen.getByRole('link', { name: 'All 9 in the journal' })
  expect(other.getAttribute('href')).toBe('/search-articles?keyword=harbuor')
})

test('before a search its page offers the links of the header’s search, and no more once one is typed', async () => {
  const shop = aShelf(books(3))
  shop.also['/api/search_menu_entries'] = {
    'hydra:member': [
      { group: 'Books', title: 'Current highlights', url: '/subscriber-selection', style: null },
    ],
  }
  await atTheShelves('/search-books')
  const shortcuts = await screen.findByRole('navigation', { name: 'Search shortcuts' })
  const link = await within(shortcuts).findByRole('link', { name: 'Current highlights' })
  expect(link.getAttribute('href')).toBe('/subscriber-selection')
  cleanup()
  await atTheShelves('/search-books?keyword=harbour')
  expect(screen.queryByRole('navigation', { name: 'Search shortcuts' })).toBeNull()
})

test('SEARCH-14: both pages say when there are no results', async () => {
  aShelf(books(3))
  for (const path of ['/search-books', '/search-articles']) {
    await atTheShelves(`${path}?keyword=zzyzx`)
    expect(screen.getByRole('heading', { name: MESSAGES.noResults })).toBeTruthy()
    expect(count()).toBe('0 results')
    // No drawing above the words.
    expect(document.querySelector('use')).toBeNull()
    // Only the search field is above it.
    expect(screen.queryByRole('button', { name: /filters|Sort|Podcasts/i })).toBeNull()
    cleanup()
  }
})

test('finds titles, people, series and the journal, each kind under a heading, and the arrow keys go through all', async () => {
  const wren = { firstName: 'Wren', lastName: 'Harbour', fullName: 'Wren Harbour', slug: 'wren-harbour' }
  const eBook = { slug: 'harbour-1', pages: 312 }
  aShelf([aBook(1, { authors: [wren], eBook })])
  await atTheShelves('/search-books?keyword=harbour')
  const kinds = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  expect(kinds).toEqual(['Titles', 'People', 'Journal'])
  expect(screen.getByRole('link', { name: /^Wren Harbour/ }).getAttribute('href')).toBe(
    '/people/wren-harbour',
  )
  const field = screen.getByRole('searchbox', { name: 'Search books' })
  field.focus()
  const focused = () => document.activeElement?.getAttribute('href')
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  expect(focused()).toBe('/audiobooks/harbour-1')
  expect(document.activeElement!.textContent).toContain('4 h 26 m, also an e-book')
  fireEvent.keyDown(document.activeElement!, { key: 'ArrowDown' })
  expect(focused()).toBe('/people/wren-harbour')
  expect(document.activeElement!.textContent).toContain('Author of 1 book here')
  fireEvent.keyDown(document.activeElement!, { key: 'ArrowUp' })
  fireEvent.keyDown(document.activeElement!, { key: 'ArrowUp' })
  fireEvent.keyDown(document.activeElement!, { key: 'ArrowUp' })
  expect(document.activeElement).toBe(field)
})

test('a result whose title doesn’t have the keyword shows the part of its text that does', async () => {
  const shop = aShelf([])
  const ferry = aBook(7, { title: 'Night Ferry', eBook: null })
  shop.also['/api/search_books'] = {
    'hydra:member': [ferry, aBook(8)],
    'hydra:totalItems': 2,
    series: [],
    excerpts: { 7: 'Nobody came back to the harbour.' },
  }
  shop.also['/api/quick_results'] = {
    articles: [
      {
        article: { id: 3, slug: 'a-walk', title: 'A walk', entityType: 'article', author: null, type: null },
      },
    ],
    articlesTotal: 1,
    excerpts: { 3: 'From the harbour to the hill.' },
  }
  await atTheShelves('/search-books?keyword=harbour')
  const titles = within(screen.getByRole('list', { name: 'Titles' }))
  const [first, second] = titles.getAllByRole('listitem')
  expect(first!.textContent).toContain('Nobody came back to the harbour.')
  expect(within(first!).getByText('harbour').tagName).toBe('MARK')
  expect(second!.textContent).not.toContain('Nobody')
  expect(await screen.findByRole('link', { name: /^A walk.*From the harbour to the hill\.$/ })).toBeTruthy()
  // All that the journal has is shown, so its own search is offered, not the rest.
  expect(screen.getByRole('link', { name: 'Search articles' })).toBeTruthy()
  expect(count()).toBe('2 titles')
  const toJournal = screen.getByRole('link', { name: '1 in the journal' })
  expect(toJournal.getAttribute('href')).toBe(`#${screen.getByRole('region', { name: 'Journal' }).id}`)
})

test('filters are offered from six titles on', async () => {
  aShelf(books(5))
  await atTheShelves('/search-books?keyword=harbour')
  expect(screen.queryByRole('button', { name: /Show filters/ })).toBeNull()
  cleanup()
  aShelf(books(6))
  await atTheShelves('/search-books?keyword=harbour')
  expect(screen.getByRole('button', { name: /Show filters/ })).toBeTruthy()
})
