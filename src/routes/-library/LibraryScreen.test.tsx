// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeFormatPair } from '#storage/format-pairs.ts'
import { placesDb } from '#storage/places-db.ts'
import { notePlacesKnown } from '#storage/places.ts'
import { titleKey } from '#storage/title-key.ts'
import { noDownload } from '#features/downloads/model.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { forgetStarted, keepStarted } from '#features/library/started.ts'
import { storeLastPlayed } from '#features/player/last-played.ts'
import { connectivity } from '#net/connectivity.ts'
import { becomeEnded, becomeUser, becomeVisitor } from '#session/store.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { openApp } from '#tests/support/app.tsx'
import { aPlayable } from '#tests/support/playable-title.ts'

const salt = titleKey('audio', 'salt')
const weather = titleKey('ebook', 'weather')
const downloaded = (key: typeof salt) => [key, { ...noDownload(key), state: 'done' }] as const
let owner: string

beforeEach(async () => {
  owner = crypto.randomUUID()
  becomeUser({ uuid: owner, firstName: 'Rosa', fullName: 'Rosa Lind' }, null)
  useDownloadsStore.setState({
    ready: true,
    byTitle: new Map([downloaded(salt), downloaded(weather)]),
  })
  await placesDb.use(owner, async (db) => {
    await db.ownTitles.bulkPut([
      {
        ...{ key: salt, addedAtMs: 2, chapterSeconds: [600, 600] },
        book: aTitle({ slug: 'salt', title: 'Salt' }),
      },
      {
        ...{ key: weather, addedAtMs: 1, chapterSeconds: [] },
        book: { ...aTitle({ slug: 'weather', title: 'Weather', pages: 90 }), entityType: 'eBook' },
      },
    ])
    await db.settings.put({ name: 'titlesWhole', value: true })
    await db.places.put({
      ...{ slug: 'salt', chapter: 1, seconds: 60, heardAtMs: 1 },
      ...{ eventId: null, deviceId: null, basedOn: null },
    })
  })
  await notePlacesKnown(owner)
})
afterEach(() => {
  cleanup()
  forgetStarted()
  storeLastPlayed(undefined)
  connectivity.note(true)
  connectivity.stop()
  becomeVisitor()
})

const read = (share: number) =>
  placesDb.use(owner, (db) =>
    db.readings.put({
      ...{ slug: 'weather', locator: 'epubcfi(/6/2)', share, readAtMs: 2, eventId: null, deviceId: null },
      ...{ waiting: 0, sequence: 0, clock: { page: '', ms: 0 }, offsetMs: null, tries: 0 },
    }),
  )

/** Four titles that were added later: a whole row, so that what is started is not among the first covers. */
async function addNewerTitles() {
  const newer = ['peat', 'skerry', 'bees', 'one-hour'].map((slug, index) => ({
    ...{ key: titleKey('audio', slug), addedAtMs: 10 + index, chapterSeconds: [600] },
    book: aTitle({ slug, title: slug }),
  }))
  useDownloadsStore.setState(({ byTitle }) => ({
    byTitle: new Map([...byTitle, ...newer.map(({ key }) => downloaded(key))]),
  }))
  await placesDb.use(owner, (db) => db.ownTitles.bulkPut(newer))
}

test('offline, started titles still come first, and a press on a title plays it', async () => {
  await addNewerTitles()
  connectivity.lost()
  await openApp('/library')
  const going = await screen.findByRole('region', { name: 'Continue listening' })
  expect(within(going).getByRole('button', { name: /Salt/ })).toBeTruthy()
  const link = await screen.findByRole('link', { name: 'Salt' })
  expect(link.getAttribute('href')).toBe('/player/salt')
})

test('in step: Continue has the format used last and offers the other, and offline the one that opens', async () => {
  connectivity.lost()
  await read(0.5)
  await placesDb.use(owner, (db) => writeFormatPair(db, 'salt', 'weather'))
  await openApp('/library')
  const going = within(await screen.findByRole('region', { name: 'Carry on' }))
  const names = () => going.getAllByRole('button').map((button) => button.getAttribute('aria-label'))
  await waitFor(() => expect(names()).toEqual([null, 'Listen to Weather from here']))
  act(() => useDownloadsStore.setState({ byTitle: new Map([downloaded(salt)]) }))
  // Salt is among the covers, and its other format isn't here.
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Carry on' })).toBeNull())
  expect(screen.getByRole('link', { name: 'Salt' })).toBeTruthy()
})

