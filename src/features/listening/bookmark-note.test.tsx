// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { connectivity } from '#net/connectivity.ts'
import { becomeEnded, becomeUser } from '#session/store.ts'
import { BookmarkNote } from './SavedNotes.tsx'
import { useListeningStore } from './store.ts'

const NELL = { uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }
const words = () => {
  cleanup()
  return render(<BookmarkNote />).container.textContent
}

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  useListeningStore.setState(useListeningStore.getInitialState(), true)
})

test('shows pending bookmarks like pending places: offline, and after the session has ended', () => {
  becomeUser(NELL, null)
  useListeningStore.setState({ bookmarksWaiting: 2 })
  // Online it is sent immediately.
  expect(words()).toBe('')
  vi.spyOn(connectivity, 'snapshot').mockReturnValue('offline')
  expect(words()).toBe('2 changes on this device, saved as soon as there is a connection.')
  becomeEnded(NELL)
  expect(words()).toBe('2 changes on this device, saved once you log in again.')
  useListeningStore.setState({ bookmarksWaiting: 0 })
  expect(words()).toBe('')
})

test('a note refused by a full account is shown as unsaved, with advice on what to do', () => {
  becomeUser(NELL, null)
  useListeningStore.setState({ marksRefused: 1 })
  expect(words()).toBe(
    '1 note on this device only: an account holds 2,000 bookmarks and the same number of highlights. Remove one you don’t need and we’ll save it.',
  )
})
