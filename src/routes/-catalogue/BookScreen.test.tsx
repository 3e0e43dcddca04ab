// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { leaveFirstPage } from '#app/start/first-page.ts'
import { MESSAGES } from '#contract/messages.ts'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { bookQuery, ownBookQuery } from '#features/catalogue/queries.ts'
import { ownKey } from '#features/query-keys.ts'
import { NetProblem } from '#net/problem.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { titleKey } from '#storage/title-key.ts'
import { aBook, aShelf, atTheShelves } from '#tests/support/title-lists.tsx'
import { BookScreen, nearbyLink } from './BookScreen.tsx'

const OWNER = { uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }

afterEach(() => {
  cleanup()
  becomeVisitor()
  vi.unstubAllGlobals()
})

/** The server holds the book back from everybody. */
async function openHeldBack() {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, retryOnMount: false, staleTime: Infinity } },
  })
  for (const query of [
    bookQuery('audio_books', 'embargoed'),
    ownBookQuery('audio_books', 'embargoed', 'nell'),
  ])
    await queryClient.prefetchQuery({
      queryKey: query.queryKey,
      queryFn: () => Promise.reject(new NetProblem('refused', 403)),
    })
  const root = createRootRoute()
  const router = createRouter({
    history: createMemoryHistory({ initialEntries: ['/audiobooks/embargoed'] }),
    routeTree: root.addChildren([
      createRoute({
        getParentRoute: () => root,
        path: '/audiobooks/$slug',
        component: () => <BookScreen kind="audio_books" slug="embargoed" />,
      }),
      createRoute({ getParentRoute: () => root, path: '/access-denied', component: () => <h1>Denied</h1> }),
    ]),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

test('BOOK-15: an embargoed book leads to /access-denied, also for a logged-in user', async () => {
  becomeUser(OWNER, null)
  await openHeldBack()
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Denied')
})

test('BOOK-15: a visitor is still asked to log in', async () => {
  becomeVisitor()
  await openHeldBack()
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Denied')
})

const PAGE = '/audiobooks/harbour-1'
const open = async (more: object = {}, address = PAGE) => {
  const shop = aShelf([aBook(1, more)])
  const at = await atTheShelves(address)
  await screen.findByRole('heading', { level: 1, name: 'Harbour 01' })
  return { ...at, asked: shop.asked }
}
const CHAPTERS = [
  { chapterOrderNumber: 1, chapterTitle: 'Ebb', playtime: 1200 },
  { chapterOrderNumber: 2, chapterTitle: 'Slack water', playtime: 1400 },
]
const SOUND = { chapters: CHAPTERS, audioFiles: CHAPTERS }
const inMenu = async (name: string) => {
  fireEvent.click(await screen.findByRole('button', { name: 'More for Harbour 01' }))
  return screen.findByRole('menuitem', { name })
}
const button = (name: string) => screen.queryByRole('button', { name })
const linkTo = (name: string | RegExp) => screen.queryByRole('link', { name })?.getAttribute('href')

test('BOOK-16: a book whose answer is broken leads to the server’s error', async () => {
  const shop = aShelf([aBook(1)])
  const { path, router } = await atTheShelves('/audiobooks')
  leaveFirstPage()
  shop.fails = '/api/audio_books/harbour-1'
  fireEvent.click(screen.getByRole('link', { name: /Harbour 01/ }))
  await screen.findByRole('heading', { level: 1, name: '/server-error' })
  expect(path()).toBe('/server-error')
  expect(router.latestLocation.search).toEqual({ from: PAGE })
})

test('BOOK-07: a sample of its text opens in a modal, and gives the focus back', async () => {
  await open({ sampleText: 'One woman.\n\nOne stove.' })
  const opener = button('Read a sample')!
  opener.focus()
  fireEvent.click(opener)
  const modal = await screen.findByRole('dialog', { name: 'From Harbour 01' })
  expect([...modal.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual([
    'One woman.',
    'One stove.',
  ])
  fireEvent.click(button('Close')!)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(opener))
  cleanup()
  await open()
  expect(button('Read a sample')).toBeNull()
})

test('BOOK-10: an edition is labelled for logged-in users, with a link to the others of its format', async () => {
  becomeVisitor()
  await open({ edition: true })
  expect(linkTo('One of our editions')).toBeUndefined()
  cleanup()
  becomeUser(OWNER, null)
  await open({ edition: true })
  expect(linkTo('One of our editions')).toBe('/editions')
  cleanup()
  await open({ edition: true, entityType: 'eBook', pages: 300 }, '/ebooks/harbour-1')
  expect(linkTo('One of our editions')).toBe('/ebooks')
  cleanup()
  await open()
  expect(linkTo('One of our editions')).toBeUndefined()
})

test('BOOK-14: opened from the editions it offers the way back to them, by its own address it does not', async () => {
  aShelf([aBook(1)])
  const { path } = await atTheShelves('/editions')
  fireEvent.click(screen.getByRole('link', { name: /Harbour 01/ }))
  fireEvent.click(await screen.findByRole('button', { name: 'Back' }))
  await screen.findByRole('heading', { level: 1, name: 'Editions' })
  expect(path()).toBe('/editions')
  cleanup()
  await open()
  expect(button('Back')).toBeNull()
})

test('BOOK-23 BAG-13 BAG-14: what is not sold here can still be listened into where there is a sample, and is in no bag', async () => {
  const sample = { sample: '/media/samples/a.mp3' }
  await open({ ...sample, geoBlocked: true })
  expect(screen.getByText(MESSAGES.notAvailableInRegion)).toBeTruthy()
  expect(button('Play sample')).not.toBeNull()
  expect(button('Add to bag')).toBeNull()
  cleanup()
  await open({ published: false })
  expect(screen.getByText(MESSAGES.notAvailable)).toBeTruthy()
  expect([button('Play sample'), button('Add to bag')]).toEqual([null, null])
  cleanup()
  await open(sample)
  expect(button('Play sample')).not.toBeNull()
  expect(button('Add to bag')).not.toBeNull()
})

test('a title to come says when, a retired one that it is no longer sold, and to its owner that it stays', async () => {
  await open({ published: false, preorder: '2027-03-01' })
  expect(screen.getByText('Coming 1st March 2027')).toBeTruthy()
  expect(button('Add to bag')).toBeNull()
  cleanup()
  await open({ published: false, retired: true })
  expect(screen.getByText('No longer sold')).toBeTruthy()
  cleanup()
  becomeUser(OWNER, null)
  await open({ published: false, retired: true, inLibrary: true })
  expect(screen.getByText('In your library. It’s no longer sold, and stays yours.')).toBeTruthy()
})

test('a demo that holds the sample alone says so, and its owner hears that', async () => {
  const sampled = { sampleOnly: true, sample: '/media/samples/a.mp3' }
  await open(sampled)
  expect(screen.getByText('This demo holds the sample alone.')).toBeTruthy()
  cleanup()
  becomeUser(OWNER, null)
  await open({ ...sampled, inLibrary: true })
  expect(screen.queryByText(/files aren’t ready/)).toBeNull()
  expect(button('Play sample')).not.toBeNull()
})

test('BOOK-25: an owned audiobook without its files says that they are being made, and has nothing to play', async () => {
  becomeUser(OWNER, null)
  await open({ inLibrary: true, audioFiles: [] })
  expect(screen.getByText('Its files aren’t ready yet. They won’t be long.')).toBeTruthy()
  expect(button('Play')).toBeNull()
})

test('BOOK-24: an owned e-book with a file can be downloaded, one without a file cannot', async () => {
  becomeUser(OWNER, null)
  const owned = { entityType: 'eBook', pages: 300, inLibrary: true }
  await open({ ...owned, download: '/media/books/a.epub?signed' }, '/ebooks/harbour-1')
  expect((await inMenu('Download e-book')).getAttribute('href')).toBe('/media/books/a.epub?signed')
  expect(linkTo('Read')).toBe('/read/harbour-1')
  expect(screen.getByText('In your library')).toBeTruthy()
  cleanup()
  await open({ ...owned, hideDownload: true }, '/ebooks/harbour-1')
  expect(screen.getByText('In your library')).toBeTruthy()
  expect(linkTo('Read')).toBeUndefined()
  expect(button('Read')).not.toBeNull()
})

test('BAG-15: an owned paid audiobook can be given, at its price, from its menu', async () => {
  becomeUser(OWNER, null)
  const { asked } = await open({ inLibrary: true, ...SOUND })
  expect(button('Gift, £12')).toBeNull()
  fireEvent.click(await inMenu('Gift, £12'))
  await waitFor(() => expect(asked).toContain('/api/cart_items'))
  cleanup()
  await open({ inLibrary: true, ...SOUND, geoBlocked: true })
  await inMenu('Share')
  expect(screen.queryByRole('menuitem', { name: /Gift/ })).toBeNull()
})

test('BOOK-13 BOOK-26: an owned book has its facts in one list, with the price that its owner would pay, and one list of the journal', async () => {
  becomeUser(OWNER, { currentSubscription: {} } as never)
  const piece = (slug: string) => ({ slug, title: `On ${slug}`, shortDescription: null, image: null })
  await open({
    inLibrary: true,
    ...SOUND,
    tags: [{ title: 'Tides' }],
    language: { title: 'English' },
    eBook: {
      slug: 'harbour-1',
      price: 8.99,
      subscriptionPrice: 7.2,
      pages: 90,
      lengthHours: null,
      lengthMin: null,
    },
    relatedArticles: [piece('tides')],
    relatedInterviews: [piece('ebb')],
  })
  const details = screen.getByRole('region', { name: 'Details' })
  const facts = Array.from(details.querySelectorAll('dt'), ({ textContent, nextSibling }) => [
    textContent,
    nextSibling!.textContent,
  ])
  expect(facts).toEqual(
    expect.arrayContaining([
      ['Language', 'English'],
      ['Also an e-book', '£7.20, 90 pages'],
      ['Subjects', 'Tides'],
    ]),
  )
  const links = screen.getByRole('region', { name: 'In the Journal' }).querySelectorAll('a')
  expect(Array.from(links, ({ textContent }) => textContent)).toEqual(['PodcastOn ebb', 'ArticleOn tides'])
})

test('ROLE-11: the page of a book for sale names the price of its other format that the user would pay', async () => {
  const eBook = { slug: 'harbour-1', price: 8.99, pages: 90, lengthHours: null, lengthMin: null }
  const other = () => screen.getByText('Also an e-book').nextSibling!.textContent
  becomeUser(OWNER, null)
  await open({ eBook: { ...eBook, subscriptionPrice: 7.2 } })
  expect(other()).toBe('£8.99, 90 pages')
  act(() => becomeUser(OWNER, { currentSubscription: {} } as never))
  expect(other()).toBe('£7.20, 90 pages')
  cleanup()
  // Pages that an earlier release stored on the device have no member price.
  await open({ eBook })
  expect(other()).toBe('£8.99, 90 pages')
})

test('an owned audiobook says how far it was heard, plays on from there, and offers no sample of itself', async () => {
  becomeUser(OWNER, null)
  const sampled = { sample: '/media/samples/a.mp3', sampleText: 'Tides.' }
  const { queryClient } = await open({ inLibrary: true, ...sampled, ...SOUND })
  expect(button('Play')).not.toBeNull()
  expect(screen.getByText('In your library')).toBeTruthy()
  expect([button('Play sample'), button('Read a sample'), button('Share')]).toEqual([null, null, null])

  const heardTo = (chapter: number, seconds: number) =>
    act(async () => {
      const places = new Map([['harbour-1', { chapter, seconds }]])
      queryClient.setQueryData(ownKey('nell', 'held', 'places'), { places, known: true })
    })
  await heardTo(2, 100)
  await screen.findByRole('button', { name: 'Play from 1:35' })
  expect(screen.getByText('2. Slack water').parentElement!.textContent).toBe('2. Slack water21 min left')
  const rows = [...document.querySelectorAll('ol button')].map((row) => [
    row.textContent,
    row.getAttribute('aria-current'),
  ])
  expect(rows).toEqual([
    ['1Ebb20:0020 minutesheard', null],
    ['2Slack water23:2023 minutes 20 seconds', 'true'],
  ])

  await heardTo(2, 1400)
  await screen.findByRole('button', { name: 'Listen again' })
  expect(screen.getByText('Finished')).toBeTruthy()
})

test('a book that the device knows to be owned is never sold to its owner while the server is silent', async () => {
  becomeUser(OWNER, null)
  useOwnedTitles.setState({ owned: new Set([titleKey('audio', 'harbour-1')]) })
  const shop = aShelf([aBook(1, { chapters: CHAPTERS })])
  const { queryClient } = await atTheShelves('/audiobooks')
  await queryClient.ensureQueryData(bookQuery('audio_books', 'harbour-1'))
  shop.hold('/api/audio_books/harbour-1')
  fireEvent.click(screen.getByRole('link', { name: /Harbour 01/ }))
  await screen.findByRole('heading', { level: 2, name: 'Chapters' })
  expect([button('Add to bag'), button('Play') === null]).toEqual([null, false])
  await shop.release()
  useOwnedTitles.setState({ owned: new Set() })
})

test('ROLE-11: a member sees the member price on cards, and on the page also what others pay; everybody else sees both', async () => {
  const prices = () => screen.getByRole('heading', { level: 1 }).parentElement!.textContent
  const card = () => screen.getByRole('link', { name: /Harbour 01/ })
  becomeVisitor()
  await open()
  expect(prices()).toContain('£12£9.60 for members')
  expect(document.querySelector('s')).toBeNull()
  cleanup()
  await atTheShelves('/audiobooks')
  expect(card().textContent).toContain('£12£9.60 for members')
  cleanup()
  becomeUser(OWNER, { currentSubscription: { id: 2 } } as never)
  await open()
  expect(prices()).toContain('£9.60for members · £12')
  cleanup()
  await atTheShelves('/audiobooks')
  expect(card().textContent).toMatch(/£9\.60$/)
  // There was no higher price before, so nothing is struck through.
  expect(document.querySelector('s')).toBeNull()
})

test('sharing it copies the address of its format', async () => {
  const writeText = vi.fn(async () => undefined)
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  for (const [address, entityType] of [
    [PAGE, 'audioBook'],
    ['/ebooks/harbour-1', 'eBook'],
  ] as const) {
    await open({ entityType }, address)
    fireEvent.click(button('Share')!)
    await waitFor(() => expect(writeText).toHaveBeenLastCalledWith(window.location.origin + address))
    cleanup()
  }
})

test('BOOK-12 BOOK-05: the neighbours of a book lead to its style from page 1, without a style to its format', () => {
  const style = { '@id': '/api/styles/7', '@type': 'Style', id: 7, title: 'Lyrical' } as const
  expect(nearbyLink({ entityType: 'audioBook', style })).toEqual({
    to: '/audiobooks',
    search: { page: '1', itemsPerPage: '12', 'styles[]': '7' },
  })
  expect(nearbyLink({ entityType: 'eBook', style: null })).toEqual({ to: '/ebooks' })
})
