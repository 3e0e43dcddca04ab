import { expect, test, vi } from 'vitest'
import { createEmitter, createNotifiedState } from './emitter.ts'

test('a listener receives the events of its kind until it unsubscribes', () => {
  const { on, emit } = createEmitter<{ tick: number; end: string }>()
  const [tick, end] = [vi.fn(), vi.fn()]
  emit('tick', 1)
  const stop = on('tick', tick)
  on('tick', end)
  emit('tick', 2)
  stop()
  emit('tick', 3)
  emit('end', 'over')
  expect([tick.mock.calls, end.mock.calls]).toEqual([[[2]], [[2], [3]]])
})

test('a state notifies once of each change, and not of a value that stays the same', () => {
  const told = vi.fn()
  const { change, notify, read } = createNotifiedState({ chapter: 1, speed: 1 }, told)
  change({ chapter: 1 })
  expect(told).not.toHaveBeenCalled()
  change({ chapter: 2, speed: 1 })
  notify()
  expect(told.mock.calls).toEqual([[{ chapter: 2, speed: 1 }]])
  expect(read()).toEqual({ chapter: 2, speed: 1 })
})

test('a quiet change is notified of afterwards, together with the next one', () => {
  const told = vi.fn()
  const { change, notify, quietly } = createNotifiedState({ chapter: 1, speed: 1 }, told)
  quietly(() => change({ chapter: 2 }))
  expect(told).not.toHaveBeenCalled()
  change({ speed: 2 })
  notify()
  expect(told.mock.calls).toEqual([[{ chapter: 2, speed: 2 }]])
})
