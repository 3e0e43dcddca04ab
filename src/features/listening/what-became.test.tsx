// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectivity } from '#net/connectivity.ts'
import { becomeEnded, becomeUser } from '#session/store.ts'
import { PlaceNote, Receipt } from './SavedNotes.tsx'
import { useListeningStore } from './store.ts'

const NOW = Date.parse('2026-11-21T08:50:00Z')
const NELL = { uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }
const words = (part: React.ReactElement) => {
  cleanup()
  return render(part).container.textContent
}

beforeEach(() => useListeningStore.setState(useListeningStore.getInitialState(), true))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('pending places are saved with the next connection, or the next login after the session ended', () => {
  useListeningStore.setState({ waiting: 2 })
  becomeUser(NELL, null)
  const online = vi.spyOn(connectivity, 'snapshot').mockReturnValue('offline')
  expect(words(<Receipt nowMs={NOW} />)).toContain('saved as soon as there is a connection.')
  online.mockReturnValue('online')
  becomeEnded(NELL)
  expect(words(<Receipt nowMs={NOW} />)).toContain('saved once you log in again.')
})

test('the player shows a pending place, and for ten minutes a late save', () => {
  const online = vi.spyOn(connectivity, 'snapshot').mockReturnValue('offline')
  useListeningStore.setState({ waiting: 1 })
  expect(words(<PlaceNote slug="salt" nowMs={NOW} />)).toBe('Your place is kept here until you’re online')

  online.mockReturnValue('online')
  const savedAtMs = NOW - 60_000
  const receipt = { slugs: ['salt'], listenedSeconds: 840, heardFromMs: NOW - 3_600_000, savedAtMs }
  useListeningStore.setState({ waiting: 0, receipt })
  expect(words(<PlaceNote slug="salt" nowMs={NOW} />)).toBe('Saved')
  expect(words(<PlaceNote slug="another" nowMs={NOW} />)).toBe('')
  expect(words(<PlaceNote slug="salt" nowMs={savedAtMs + 601_000} />)).toBe('')
})
