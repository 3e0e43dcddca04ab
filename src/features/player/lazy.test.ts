// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { act } from '@testing-library/react'
import { currentToast, dismissToast } from '#ui/toast.ts'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import {
  installPlayer,
  listenTo,
  openPlayerWindow,
  showPlayerWindow,
  silencePlayer,
  thePlayer,
} from './lazy.ts'
import { soundElement } from './sound-element.ts'
import { usePlayer } from './store.ts'
import { takeHandover } from './window-name.ts'

/** Sets the page's width, and whether the browser allows pop-ups. */
function browser({ width, allows }: { width: number; allows: boolean }) {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: width >= Number(/\d+/.exec(query)![0]) }))
  const opened = { closed: false, focus: vi.fn() }
  const open = vi.fn(() => (allows ? opened : null))
  vi.stubGlobal('open', open)
  return { opened, open }
}
/** Messages sent to the player's window. */
const said: { kind: string }[] = []
const channels: EventTarget[] = []
const book = { kind: 'book', slug: 'the-salt-ledger' } as const
const sample = { kind: 'sample', slug: 'the-salt-ledger' } as const
const toFullPlayer = vi.fn()
const handedOver = () => JSON.parse(localStorage.getItem('murmur.player-handover') ?? 'null')
const heard = () => usePlayer.getState().state

beforeEach(async () => {
  vi.clearAllMocks()
  localStorage.clear()
  sessionStorage.clear()
  said.length = 0
  vi.spyOn(soundElement(), 'play').mockResolvedValue()
  vi.stubGlobal(
    'BroadcastChannel',
    class extends EventTarget {
      constructor() {
        super()
        channels.push(this)
      }
      postMessage(message: { kind: string }) {
        said.push(message)
      }
    },
  )
  installPlayer({ ports: () => fakePorts(), visit: () => undefined })
  const { engine } = await thePlayer()
  act(() => engine.turnOff())
})
afterEach(() => {
  const shown = currentToast()
  if (shown) dismissToast(shown.id)
  usePlayer.setState({ isInOtherWindow: false })
  vi.unstubAllGlobals()
})

test('BOOK-19: on a wide screen a book opens the player’s window, and this page stays as it is', async () => {
  const { open } = browser({ width: 1280, allows: true })
  await listenTo(book, toFullPlayer)
  expect(open).toHaveBeenCalledExactlyOnceWith(
    '/player/the-salt-ledger',
    expect.anything(),
    expect.anything(),
  )
  expect(toFullPlayer).not.toHaveBeenCalled()
  expect(heard().title).toBeUndefined()
  expect(currentToast()).toBeUndefined()
})

test('a blocked window plays the book in this page, with a notice', async () => {
  browser({ width: 1280, allows: false })
  await listenTo(book, toFullPlayer)
  expect(toFullPlayer).toHaveBeenCalledOnce()
  expect(heard()).toMatchObject({ title: book, status: 'waiting' })
  expect(currentToast()?.text).toContain('window')
})

test('BOOK-28: on a phone a book opens the full player, without a notice about windows', async () => {
  const { open } = browser({ width: 390, allows: true })
  await listenTo(book, toFullPlayer)
  expect(open).not.toHaveBeenCalled()
  expect(toFullPlayer).toHaveBeenCalledOnce()
  expect(heard().title).toMatchObject(book)
  expect(currentToast()).toBeUndefined()
})

test('a book opens in this page at the place that was asked for', async () => {
  browser({ width: 390, allows: true })
  const open = vi.spyOn(await thePlayer(), 'open')
  const at = { chapter: 2, seconds: 30 }
  await listenTo(book, toFullPlayer, at)
  expect(open).toHaveBeenCalledExactlyOnceWith(book, { play: true, at })
})

test.each([
  ['plays in the bar of a wide screen', 1280, 0],
  ['and full on a phone', 390, 1],
])('a sample %s', async (_what, width, full) => {
  const { open } = browser({ width, allows: true })
  await listenTo(sample, toFullPlayer)
  expect(open).not.toHaveBeenCalled()
  expect(toFullPlayer).toHaveBeenCalledTimes(full)
  expect(heard()).toMatchObject({ title: sample, status: 'waiting' })
})

