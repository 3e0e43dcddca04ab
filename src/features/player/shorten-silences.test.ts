// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeAudio, flush } from '#tests/support/fake-audio.ts'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { changePlayerSettings } from './settings.ts'
import { cutsOf, skippedAfter, skippedSeconds } from './shorten-silences.ts'
import { startPlayer } from './start.ts'
import { usePlayer } from './store.ts'

const CHAPTERS = [
  { number: 1, title: 'One', seconds: 60, bytes: 1 },
  { number: 2, title: 'Two', seconds: 60, bytes: 1 },
]
/** In hundredths of a second: a pause of 0.4 s, one of 0.7 s, and one of 3 s. */
const SILENCES = new Map([
  [
    1,
    [
      { start: 200, end: 240 },
      { start: 500, end: 570 },
      { start: 1000, end: 1300 },
    ],
  ],
  [2, [{ start: 100, end: 400 }]],
])
const near = (seconds: number) => expect.closeTo(seconds, 5)

beforeEach(() => {
  vi.useFakeTimers()
  changePlayerSettings({ silences: 'gentle' })
})
afterEach(() => {
  changePlayerSettings({ silences: 'off' })
  usePlayer.setState(usePlayer.getInitialState(), true)
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function listening(silences = vi.fn(async () => SILENCES as typeof SILENCES | undefined)) {
  const audio = new FakeAudio()
  const { engine } = startPlayer(fakePorts({ silences }), () => undefined, audio.asElement())
  engine.load(aPlayable({ chapters: CHAPTERS }), undefined)
  await flush()
  engine.play()
  await audio.arrives(60)
  return { audio, engine, silences }
}

test('in step: gentle shortens only long silences, brisk also short ones, and a pause always stays', () => {
  expect(cutsOf(SILENCES, 'off').size).toBe(0)
  expect(cutsOf(SILENCES, 'gentle').get(1)).toEqual([{ from: near(10.3), to: near(12.7) }])
  // Exactly the longest silence that stays.
  expect(cutsOf(new Map([[1, [{ start: 0, end: 50 }]]]), 'brisk').get(1)).toEqual([])
  expect(cutsOf(SILENCES, 'brisk').get(1)).toEqual([
    { from: near(5.15), to: near(5.55) },
    { from: near(10.15), to: near(12.85) },
  ])
})

test('in step: the remaining time leaves out what will be skipped of the silences', () => {
  const cuts = cutsOf(SILENCES, 'gentle')
  expect(skippedSeconds(cuts)).toBeCloseTo(4.8)
  expect(skippedSeconds(cuts, 1, 11.7)).toBeCloseTo(1)
  expect(skippedAfter(cuts, CHAPTERS, { chapter: 1, seconds: 20 })).toBeCloseTo(2.4)
  expect(skippedAfter(cuts, CHAPTERS, { chapter: 2, seconds: 60 })).toBe(0)
})

test('in step: the middle of a silence is skipped at its beginning, although ticks are rare', async () => {
  const { audio, engine } = await listening()
  await audio.hears(10.25)
  expect(engine.place().seconds).toBe(10.25)
  await vi.advanceTimersByTimeAsync(50)
  await flush()
  expect(audio.currentTime).toBeCloseTo(12.7)
  expect(engine.state().status).toBe('playing')
})

test('in step: at double speed a silence is reached in half the time', async () => {
  const { audio, engine } = await listening()
  engine.setSpeed(2)
  await audio.hears(10.25)
  await vi.advanceTimersByTimeAsync(20)
  expect(engine.place().seconds).toBe(10.25)
  await vi.advanceTimersByTimeAsync(10)
  expect(audio.currentTime).toBeCloseTo(12.7)
})

test('in step: while the app is in the background, where timers are late, a tick skips the silence, once', async () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const { audio, engine } = await listening()
  document.dispatchEvent(new Event('visibilitychange'))
  await audio.hears(10.25)
  await audio.hears(0.25)
  expect(audio.currentTime).toBeCloseTo(12.7)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(audio.currentTime).toBeCloseTo(12.7)
  expect(engine.state().status).toBe('playing')
})

test('in step: a silence in which the listener arrives by a jump is skipped, too', async () => {
  const { audio, engine } = await listening()
  engine.goTo({ chapter: 1, seconds: 11 })
  await flush()
  await audio.hears(0.25)
  expect(audio.currentTime).toBeCloseTo(12.7)
})

test('in step: skipping silence is no seek, so nothing offers to undo it', async () => {
  const { audio, engine } = await listening()
  const seeks = vi.fn()
  engine.on('seek', seeks)
  await audio.hears(10.5)
  expect(audio.currentTime).toBeGreaterThan(12)
  expect(seeks).not.toHaveBeenCalled()
  expect(usePlayer.getState().jumpedFrom).toBeUndefined()
})

test('in step: a pause just before a silence stays where it is', async () => {
  const { audio, engine } = await listening()
  await audio.hears(10.25)
  engine.pause()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(audio.currentTime).toBe(10.25)
})

test('in step: sound that hasn’t been loaded yet is not skipped to', async () => {
  const { audio } = await listening()
  audio.bufferedTo = 12
  await audio.hears(10.5)
  expect(audio.currentTime).toBe(10.5)
})

test('in step: silences are fetched only with the setting on, and a change of it takes effect at once', async () => {
  changePlayerSettings({ silences: 'off' })
  const { audio, silences } = await listening()
  await audio.hears(11)
  expect(silences).not.toHaveBeenCalled()
  expect(audio.currentTime).toBe(11)
  changePlayerSettings({ silences: 'brisk' })
  await flush()
  await audio.hears(0.25)
  expect(audio.currentTime).toBeCloseTo(12.85)
})

test('in step: a book that wasn’t analysed plays with all its silences', async () => {
  const { audio } = await listening(vi.fn(async () => undefined))
  await audio.hears(11)
  expect(audio.currentTime).toBe(11)
  expect(usePlayer.getState().cuts).toBeUndefined()
})
