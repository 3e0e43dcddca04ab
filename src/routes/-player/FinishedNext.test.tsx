// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { placesDb } from '#storage/places-db.ts'
import { notePlacesKnown } from '#storage/places.ts'
import { titleKey } from '#storage/title-key.ts'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { noDownload } from '#features/downloads/model.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { usePlayer } from '#features/player/store.ts'
import { connectivity } from '#net/connectivity.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet } from '#net/settings.ts'
import type { User } from '#contract/account.ts'
import { becomeUser, becomeVisitor, currentSession } from '#session/store.ts'
import { listOf, shopAnswers } from '#tests/support/app.tsx'
import { aTitle } from '#tests/support/card-shop.tsx'
import { renderInApp, stagePlayer } from '#tests/support/player-screen.tsx'
import { aBook } from '#tests/support/title-lists.tsx'
import { tokensOfWhoIsIn } from '#tests/support/token-store.ts'
import { FinishedNext } from './FinishedNext.tsx'

const ENDED = 'the-salt-ledger'
const downloaded = (slug: string) => {
  const key = titleKey('audio', slug)
  return [key, { ...noDownload(key), state: 'done', bytes: 12_000_000 }] as const
}

beforeEach(() => configureNet({ tokens: tokensOfWhoIsIn }))
afterEach(() => {
  cleanup()
  usePlayer.setState({ nextUp: undefined })
  useDownloadsStore.setState({ ready: false, byTitle: new Map() })
  useOwnedTitles.setState({ owned: new Set() })
  connectivity.note(true)
  connectivity.stop()
  becomeVisitor()
})

/** The end of The Salt Ledger, on a device that knows the account's other audiobooks, the newest last. */
async function atTheEnd(...others: string[]) {
  const owner = crypto.randomUUID()
  const staged = await stagePlayer()
  const { engine } = staged
  act(() => engine.load(engine.state().title!, { chapter: 3, seconds: 40 }))
  await placesDb.use(owner, async (db) => {
    await db.ownTitles.bulkPut(
      others.map((slug, index) => ({
        ...{ key: titleKey('audio', slug), addedAtMs: index, chapterSeconds: [600] },
        book: aTitle({ slug, title: slug }),
      })),
    )
    await db.settings.put({ name: 'titlesWhole', value: true })
  })
  await notePlacesKnown(owner)
  act(() => becomeUser({ uuid: owner, firstName: 'Rosa', fullName: 'Rosa Lind' }, null))
  renderInApp(<FinishedNext slug={ENDED} />)
  return staged
}