test('offline, the library doesn’t offer to get titles ready', async () => {
  await openApp('/library')
  await screen.findByText('Going offline?')
  act(() => connectivity.lost())
  await waitFor(() => expect(screen.queryByText('Going offline?')).toBeNull())
})

test('a started e-book can be continued from the library too', async () => {
  await read(0.4)
  await addNewerTitles()
  connectivity.lost()
  await openApp('/library')
  const going = await screen.findByRole('region', { name: 'Carry on' })
  expect(
    within(going)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringContaining('40% read'), expect.stringContaining('Salt')])
  expect(screen.getByRole('link', { name: 'Weather' }).getAttribute('href')).toBe('/read/weather')
})

const onlySaltIsHere = () =>
  useDownloadsStore.setState({ byTitle: new Map([[salt, { ...noDownload(salt), state: 'done' }]]) })

test('offline, a search result that needs a connection counts as found', async () => {
  onlySaltIsHere()
  connectivity.lost()
  await openApp('/library?q=weather&show=downloaded')
  const waiting = await screen.findByRole('region', { name: 'Waiting for a connection' })
  expect(within(waiting).getByText('Weather')).toBeTruthy()
  expect(await screen.findByText('1 title found')).toBeTruthy()
  expect(screen.queryByText(/^Nothing (found|like)/)).toBeNull()
})

test('ROLE-16: after the session ended, a title that is not on this device does not count as found', async () => {
  onlySaltIsHere()
  becomeEnded({ uuid: owner, firstName: 'Rosa', fullName: 'Rosa Lind' })
  await openApp('/library?q=weather')
  expect(await screen.findByText('Nothing like “weather” here.')).toBeTruthy()
  expect(screen.getByText('Nothing found')).toBeTruthy()
})

/** In the order of the page: its format and where a press leads. */
const covers = () =>
  [...document.querySelectorAll<HTMLElement>('a[data-format]')].map((cover) => [
    cover.dataset.format,
    cover.getAttribute('href'),
  ])

test('a cover opens the player or the reader, of a title in both formats each its own, downloaded or not', async () => {
  await placesDb.use(owner, (db) =>
    db.ownTitles.bulkPut([
      {
        ...{ key: titleKey('ebook', 'salt'), addedAtMs: 3, chapterSeconds: [] },
        book: { ...aTitle({ slug: 'salt', title: 'Salt', pages: 90 }), entityType: 'eBook' },
      },
      {
        ...{ key: titleKey('audio', 'peat'), addedAtMs: 0, chapterSeconds: [600] },
        book: aTitle({ slug: 'peat', title: 'Peat' }),
      },
    ]),
  )
  onlySaltIsHere()
  connectivity.lost()
  await openApp('/library')
  await waitFor(() =>
    expect(covers()).toEqual([
      ['audioBook', '/player/salt'],
      // Offline, those that aren't downloaded come last.
      ['eBook', '/read/salt'],
      ['eBook', '/read/weather'],
      ['audioBook', '/player/peat'],
    ]),
  )
})

test('what is started is not listed again if its cover is among the first', async () => {
  connectivity.lost()
  await openApp('/library')
  await screen.findByRole('link', { name: 'Salt' })
  expect(screen.getByRole('link', { name: 'Bookmarks and notes' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Continue listening' })).toBeNull()
})

test('PLAY-15: the mini player does not repeat the book that “Continue listening” shows', async () => {
  await addNewerTitles()
  storeLastPlayed(aPlayable({ slug: 'salt' }))
  keepStarted(
    owner,
    [
      {
        key: salt,
        book: aTitle({ slug: 'salt', title: 'Salt', series: [] }),
        ...{ share: 0.05, left: '19 min left', chapter: '1. The tide table' },
        place: { chapter: 1, seconds: 60 },
      },
    ],
    true,
  )
  connectivity.lost()
  await openApp('/library?q=salt')
  expect(await screen.findByRole('region', { name: 'Last played' })).toBeTruthy()
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search your library' }), { target: { value: '' } })
  expect(await screen.findByRole('region', { name: 'Continue listening' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Last played' })).toBeNull())
})

test('the chips of the formats are shown only in a library that has both', async () => {
  connectivity.lost()
  await openApp('/library?show=all')
  expect(await screen.findByRole('button', { name: 'E-books' })).toBeTruthy()
  cleanup()
  await placesDb.use(owner, (db) => db.ownTitles.delete(weather))
  await openApp('/library?show=all')
  expect(await screen.findByRole('button', { name: 'Not started' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'E-books' })).toBeNull())
})