test('trap 37: creates and loads the audio element inside the press, before awaiting anything', async () => {
  browser({ width: 390, allows: true })
  document.querySelector('audio')?.remove()
  const load = vi.spyOn(HTMLMediaElement.prototype, 'load')
  const opened = listenTo(book, toFullPlayer)
  expect(document.querySelectorAll('body > audio')).toHaveLength(1)
  expect(load.mock.instances).toEqual([soundElement()])
  load.mockRestore()
  await opened
})

test('the window continues at this page’s place, and this page stops', async () => {
  browser({ width: 1280, allows: true })
  const { engine } = await thePlayer()
  act(() => engine.load(aPlayable(), { chapter: 2, seconds: 12 }))
  act(() => engine.play())
  expect(openPlayerWindow('the-salt-ledger')).toBe(true)
  expect(handedOver()).toMatchObject({ slug: 'the-salt-ledger', place: { chapter: 2, seconds: 12 } })
  expect(heard().status).toBe('paused')
})

test.each([
  ['another book', aPlayable({ slug: 'tidewrack' })],
  ['its sample', aPlayable({ kind: 'sample' })],
])('the window does not start at this page’s place in %s', async (_what, title) => {
  browser({ width: 1280, allows: true })
  const { engine } = await thePlayer()
  act(() => engine.load(title, { chapter: 2, seconds: 12 }))
  openPlayerWindow('the-salt-ledger')
  expect(handedOver()).not.toHaveProperty('place')
})

test('focuses a window that has the book; opens it again if it is closed or has another book', async () => {
  const { opened, open } = browser({ width: 1280, allows: true })
  openPlayerWindow('the-salt-ledger')
  usePlayer.setState({ isInOtherWindow: true, state: { ...heard(), title: aPlayable() } })
  expect(openPlayerWindow('the-salt-ledger')).toBe(true)
  expect([opened.focus.mock.calls.length, open.mock.calls.length]).toEqual([1, 1])
  showPlayerWindow()
  expect(opened.focus).toHaveBeenCalledTimes(2)
  openPlayerWindow('tidewrack')
  expect(open).toHaveBeenCalledTimes(2)
  opened.closed = true
  openPlayerWindow('the-salt-ledger')
  expect(open).toHaveBeenCalledTimes(3)
})

test('the page that opened the window does not take the handover meant for it', async () => {
  browser({ width: 1280, allows: true })
  openPlayerWindow('the-salt-ledger')
  await (await thePlayer()).open(book)
  expect(handedOver()).toMatchObject({ slug: 'the-salt-ledger' })
})

test.each([
  ['just under half a minute', 29_999, { chapter: 2, seconds: 12 }],
  ['half a minute', 30_000, undefined],
])('a place that waited %s for its window', async (_what, waitedMs, taken) => {
  browser({ width: 1280, allows: true })
  const { engine } = await thePlayer()
  act(() => engine.load(aPlayable(), { chapter: 2, seconds: 12 }))
  const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000)
  openPlayerWindow('the-salt-ledger')
  clock.mockReturnValue(1_000 + waitedMs)
  expect(takeHandover('the-salt-ledger')?.place).toEqual(taken)
  clock.mockRestore()
})

test('one window has one remote control, however many books it opens', async () => {
  browser({ width: 1280, allows: true })
  const player = await thePlayer()
  openPlayerWindow('the-salt-ledger')
  openPlayerWindow('tidewrack')
  // Both presses share one player.
  expect(await thePlayer()).toBe(player)
  expect(said.filter(({ kind }) => kind === 'hello')).toHaveLength(1)
})

test('BOOK-19: a book returns to this page, paused at its place, when its window closes', async () => {
  browser({ width: 1280, allows: true })
  let windowIsGone = () => undefined as void
  const request = (_name: string, then: () => void) => Promise.resolve(void (windowIsGone = then))
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } })
  openPlayerWindow('the-salt-ledger')
  const { engine } = await thePlayer()
  const id = sessionStorage.getItem('murmur.player-window')
  const place = { chapter: 2, seconds: 12 }
  const state = { ...heard(), title: aPlayable(), status: 'playing', chapter: 2 }
  const data = { id, kind: 'state', state, place, duration: 30, buffered: 30 }
  act(() => void channels.at(-1)!.dispatchEvent(new MessageEvent('message', { data })))
  expect(usePlayer.getState()).toMatchObject({ isInOtherWindow: true, state: { status: 'playing' } })
  act(() => windowIsGone())
  expect(usePlayer.getState()).toMatchObject({
    isInOtherWindow: false,
    state: { status: 'paused', title: book },
  })
  expect(engine.place()).toEqual(place)
  act(() => usePlayer.getState().controls!.jump(5))
  expect(engine.place()).toEqual({ chapter: 2, seconds: 17 })
})