test('the end of a book offers the next title, then those not started, offline only downloaded ones', async () => {
  configureNet({ exchange: () => Promise.reject(new NetProblem('offline', 0)) })
  connectivity.lost()
  useDownloadsStore.setState({ ready: true, byTitle: new Map([downloaded('peat'), downloaded('skerry')]) })
  const { audio, engine } = await atTheEnd('peat', 'skerry', 'elsewhere')
  const next = within(await screen.findByRole('region', { name: 'skerry' }))
  expect(next.getByText('Next on your shelf')).toBeTruthy()
  expect(next.getByText('Orla Finnegan, 10 min, not started')).toBeTruthy()
  expect(next.getByRole('button', { name: 'Play skerry' })).toBeTruthy()
  const unheard = within(screen.getByRole('region', { name: 'Yours, not started' }))
  expect(unheard.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/player/peat'])
  expect(screen.queryByText('Or try the first minute')).toBeNull()

  await userEvent.click(screen.getByRole('button', { name: /^Listen again from the start/ }))
  expect([engine.place(), audio.paused]).toEqual([{ chapter: 1, seconds: 0 }, false])
})

test('the end of a book leads to the library or the downloads, and to samples of books that are not owned', async () => {
  useOwnedTitles.setState({ owned: new Set([titleKey('audio', aBook(3).slug)]) })
  const sample = '/media/samples/harbour.mp3'
  shopAnswers({
    '/api/libraries': listOf([]),
    [`/api/audio_books/${ENDED}/tag_related`]: listOf([
      aBook(1, { sample }),
      aBook(2, { sample: null }),
      aBook(3, { sample }),
    ]),
  })
  await atTheEnd()
  const samples = within(await screen.findByRole('region', { name: 'Or try the first minute' }))
  expect(samples.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Harbour 01',
  ])
  expect(samples.getByRole('button', { name: 'Play a sample of Harbour 01' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Yours, not started' })).toBeNull()
  const way = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href')
  expect(way(/^Back to your library/)).toBe('/library')
  act(() => useDownloadsStore.setState({ ready: true, byTitle: new Map([downloaded(ENDED)]) }))
  expect(way(/^Your downloads.*This one can go, 12 MB/)).toBe('/downloads')
})

test('paying: with a saved card, one press buys the next of the series at the end of a book', async () => {
  const about = { '@id': '/api/series/1', '@type': 'Series', id: 1, slug: 'salt', title: 'Salt' } as const
  const series = { ...about, number: '1', last: 2 }
  const next = aBook(2, { inLibrary: false })
  const inOrder = [
    { number: '1', comesOut: null, audioBook: { ...aBook(1), slug: ENDED, inLibrary: true } },
    { number: '2', comesOut: null, audioBook: next },
  ]
  shopAnswers({
    '/api/libraries': listOf([
      {
        uuid: 'e1',
        addedAt: '2026-01-01T00:00:00Z',
        chapterSeconds: [600],
        audioBook: aTitle({ slug: ENDED, series: [series] }),
        eBook: null,
      },
    ]),
    [`/api/audio_books/${ENDED}/tag_related`]: listOf([]),
    '/api/series/salt': { ...series, inOrder },
    '/api/payment_settings': { publishableKey: 'pk_test_1' },
  })
  await atTheEnd()
  const owner = { uuid: currentSession().owner!.uuid, firstName: 'Rosa', fullName: 'Rosa Lind' }
  const savedCard = { id: crypto.randomUUID(), brand: 'visa', last4: '4242' }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the screen reads nothing else of the user
  act(() => becomeUser(owner, { ...owner, currentSubscription: null, savedCard } as unknown as User))
  const offer = within(await screen.findByRole('region', { name: next.title }))
  expect(
    await offer.findByRole('button', { name: `Buy now, £${next.price} · Visa ending 4242` }),
  ).toBeTruthy()
})

test('the end of a book counts down to the title that plays next, which can be played now or declined', async () => {
  shopAnswers({ '/api/libraries': listOf([]) })
  await atTheEnd()
  const nextUp = { now: vi.fn(), no: vi.fn() }
  act(() =>
    usePlayer.setState(({ player }) => ({
      player: { ...player!, nextUp },
      nextUp: { slug: 'peat', title: 'Peat', why: 'Book 2 of 5', secondsLeft: 9 },
    })),
  )
  const next = within(screen.getByRole('region', { name: 'Peat' }))
  expect(next.getByText('Book 2 of 5')).toBeTruthy()
  await userEvent.click(next.getByRole('button', { name: /^Play now\s*, in 9 seconds$/ }))
  expect(nextUp.now).toHaveBeenCalledOnce()
  await userEvent.click(next.getByRole('button', { name: 'Not now' }))
  expect(nextUp.no).toHaveBeenCalledOnce()
})

test('month: the end of a book shows three owned titles not started, and then no samples', async () => {
  const own = ['peat', 'skerry', 'marram', 'goat-years', 'sunday-trains']
  shopAnswers({
    '/api/libraries': listOf(
      own.map((slug) => ({
        ...{ id: slug, addedAt: '2026-11-01', eBook: null, chapterSeconds: [600] },
        audioBook: aTitle({ slug, title: slug }),
      })),
    ),
    [`/api/audio_books/${ENDED}/tag_related`]: listOf([aBook(1, { sample: '/media/samples/harbour.mp3' })]),
  })
  await atTheEnd(...own)
  const unheard = within(await screen.findByRole('region', { name: 'Yours, not started' }))
  expect(unheard.getAllByRole('link')).toHaveLength(3)
  expect(screen.getByText('Next on your shelf')).toBeTruthy()
  expect(screen.queryByText('Or try the first minute')).toBeNull()
})

test('month: without a title of one’s own to hear next, the end of a book offers samples that others chose after it', async () => {
  const sample = '/media/samples/harbour.mp3'
  useOwnedTitles.setState({ owned: new Set([titleKey('audio', aBook(3).slug)]) })
  shopAnswers({
    '/api/libraries': listOf([]),
    [`/api/audio_books/${ENDED}/chosen_by_finishers`]: listOf([
      aBook(2, { sample }),
      aBook(3, { sample }),
      aBook(4, { sample: null }),
    ]),
    [`/api/audio_books/${ENDED}/tag_related`]: listOf([aBook(1, { sample })]),
  })
  await atTheEnd()
  const samples = within(await screen.findByRole('region', { name: 'Others who finished it chose' }))
  expect(samples.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Harbour 02',
  ])
  expect(samples.getByRole('button', { name: 'Play a sample of Harbour 02' })).toBeTruthy()
})
