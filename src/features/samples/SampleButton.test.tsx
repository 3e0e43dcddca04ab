// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectivity } from '#net/connectivity.ts'
import { FakeAudio, flush } from '#tests/support/fake-audio.ts'
import { CoverButton, SampleButton } from './SampleButton.tsx'
import { installSamples, NO_SAMPLE, useSamples } from './store.ts'

const PEAT = {
  entityType: 'audioBook',
  slug: 'peat',
  title: 'Peat',
  sample: '/media/samples/peat.mp3',
} as const
const SKERRY = { ...PEAT, slug: 'skerry', title: 'Skerry', sample: '/media/samples/skerry.mp3' }

/** One element for the whole page, as in the browser. */
const audio = new FakeAudio()
let pauseSample = () => {}
const pausePlayer = vi.fn((onPlay: () => void) => void (pauseSample = onPlay))
const listen = vi.fn()

beforeEach(() => {
  vi.stubGlobal(
    'Audio',
    vi.fn(function () {
      return audio.asElement()
    }),
  )
  pausePlayer.mockClear()
  installSamples({ pausePlayer, listen, volume: () => 0.5 })
})
afterEach(() => {
  vi.restoreAllMocks()
  cleanup()
  useSamples.setState(NO_SAMPLE)
})

const button = (title: string) =>
  screen.getByRole('button', { name: new RegExp(`^Play a sample of ${title}(,|$)`) })
const isPressed = (title: string) => button(title).getAttribute('aria-pressed')
const press = (title: string) => act(async () => fireEvent.click(button(title)))

test('plays a sample where it is, pauses the player meanwhile, and shows the time left', async () => {
  render(<SampleButton book={PEAT} words="Sample" />)
  expect(button('Peat').textContent).toBe('Sample')
  await press('Peat')
  expect(pausePlayer).toHaveBeenCalledOnce()
  expect([audio.src, audio.volume, button('Peat').getAttribute('aria-busy')]).toEqual([
    PEAT.sample,
    0.5,
    'true',
  ])
  await act(async () => {
    await audio.arrives(40)
    await audio.hears(2)
  })
  expect([isPressed('Peat'), button('Peat').textContent]).toEqual(['true', '0:38 left'])
})

test('the accessible name says what the button is and why it failed, and never the time', async () => {
  render(<SampleButton book={PEAT} words="Sample" />)
  const name = () => button('Peat').getAttribute('aria-label')
  const words = () =>
    [...button('Peat').querySelectorAll('span:not([aria-hidden])')].map((each) => each.textContent)
  expect([name(), words()]).toEqual(['Play a sample of Peat', ['Sample']])
  await press('Peat')
  await act(async () => {
    await audio.arrives(40)
    await audio.hears(2)
  })
  expect([name(), words()]).toEqual(['Play a sample of Peat', []])
  await press('Peat')
  expect([name(), words(), isPressed('Peat')]).toEqual(['Play a sample of Peat', [], 'false'])
  await press('Peat')
  await act(() => audio.breaks())
  expect([name(), words()]).toEqual(['Play a sample of Peat, Didn’t play', ['Didn’t play']])
})

test('a second press pauses, and a third continues at the same place', async () => {
  render(<SampleButton book={PEAT} />)
  await press('Peat')
  await act(async () => {
    await audio.arrives(40)
    await audio.hears(10)
  })
  await press('Peat')
  expect([audio.paused, isPressed('Peat'), button('Peat').textContent]).toEqual([true, 'false', '0:30 left'])
  const sources = audio.sources.length
  await press('Peat')
  expect([audio.paused, audio.currentTime, audio.sources.length]).toEqual([false, 10, sources])
})

test('only one sample plays at a time', async () => {
  render(
    <>
      <SampleButton book={PEAT} />
      <SampleButton book={SKERRY} />
    </>,
  )
  await press('Peat')
  await act(() => audio.arrives(40))
  await press('Skerry')
  expect([isPressed('Peat'), isPressed('Skerry'), audio.src]).toEqual(['false', 'true', SKERRY.sample])
})

test('pauses when the player plays again, and stops when its button leaves the page', async () => {
  const { rerender } = render(<SampleButton book={PEAT} />)
  await press('Peat')
  await act(() => audio.arrives(40))
  await act(async () => {
    pauseSample()
    await flush()
  })
  expect(isPressed('Peat')).toBe('false')
  await press('Peat')
  rerender(<p>Another page</p>)
  expect([audio.paused, useSamples.getState().status]).toEqual([true, 'off'])
})

test.each([
  [true, 'Didn’t play'],
  [false, 'Needs a connection'],
])('says why a sample failed with a connection (%s): “%s”', async (online, words) => {
  vi.spyOn(connectivity, 'snapshot').mockReturnValue(online ? 'online' : 'offline')
  render(<SampleButton book={PEAT} words="Sample" />)
  await press('Peat')
  await act(() => audio.breaks())
  expect(button('Peat').textContent).toBe(words)
})

test('offers the book itself to its owner, and nothing for a title without sample', () => {
  render(<CoverButton book={PEAT} owned />)
  fireEvent.click(screen.getByRole('button', { name: 'Play Peat' }))
  expect(listen).toHaveBeenCalledWith('peat')
  cleanup()
  render(<CoverButton book={{ ...PEAT, sample: null }} owned={false} />)
  render(<SampleButton book={{ ...PEAT, entityType: 'eBook' }} />)
  expect(screen.queryByRole('button')).toBeNull()
})

test('the name of a sample’s button begins with its visible words', () => {
  render(<SampleButton book={PEAT} words="Hear the newest" />)
  const button = screen.getByRole('button', { name: `Hear the newest, a sample of ${PEAT.title}` })
  expect(button.textContent).toBe('Hear the newest')
})
