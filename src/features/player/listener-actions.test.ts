import { expect, test, vi } from 'vitest'
import { playingEngine } from '#tests/support/player-engine.ts'
import { flush } from '#tests/support/fake-audio.ts'
import { withSleepTimer } from './listener-actions.ts'

const sleepTimer = (fading: boolean) => ({
  ...{ start: vi.fn(), clear: vi.fn(), extend: vi.fn(), add: vi.fn(), subscribe: () => () => undefined },
  state: () => ({ choice: undefined, leftSeconds: undefined, fading }),
})

test('during the fade every press extends the sleep timer, and the sound continues', async () => {
  const { engine } = await playingEngine()
  const sleep = sleepTimer(true)
  const controls = withSleepTimer(engine, sleep)
  controls.pause()
  controls.toggle()
  expect(engine.state().status).toBe('playing')
  // The system pauses, then sends the press.
  engine.pause()
  controls.pause()
  await flush()
  expect(engine.state().status).toBe('playing')
  expect(sleep.extend).toHaveBeenCalledTimes(3)
})

test('before the fade presses have their normal effect', async () => {
  const { engine } = await playingEngine()
  const sleep = sleepTimer(false)
  const controls = withSleepTimer(engine, sleep)
  controls.pause()
  expect(engine.state().status).toBe('paused')
  controls.toggle()
  await flush()
  expect(engine.state().status).toBe('playing')
  expect(sleep.extend).not.toHaveBeenCalled()
})
