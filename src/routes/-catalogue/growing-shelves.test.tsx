// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { aShelf, atTheShelves, books } from '#tests/support/title-lists.tsx'
import { soon } from '#tests/support/wait-for.ts'

const FAILED = 'We couldn’t load any more. Please try again.'

afterEach(cleanup)

const more = () => screen.queryByRole('button', { name: 'Load more' })
const loadMore = () => fireEvent.click(more()!)
const shown = () => screen.getAllByRole('link', { name: /Harbour \d\d/ }).length

test('LIST-18 LIST-19: editions grow by five, in the address, until all of them are there', async () => {
  aShelf(books(12))
  const { search } = await atTheShelves('/editions')
  await soon(() => expect(search()).toEqual({ _page: '1', itemsPerPage: '5' }))
  expect(shown()).toBe(5)
  for (const [page, so] of [
    ['2', 10],
    ['3', 12],
  ] as const) {
    loadMore()
    await soon(() => expect(shown()).toBe(so))
    await soon(() => expect(search()).toEqual({ _page: page, itemsPerPage: '5' }))
  }
  expect(more()).toBeNull()
})

test('LIST-20: the current highlights grow by twelve, or by as many as their address says', async () => {
  aShelf(books(15))
  await atTheShelves('/subscriber-selection')
  expect(shown()).toBe(12)
  loadMore()
  await soon(() => expect(shown()).toBe(15))
  expect(more()).toBeNull()
  cleanup()
  await atTheShelves('/subscriber-selection?itemsPerPage=4')
  loadMore()
  await soon(() => expect(shown()).toBe(8))
})

test('month: a member with free audiobooks sees how many and until when, and no price at titles they can choose', async () => {
  const credits = { left: 2, until: '2026-12-22T10:00:00Z', leavesToPayBack: null }
  const shop = aShelf(books(2, { currentlyHighlighted: true }))
  shop.also = {
    '/api/suggested_audio_books': { 'hydra:member': [], 'hydra:totalItems': 0 },
    '/api/get-current-subscription': { id: 's1' },
    '/api/subscriptions/s1/details': { credits, subscription: { gift: false } },
  }
  becomeUser({ uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }, {
    currentSubscription: { id: 's1' },
    hasCredit: true,
  } as never)
  await atTheShelves('/subscriber-selection')
  await screen.findByRole('heading', { name: 'Choose two audiobooks' })
  await screen.findByText('Choose by 22nd December')
  const highlights = within(screen.getByRole('list', { name: 'Highlights' }))
  expect(highlights.getAllByText('Free this month')).toHaveLength(2)
  expect(highlights.getAllByRole('button', { name: /^Choose: Harbour/ })).toHaveLength(2)
  expect(screen.queryByText(/£/)).toBeNull()
  becomeVisitor()
})

test('LIST-21: without highlights the page says so and leads to the collection', async () => {
  aShelf([])
  await atTheShelves('/subscriber-selection')
  expect(screen.getByText('No highlights just now.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Browse audiobooks' }).getAttribute('href')).toBe('/audiobooks')
})

for (const [id, address, call] of [
  ['LIST-18', '/editions?_page=1&itemsPerPage=5', '/api/audio_books'],
  ['SEARCH-19', '/search-books?keyword=harbour', '/api/search_books'],
] as const) {
  test(`${id}: at ${address} a failure to load more is shown and not in the address`, async () => {
    const shop = aShelf(books(15))
    const { search } = await atTheShelves(address)
    const before = [shown(), search()]
    shop.fails = call
    loadMore()
    await soon(() => expect(screen.getByText(FAILED)).toBeTruthy())
    expect([shown(), search()]).toEqual(before)
    shop.fails = ''
    loadMore()
    await soon(() => expect(shown()).toBeGreaterThan(before[0] as number))
    expect(screen.queryByText(FAILED)).toBeNull()
  })

  test(`${id}: who leaves ${address} while more is on its way is not called back`, async () => {
    const shop = aShelf(books(15))
    const { router, path, back, search } = await atTheShelves(address)
    const before = search()
    shop.hold(call)
    loadMore()
    await soon(() => expect(more()?.getAttribute('aria-busy')).toBe('true'))
    fireEvent.click(screen.getByRole('link', { name: /Harbour 01/ }))
    await screen.findByRole('heading', { level: 1, name: 'Harbour 01' })
    await shop.release()
    await router.load()
    expect(path()).toBe('/audiobooks/harbour-1')
    await back()
    await screen.findByRole('button', { name: 'Load more' })
    expect(search()).toEqual(before)
  })
}
