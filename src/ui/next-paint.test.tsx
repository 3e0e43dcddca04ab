// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usePresses, useShown } from './next-paint.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'requestAnimationFrame'] }))
afterEach(() => void vi.useRealTimers())

const paint = () => act(() => vi.advanceTimersByTimeAsync(100))

function control(initial = 'none') {
  const change = vi.fn<(wanted: string) => void>()
  const hook = ({ value }: { value: string }) => {
    const presses = usePresses(value, change)
    return { presses, shown: useShown(value, presses) }
  }
  const view = renderHook(hook, { initialProps: { value: initial } })
  const step = (next: (value: string) => string) => act(() => view.result.current.presses.press(next))
  const press = (wanted: string) => step(() => wanted)
  return { ...view, change, press, step, shown: () => view.result.current.shown }
}

test('a press shows at once and changes the value after the next paint', async () => {
  const { change, press, shown } = control()
  press('quiet')
  expect([shown(), change.mock.calls]).toEqual(['quiet', []])
  await paint()
  expect([shown(), change.mock.calls]).toEqual(['quiet', [['quiet']]])
})

test('of two presses within a frame only the last changes the value', async () => {
  const { change, press, shown } = control()
  press('quiet')
  press('quiet, loud')
  await paint()
  expect([shown(), change.mock.calls]).toEqual(['quiet, loud', [['quiet, loud']]])
})

test('a new value from elsewhere, such as Back, replaces what was pressed', async () => {
  const { press, shown, rerender } = control()
  press('quiet')
  await paint()
  rerender({ value: 'quiet' })
  rerender({ value: 'loud' })
  expect(shown()).toBe('loud')
})

test('a control that is gone before the paint changes nothing', async () => {
  const { change, press, unmount } = control()
  press('quiet')
  unmount()
  await paint()
  expect(change).not.toHaveBeenCalled()
})

const add = (letter: string) => (value: string) => value + letter

test('presses within a frame, and those while the page of an earlier one still loads, are all made', async () => {
  const { change, step, shown, rerender } = control('')
  step(add('a'))
  step(add('b'))
  await paint()
  step(add('c'))
  await paint()
  expect([shown(), change.mock.calls]).toEqual(['abc', [['ab'], ['abc']]])
  rerender({ value: 'abc' })
  rerender({ value: 'back' })
  step(add('d'))
  await paint()
  expect([shown(), change.mock.lastCall]).toEqual(['backd', ['backd']])
})

test('a press that takes back one whose page still loads shows at once and stays', async () => {
  const { change, press, shown } = control()
  press('quiet')
  await paint()
  press('none')
  expect(shown()).toBe('none')
  await paint()
  expect([shown(), change.mock.lastCall]).toEqual(['none', ['none']])
})
