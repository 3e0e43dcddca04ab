// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stagePlayer } from '#tests/support/player-screen.tsx'
import { usePlayer } from './store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const back = () => usePlayer.getState().jumpedFrom
/** Chapters of 600, 300 and 400 s, playing at 100 s. */
async function listening() {
  const staged = await stagePlayer({
    chapters: [600, 300, 400].map((seconds, at) => ({ number: at + 1, title: '', seconds, bytes: 1 })),
  })
  await staged.audio.arrives(600)
  staged.engine.goTo({ chapter: 1, seconds: 100 })
  return { ...staged, controls: usePlayer.getState().controls! }
}
const FAR = 100 + 30

test.each([
  ['half a minute on', { chapter: 1, seconds: FAR }, undefined],
  ['further on', { chapter: 1, seconds: FAR + 1 }, { chapter: 1, seconds: 100 }],
  ['half a minute back', { chapter: 1, seconds: 70 }, undefined],
  ['further back', { chapter: 1, seconds: 69 }, { chapter: 1, seconds: 100 }],
  ['to the next chapter', { chapter: 2, seconds: 0 }, { chapter: 1, seconds: 100 }],
  ['to the same second of the next chapter', { chapter: 2, seconds: 100 }, { chapter: 1, seconds: 100 }],
] as const)('a move %s', async (_what, to, offered) => {
  const { controls } = await listening()
  controls.goTo(to)
  expect(back()).toEqual(offered)
})

test('several moves lead back to the start of the first, for 10 s after the last', async () => {
  const { controls } = await listening()
  controls.goTo({ chapter: 2, seconds: 10 })
  await vi.advanceTimersByTimeAsync(9_000)
  controls.goTo({ chapter: 3, seconds: 10 })
  await vi.advanceTimersByTimeAsync(9_999)
  expect(back()).toEqual({ chapter: 1, seconds: 100 })
  await vi.advanceTimersByTimeAsync(1)
  expect(back()).toBeUndefined()
})

test('the offer ends after returning by hand, opening another book or turning it off', async () => {
  const { controls, engine } = await listening()
  controls.goTo({ chapter: 2, seconds: 10 })
  controls.goTo({ chapter: 1, seconds: 110 })
  expect(back()).toBeUndefined()
  controls.goTo({ chapter: 2, seconds: 10 })
  engine.turnOff()
  expect(back()).toBeUndefined()
})
