// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'

/** A newly opened page. */
async function opened() {
  vi.resetModules()
  return import('./settings.ts')
}
beforeEach(() => localStorage.clear())

const BEFORE = {
  keys: true,
  headsetChapters: false,
  onePlace: true,
  backSeconds: 15,
  forwardSeconds: 15,
  rewinds: false,
  bookmarksEarlier: false,
  atEnd: 'series',
  silences: 'off',
  skipsCredits: false,
}

test('by default keys work, a headset jumps and one place is shared', async () => {
  const page = await opened()
  expect(page.playerSettings()).toEqual(BEFORE)
  page.changePlayerSettings({ headsetChapters: true })
  page.changePlayerSettings({ onePlace: false })
  page.changePlayerSettings({ atEnd: 'queue' })
  const after = { ...BEFORE, headsetChapters: true, onePlace: false, atEnd: 'queue' }
  expect(page.playerSettings()).toEqual(after)
  expect((await opened()).playerSettings()).toEqual(after)
})

test.each(['no JSON', 'null', '{"keys":"no","backSeconds":12,"forwardSeconds":"30"}'])(
  'ignores invalid stored values: %s',
  async (kept) => {
    localStorage.setItem('murmur.player', kept)
    expect((await opened()).playerSettings()).toEqual(BEFORE)
  },
)

test('a component re-renders with every change', async () => {
  const page = await opened()
  const { result } = renderHook(() => page.usePlayerSettings())
  expect(result.current.keys).toBe(true)
  act(() => page.changePlayerSettings({ keys: false }))
  expect(result.current.keys).toBe(false)
})

test.each([
  ['{"kind":"minutes","minutes":45}', { kind: 'minutes', minutes: 45 }],
  ['{"kind":"nextChapter"}', { kind: 'nextChapter' }],
  ['{"kind":"chapter"}', { kind: 'chapter' }],
  ['{"kind":"minutes","minutes":1}', { kind: 'minutes', minutes: 1 }],
  ['{"kind":"hours","minutes":45}', {}],
  ['{"kind":"minutes","minutes":-5}', {}],
  ['{"kind":"minutes","minutes":"45"}', {}],
  ['{"kind":"minutes","minutes":0}', {}],
  ['{"kind":"minutes","minutes":7.5}', {}],
  ['{"kind":"hours","minutes":2}', {}],
  ['15', {}],
])('reads the last sleep timer in the stored format: %s', async (stored, choice) => {
  localStorage.setItem('murmur.sleep', stored)
  const { useLastSleep } = await opened()
  expect(useLastSleep.getState()).toEqual(choice)
})

test('stores only the settings, and applies changes from another window', async () => {
  const page = await opened()
  page.changePlayerSettings({ rewinds: true })
  page.useLastSleep.setState({ kind: 'chapter' }, true)
  expect(JSON.parse(localStorage.getItem('murmur.player')!)).toEqual({ ...BEFORE, rewinds: true })
  expect(JSON.parse(localStorage.getItem('murmur.sleep')!)).toEqual({ kind: 'chapter' })
  localStorage.setItem('murmur.player', JSON.stringify({ ...BEFORE, keys: false }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'murmur.player' }))
  expect(page.playerSettings()).toEqual({ ...BEFORE, keys: false })
  localStorage.setItem('murmur.sleep', JSON.stringify({ kind: 'nextChapter' }))
  window.dispatchEvent(new StorageEvent('storage', { key: 'murmur.sleep' }))
  expect(page.useLastSleep.getState()).toMatchObject({ kind: 'nextChapter' })
})

test('reads every setting in the stored format', async () => {
  const stored = {
    ...{ keys: false, headsetChapters: true, onePlace: false, backSeconds: 30, forwardSeconds: 60 },
    ...{ rewinds: true, bookmarksEarlier: true, atEnd: 'silence', silences: 'brisk', skipsCredits: true },
  }
  localStorage.setItem('murmur.player', JSON.stringify(stored))
  expect((await opened()).playerSettings()).toEqual(stored)
})
