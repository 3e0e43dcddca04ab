// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useAfterPaint, useShownFirst } from './next-paint.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'requestAnimationFrame'] }))
afterEach(() => void vi.useRealTimers())

const paint = () => act(() => vi.advanceTimersByTimeAsync(100))

function control() {
  const change = vi.fn<(wanted: string) => void>()
  const view = renderHook(({ value }) => useShownFirst(value, change), { initialProps: { value: 'none' } })
  const press = (wanted: string) => act(() => view.result.current[1](wanted))
  return { ...view, change, press, shown: () => view.result.current[0] }
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
  const change = vi.fn<(wanted: string) => void>()
  const view = renderHook(({ value }) => useAfterPaint(value, change), { initialProps: { value: '' } })
  view.result.current(add('a'))
  view.result.current(add('b'))
  await paint()
  view.result.current(add('c'))
  await paint()
  expect(change.mock.calls).toEqual([['ab'], ['abc']])
  view.rerender({ value: 'abc' })
  view.rerender({ value: 'back' })
  view.result.current(add('d'))
  await paint()
  expect(change.mock.lastCall).toEqual(['backd'])
})
