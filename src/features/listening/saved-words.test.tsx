// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectivity } from '#net/connectivity.ts'
import { useSession } from '#session/store.ts'
import { PlaceNote } from './PlaceNote.tsx'
import { Receipt } from './Receipt.tsx'
import { useListeningStore } from './store.ts'

const NOW = Date.parse('2026-03-02T08:30:00.000Z')
const MINUTE = 60_000
const receipt = (savedMinutesAgo: number, listenedSeconds = 240) => ({
  ...{ slugs: ['salt'], listenedSeconds, heardFromMs: NOW - 25 * MINUTE },
  savedAtMs: NOW - savedMinutesAgo * MINUTE,
})

let offline: boolean

beforeEach(() => {
  offline = false
  vi.spyOn(connectivity, 'snapshot').mockImplementation(() => (offline ? 'offline' : 'online'))
  useListeningStore.setState(useListeningStore.getInitialState(), true)
  useSession.setState({ status: 'user' })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  useSession.setState({ status: 'visitor' })
})

/** What stands beside the sound of a book, and what on the downloads page. */
const said = (slug = 'salt') => [
  render(<PlaceNote slug={slug} nowMs={NOW} />).container.textContent,
  render(<Receipt nowMs={NOW} />).container.textContent,
]

test('before anything was heard nothing is said of saving', () => {
  expect(said()).toEqual(['', ''])
})

test('a browser that stopped saving is said before all else', () => {
  useListeningStore.setState({ stuck: true, waiting: 2, receipt: receipt(1) })
  offline = true
  const [beside, below] = said()
  expect(beside).toMatch(/stopped saving/)
  expect(below).toMatch(/stopped saving.*your place is held/)
})

test('places that wait are counted; beside the sound they are worth a line offline only', () => {
  useListeningStore.setState({ waiting: 1 })
  expect(said()).toEqual(['', '1 place on this device, saved as soon as there is a connection.'])
  offline = true
  expect(said()[0]).toMatch(/kept here until you’re online/)
  useSession.setState({ status: 'ended' })
  useListeningStore.setState({ waiting: 3 })
  expect(said()[1]).toBe('3 places on this device, saved once you log in again.')
})

test('a late saving is told of its book for ten minutes, and later on the downloads page alone', () => {
  const words = /^4 min from \d\d:\d\d saved at \d\d:\d\d$/
  useListeningStore.setState({ receipt: receipt(10) })
  expect(said()).toEqual([expect.stringMatching(words), expect.stringMatching(words)])
  expect(said('oranges')[0]).toBe('')
  useListeningStore.setState({ receipt: receipt(11) })
  expect(said()).toEqual(['', expect.stringMatching(words)])
  // Not worth a line.
  useListeningStore.setState({ receipt: receipt(1, 4) })
  expect(said()).toEqual(['', ''])
})
