// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetToasts } from '#ui/toast.ts'
import { toast } from '#ui/toast.ts'
import { RecentNotices } from './DevicePanels.tsx'

beforeEach(() => vi.useFakeTimers({ now: new Date(2026, 10, 22, 8, 42) }))
afterEach(() => {
  forgetToasts()
  cleanup()
  vi.useRealTimers()
})

const said = () => screen.queryAllByRole('listitem').map((line) => line.textContent)

test('a notice that has gone can be read again, the newest first, also one that gave way unseen', () => {
  render(<RecentNotices />)
  expect(screen.getByText(/^Nothing yet\./)).toBeTruthy()
  const undo = { label: 'Undo', onPress: () => undefined }
  act(() => toast('Moved to Oranges', { action: undo })())
  act(() => void toast('Bookmark removed.', { action: undo }))
  act(() => void toast('Downloaded'))
  act(() => void toast('Picked up at 12:03'))
  expect(said()).toEqual([
    'Picked up at 12:03 08:42',
    'Downloaded 08:42',
    'Bookmark removed. 08:42',
    'Moved to Oranges 08:42',
  ])
})

test('twenty are kept, and none for the next person', () => {
  for (let count = 1; count <= 25; count += 1) toast(`Notice ${count}`)
  render(<RecentNotices />)
  expect([said().length, said()[0], said().at(-1)]).toEqual([20, 'Notice 25 08:42', 'Notice 6 08:42'])
  act(forgetToasts)
  expect(said()).toEqual([])
})