test.each([
  ['the book that the window plays goes on where it was there', book, { chapter: 2, seconds: 12 }],
  ['its sample begins at its beginning', sample, { chapter: 1, seconds: 0 }],
])('opening a title in this page takes the sound back from the window: %s', async (_what, ref, place) => {
  browser({ width: 1280, allows: true })
  Object.defineProperty(navigator, 'locks', {
    configurable: true,
    value: { request: () => new Promise(() => undefined) },
  })
  openPlayerWindow('the-salt-ledger')
  const player = await thePlayer()
  const id = sessionStorage.getItem('murmur.player-window')
  const state = { ...heard(), title: aPlayable(), status: 'playing', chapter: 2 }
  const data = { id, kind: 'state', state, place: { chapter: 2, seconds: 12 }, duration: 30, buffered: 30 }
  act(() => void channels.at(-1)!.dispatchEvent(new MessageEvent('message', { data })))
  await act(() => player.open(ref))
  expect(usePlayer.getState()).toMatchObject({ isInOtherWindow: false, state: { title: ref } })
  expect(player.engine.place()).toEqual(place)
  expect(said.at(-1)).toMatchObject({ kind: 'close' })
})

test('PLAY-29: the window closes when its listener logs out, without handing back a place', async () => {
  browser({ width: 1280, allows: true })
  let windowIsGone = () => undefined as void
  const request = (_name: string, then: () => void) => Promise.resolve(void (windowIsGone = then))
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } })
  openPlayerWindow('the-salt-ledger')
  const { engine } = await thePlayer()
  act(() => engine.load(aPlayable({ slug: 'tidewrack' }), undefined))
  const id = sessionStorage.getItem('murmur.player-window')
  const state = { ...heard(), title: aPlayable(), status: 'playing', chapter: 2 }
  const data = { id, kind: 'state', state, place: { chapter: 2, seconds: 12 }, duration: 30, buffered: 30 }
  act(() => void channels.at(-1)!.dispatchEvent(new MessageEvent('message', { data })))
  act(() => silencePlayer())
  expect(said.at(-1)).toMatchObject({ id, kind: 'close' })
  expect(usePlayer.getState()).toMatchObject({
    isInOtherWindow: false,
    state: { status: 'off', title: undefined },
  })
  act(() => windowIsGone())
  expect(heard().title).toBeUndefined()
})

test('a page has one channel to its window, however often that opens', async () => {
  browser({ width: 1280, allows: true })
  openPlayerWindow('the-salt-ledger')
  await thePlayer()
  sessionStorage.clear()
  openPlayerWindow('tidewrack')
  await thePlayer()
  expect(channels).toHaveLength(1)
})

describe('at start-up the player is not loaded', () => {
  beforeEach(() => void vi.resetModules())
  afterEach(() => {
    vi.doUnmock('./start.ts')
    window.name = ''
  })
  test.each([
    ['but where this page opened a window before it was loaded anew: it steers that again', 'one', '', 1],
    ['before something is to be played', undefined, '', 0],
    ['twice: the window itself knows what it plays', 'one', 'murmur-player-one', 0],
  ])('%s', async (_what, opened, name, loads) => {
    const startPlayer = vi.fn(() => ({}))
    vi.doMock('./start.ts', () => ({ startPlayer }))
    if (opened) sessionStorage.setItem('murmur.player-window', opened)
    window.name = name
    const page = await import('./lazy.ts')
    page.installPlayer({ ports: () => fakePorts(), visit: () => undefined })
    await vi.dynamicImportSettled()
    expect(startPlayer).toHaveBeenCalledTimes(loads)
  })
})
