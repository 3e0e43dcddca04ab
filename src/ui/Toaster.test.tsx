// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announce } from './announce.ts'
import { LiveRegion } from './LiveRegion.tsx'
import { toast } from './toast.ts'
import { Toaster } from './Toaster.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  act(() => void vi.runAllTimers())
  cleanup()
  vi.useRealTimers()
})

test('a toast is a status that disappears after five seconds', () => {
  render(<Toaster />)
  act(() => void toast('Saved for the train.'))
  expect(screen.getByRole('status').textContent).toBe('Saved for the train.')
  act(() => void vi.advanceTimersByTime(4_900))
  expect(screen.getByRole('status').textContent).toBe('Saved for the train.')
  act(() => void vi.advanceTimersByTime(200))
  expect(screen.getByRole('status').textContent).toBe('')
})

test('it stays while it is hovered or focused', () => {
  render(<Toaster />)
  act(() => void toast('Bookmark kept', { action: { label: 'Undo', onPress: () => undefined } }))
  const line = screen.getByText('Bookmark kept').parentElement!
  fireEvent.pointerEnter(line)
  act(() => void vi.advanceTimersByTime(20_000))
  expect(screen.queryByText('Bookmark kept')).not.toBeNull()
  fireEvent.pointerLeave(line)
  act(() => screen.getByRole('button').focus())
  act(() => void vi.advanceTimersByTime(20_000))
  expect(screen.queryByText('Bookmark kept')).not.toBeNull()
})

test('its only action runs and closes it', () => {
  const undone = vi.fn()
  render(<Toaster />)
  act(() => void toast('Bookmark kept', { action: { label: 'Undo', onPress: undone } }))
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(undone).toHaveBeenCalledOnce()
  expect(screen.queryByText('Bookmark kept')).toBeNull()
})

test('a newer toast replaces the older one, whose dismissal then does nothing', () => {
  render(<Toaster />)
  let dismissFirst = () => {}
  act(() => {
    dismissFirst = toast('First')
  })
  act(() => void toast('Second'))
  act(() => dismissFirst())
  expect(screen.getByRole('status').textContent).toBe('Second')
})

test('a message does not replace a toast with Undo: it is shown afterwards, and only the latest one', () => {
  render(<Toaster />)
  const undo = { label: 'Undo', onPress: () => undefined }
  act(() => void toast('Moved to Oranges', { action: undo, forMilliseconds: 10_000 }))
  act(() => void toast('Downloaded'))
  act(() => void toast('Picked up at 12:03'))
  expect(screen.getByRole('status').textContent).toBe('Moved to OrangesUndo')
  act(() => void vi.advanceTimersByTime(10_100))
  expect(screen.getByRole('status').textContent).toBe('Picked up at 12:03')
  act(() => void toast('Bookmark kept', { action: undo }))
  act(() => void toast('Removed', { action: undo }))
  expect(screen.getByRole('status').textContent).toBe('RemovedUndo')
})

test('an announcement is made in the region of its urgency, and the same text is announced twice', () => {
  const { container } = render(<LiveRegion />)
  const polite = container.querySelector('[aria-live=polite]')!
  const assertive = container.querySelector('[aria-live=assertive]')!
  act(() => announce('42 results'))
  const first = polite.textContent
  act(() => announce('42 results'))
  expect(first).toBe('42 results')
  expect(polite.textContent).not.toBe(first)
  expect(polite.textContent?.trim()).toBe('42 results')
  expect(assertive.textContent).toBe('')
  act(() => announce('Payment failed', 'assertive'))
  expect(assertive.textContent).toBe('Payment failed')
})
