// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectivity } from '#net/connectivity.ts'
import { useSession } from '#session/store.ts'
import { PlaceNote, Receipt } from './SavedNotes.tsx'
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

/** The texts in the player and on the downloads page. */
const said = (slug = 'salt') => [
  render(<PlaceNote slug={slug} nowMs={NOW} />).container.textContent,
  render(<Receipt nowMs={NOW} />).container.textContent,
]

test('shows nothing before anything was heard', () => {
  expect(said()).toEqual(['', ''])
})

test('a browser that can’t save takes precedence', () => {
  useListeningStore.setState({ stuck: true, waiting: 2, receipt: receipt(1) })
  offline = true
  const [beside, below] = said()
  expect(beside).toMatch(/stopped saving/)
  expect(below).toMatch(/stopped saving.*your place is held/)
})

test('shows pending places only while offline or logged out', () => {
  useListeningStore.setState({ waiting: 1 })
  expect(said()).toEqual(['', ''])
  offline = true
  expect(said()).toEqual([
    expect.stringMatching(/kept here until you’re online/),
    '1 place on this device, saved as soon as there is a connection.',
  ])
  offline = false
  useSession.setState({ status: 'ended' })
  useListeningStore.setState({ waiting: 3 })
  expect(said()[1]).toBe('3 places on this device, saved once you log in again.')
})

test('shows a late save in the player for ten minutes, then on the downloads page; a press shows details', () => {
  useListeningStore.setState({ receipt: receipt(10) })
  expect(said()).toEqual(['Saved', 'Saved'])
  expect(said('oranges')[0]).toBe('')
  cleanup()
  render(<PlaceNote slug="salt" nowMs={NOW} />)
  const saved = screen.getByRole('button', { name: 'Saved' })
  expect(saved.getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(saved)
  expect(saved.textContent).toMatch(/^4 min from \d\d:\d\d saved at \d\d:\d\d$/)
  fireEvent.click(saved)
  expect(saved.textContent).toBe('Saved')
  useListeningStore.setState({ receipt: receipt(11) })
  expect(said()).toEqual(['', 'Saved'])
  // Too little to show.
  useListeningStore.setState({ receipt: receipt(1, 4) })
  expect(said()).toEqual(['', ''])
})
