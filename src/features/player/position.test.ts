// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { playingEngine } from '#tests/support/an-engine.ts'
import { followPosition, readPosition, usePosition } from './position.ts'

test('a place is shown as it moves, and is the same object while it stands', async () => {
  const { audio, engine } = await playingEngine()
  followPosition(engine)
  let draws = 0
  const { result } = renderHook(() => {
    draws += 1
    return usePosition()
  })
  await act(() => audio.hears(1))
  expect(result.current).toMatchObject({ chapter: 1, seconds: 1, duration: 60 })
  const [before, drawn] = [readPosition(), draws]
  act(() => engine.pause())
  expect(readPosition()).toBe(before)
  expect(draws).toBe(drawn)
})
