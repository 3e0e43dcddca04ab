// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Book } from '#contract/catalogue.ts'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { installSamples, NO_SAMPLE, useSamples } from '#features/samples/store.ts'
import { configureNet, settings } from '#net/settings.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { titleKey } from '#storage/title-key.ts'
import { FakeAudio } from '#tests/support/fake-audio.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { aBook, aShelf, atTheShelves } from '#tests/support/title-lists.tsx'

const TEXT = `WEBVTT - Harbour 01

1
00:00:00.300 --> 00:00:04.000
The tide was out.

2
00:00:04.200 --> 00:00:10.200
Nobody had counted the boats.
`
const SAMPLE = '/media/samples/harbour.mp3'
const audio = new FakeAudio()
const usual = { ...settings }

beforeEach(() => {
  vi.stubGlobal(
    'Audio',
    vi.fn(function () {
      return audio.asElement()
    }),
  )
  installSamples({ pausePlayer: () => {}, listen: () => {}, volume: () => 1 })
})
afterEach(() => {
  cleanup()
  becomeVisitor()
  configureNet(usual)
  useSamples.setState(NO_SAMPLE)
  useOwnedTitles.setState({ owned: new Set() })
  vi.unstubAllGlobals()
})

const other = (number: number) => ({
  slug: `harbour-${number}`,
  price: 8,
  pages: 212,
  lengthHours: null,
  lengthMin: null,
})
const AUDIO = aBook(1, { inStep: true, inStepSample: true, sample: SAMPLE, eBook: other(2) })
const TEXT_BOOK = aBook(2, {
  entityType: 'eBook',
  inStep: true,
  price: 8,
  subscriptionPrice: 6.4,
  audioBook: other(1),
})

async function open(address: string, stock: readonly Book[] = [AUDIO, TEXT_BOOK]) {
  aShelf(stock)
  configureNet({ fetch: async () => fromShop(TEXT) })
  await atTheShelves(address)
  await screen.findByRole('heading', { name: 'Read and listen in step' })
}

test('in step: both formats are offered together, with their sum and the members’ sum', async () => {
  becomeVisitor()
  await open('/audiobooks/harbour-1')
  await screen.findByRole('button', { name: 'Add both to bag' })
  const words = screen.getByRole('region', { name: 'Read and listen in step' }).textContent
  expect(words).toContain('£20 audiobook and e-book')
  expect(words).toContain('£12 and £8. £16 for members')
})

test('in step: owners of one format see what the other adds and what it costs', async () => {
  becomeUser({ uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }, null)
  useOwnedTitles.setState({ owned: new Set([titleKey('ebook', 'harbour-2')]) })
  await open('/ebooks/harbour-2', [AUDIO, { ...TEXT_BOOK, inLibrary: true }])
  await screen.findByRole('button', { name: 'Add to bag' })
  const words = screen.getByRole('region', { name: 'Read and listen in step' }).textContent
  expect(words).toContain('You have the e-book. With the audiobook you carry on from the very sentence')
  expect(words).toContain('£12 audiobook')
})

test('in step: on the page of the format they lack, owners of the other see what it adds and costs', async () => {
  becomeUser({ uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }, null)
  useOwnedTitles.setState({ owned: new Set([titleKey('audio', 'harbour-1')]) })
  await open('/ebooks/harbour-2')
  await waitFor(() => {
    const words = screen.getByRole('region', { name: 'Read and listen in step' }).textContent
    expect(words).toContain('You have the audiobook. With the e-book you carry on from the very sentence')
    expect(words).toContain('£8 e-book')
  })
})

test('in step: owners of both are offered nothing', async () => {
  becomeUser({ uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }, null)
  await open('/ebooks/harbour-2')
  act(() =>
    useOwnedTitles.setState({
      owned: new Set([titleKey('ebook', 'harbour-2'), titleKey('audio', 'harbour-1')]),
    }),
  )
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Read and listen in step' })).toBeNull())
})

test('in step: ten seconds of the sample play in the page, without an account, and mark the spoken sentence', async () => {
  becomeVisitor()
  await open('/ebooks/harbour-2')
  const second = await screen.findByText(/Nobody had counted the boats\./)
  fireEvent.click(screen.getByRole('button', { name: 'Play ten seconds of it' }))
  expect(audio.src).toBe(`${SAMPLE}#t=0.30,10.20`)
  await act(async () => {
    await audio.arrives(40)
    await audio.hears(5)
  })
  expect(second.getAttribute('aria-current')).toBe('true')
  expect(screen.getByRole('button', { name: 'Pause the ten seconds' })).toBeTruthy()
})

test('in step: the ten seconds end after their last sentence, although the browser plays on', async () => {
  becomeVisitor()
  await open('/ebooks/harbour-2')
  await screen.findByText(/Nobody had counted the boats\./)
  fireEvent.click(screen.getByRole('button', { name: 'Play ten seconds of it' }))
  await act(async () => {
    await audio.arrives(40)
    await audio.hears(10.3)
  })
  expect(audio.paused).toBe(true)
  expect(await screen.findByRole('button', { name: 'Play ten seconds of it' })).toBeTruthy()
})
