// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { EngineEvents } from './engine.ts'
import { USUAL_LOOK } from './model.ts'
import { Reader } from './Reader.tsx'

let events: Omit<EngineEvents, 'onSpot'>
const marks = { point: vi.fn(), letGo: vi.fn(), show: vi.fn() }
const engine = {
  marks,
  contents: [],
  goTo: vi.fn(async () => undefined),
  turn: vi.fn(async () => undefined),
  goToShare: vi.fn(async () => undefined),
  find: async (_words: string, onFound: (found: unknown[]) => void) =>
    onFound([{ locator: 'cfi-7', before: 'the ', words: 'ferry', after: ' left', chapter: 'Mild' }]),
}
const spot = { locator: 'cfi-1', share: 0.1, page: 1, pages: 3, chapter: 'Mild', chapterHref: null }

vi.mock('./use-book.ts', () => ({
  useBook: (_book: unknown, _host: unknown, given: typeof events) => {
    events = given
    return { engine, spot, failure: undefined, look: USUAL_LOOK, scheme: 'light', setLook: () => undefined }
  },
  useHighlights: () => ({ list: [], add: vi.fn(), write: vi.fn(), remove: vi.fn() }),
}))
afterEach(() => {
  cleanup()
  vi.clearAllMocks()
})

/** Chooses a search hit, which is then marked on its page. */
async function chooseHit() {
  render(
    <Reader
      book={{ slug: 'weather', title: 'Ordinary Weather', ownerUuid: 'nell', address: async () => null }}
      onClose={() => undefined}
      failed={() => null}
    />,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Search in this book' }))
  fireEvent.change(await screen.findByLabelText('Words'), { target: { value: 'ferry' } })
  fireEvent.click(await screen.findByRole('button', { name: /ferry/ }))
  expect(marks.point).toHaveBeenLastCalledWith('cfi-7')
}

test.each([
  ['the next page', () => fireEvent.click(screen.getByRole('button', { name: 'Next page' }))],
  ['a page turned by a key', () => fireEvent.keyDown(document, { key: 'ArrowRight' })],
  ['a swipe', () => act(() => events.onPaged())],
  ['a tap on the page', () => act(() => events.onTap({ x: 200, y: 400 }))],
  ['a new search', () => fireEvent.click(screen.getByRole('button', { name: 'Search in this book' }))],
])('the mark of a search hit is cleared by %s', async (_way, leave) => {
  await chooseHit()
  leave()
  expect(marks.point).toHaveBeenLastCalledWith(undefined)
})
