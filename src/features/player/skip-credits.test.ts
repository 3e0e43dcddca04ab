// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeAudio, flush } from '#tests/support/fake-audio.ts'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { currentToast, dismissToast } from '#ui/toast.ts'
import { changePlayerSettings } from './settings.ts'
import { startPlayer } from './start.ts'
import { usePlayer } from './store.ts'

beforeEach(() => changePlayerSettings({ skipsCredits: true }))
afterEach(() => {
  changePlayerSettings({ skipsCredits: false })
  dismissToast(currentToast()?.id ?? 0)
  usePlayer.setState(usePlayer.getInitialState(), true)
})

async function opened(seconds: number, creditsEnd?: number, chapter = 0) {
  const audio = new FakeAudio()
  const port = vi.fn(async () => creditsEnd)
  const { engine } = startPlayer(fakePorts({ creditsEnd: port }), () => undefined, audio.asElement())
  const title = aPlayable({})
  engine.load(title, { chapter: title.chapters[chapter]!.number, seconds })
  await flush()
  const play = async () => {
    engine.play()
    await audio.arrives(600)
    await audio.hears(0.25)
    await flush()
  }
  return { audio, engine, port, play }
}

async function listening(...of: Parameters<typeof opened>) {
  const player = await opened(...of)
  await player.play()
  return player
}

test('in step: opening credits are skipped once, announced, and undo brings them back', async () => {
  const { audio, engine } = await listening(0, 18)
  // A quarter of a second was heard since.
  expect(engine.place().seconds).toBeCloseTo(18.25)
  expect(currentToast()?.text).toBe('Skipped the opening credits.')
  currentToast()!.action!.onPress()
  await flush()
  await audio.hears(1)
  expect(engine.place().seconds).toBeLessThan(3)
})

test('in step: credits are not skipped if the setting is off, if playback starts after them, or if their end is unknown', async () => {
  const beyond = await listening(30, 18)
  expect(beyond.engine.place().seconds).toBeLessThan(32)
  const unknown = await listening(0)
  expect(unknown.engine.place().seconds).toBeLessThan(2)
  changePlayerSettings({ skipsCredits: false })
  const { engine, port } = await listening(0, 18)
  expect([port.mock.calls.length, engine.place().seconds < 2]).toEqual([0, true])
})

test('in step: nothing is skipped in another chapter or exactly where the credits end', async () => {
  for (const [seconds, chapter] of [
    [0, 1],
    [18, 0],
  ] as const) {
    const { engine } = await listening(seconds, 18, chapter)
    expect(engine.place().seconds).toBeCloseTo(seconds + 0.25)
    expect(currentToast()).toBeUndefined()
  }
})

test('in step: the setting applies to a book that is open and does not play yet', async () => {
  const off = await opened(0, 18)
  changePlayerSettings({ skipsCredits: false })
  await off.play()
  expect(off.engine.place().seconds).toBeLessThan(2)
  const on = await opened(0, 18)
  changePlayerSettings({ skipsCredits: true })
  await flush()
  await on.play()
  expect(on.engine.place().seconds).toBeCloseTo(18.25)
})
