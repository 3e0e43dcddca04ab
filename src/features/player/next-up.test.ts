// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { book, startEngine } from '#tests/support/player-engine.ts'
import { flush } from '#tests/support/fake-audio.ts'
import { withNextUp } from './listener-actions.ts'
import { playOn } from './next-up.ts'
import type { NextTitle } from './ports.ts'
import { usePlayer } from './store.ts'

const CUSTOMS: NextTitle = { slug: 'the-customs-house', title: 'The Customs House', why: 'Book 2 of 5' }

beforeEach(() => {
  vi.useFakeTimers()
  URL.createObjectURL = () => 'blob:silence'
})
afterEach(() => {
  vi.useRealTimers()
  usePlayer.setState({ nextUp: undefined })
})

async function atTheEnd({
  isLast = false,
  stopsHere = false,
  starts = true,
  answered = Promise.resolve(),
} = {}) {
  const { audio, engine } = startEngine()
  const opened: string[] = []
  const begun: string[] = []
  const session: Pick<MediaSession, 'playbackState'> = { playbackState: 'none' }
  const failed: string[] = []
  const asked: string[] = []
  const nextUp = playOn({
    engine,
    port: {
      after: async (slug) => {
        asked.push(slug)
        await answered
        return isLast ? undefined : CUSTOMS
      },
      begun: ({ slug }) => void begun.push(slug),
      failed: ({ slug }) => void failed.push(slug),
    },
    async open(slug) {
      opened.push(slug)
      if (!starts) throw new Error('It is not here.')
    },
    stopsHere: () => stopsHere,
    nowMs: () => Date.now(),
    say: () => undefined,
    session,
  })
  const controls = withNextUp(nextUp, engine)
  engine.load(book, { chapter: 2, seconds: 20 })
  engine.play()
  await audio.arrives(30)
  await audio.hears(5)
  engine.goTo({ chapter: 3, seconds: 5 })
  await audio.arrives(40)
  await audio.hears(5)
  // Not at the end of an earlier chapter, and not long before: the listener may still change what comes next.
  expect(asked).toEqual([])
  await audio.hears(1)
  expect(asked).toEqual([book.slug])
  await audio.hears(29)
  await flush()
  return { audio, engine, controls, nextUp, opened, begun, failed, session }
}
const shown = () => usePlayer.getState().nextUp?.secondsLeft

test('listening: ten seconds after a book ends the next one plays; silent audio keeps a locked phone awake', async () => {
  const { audio, engine, opened, begun } = await atTheEnd()
  expect(engine.state().status).toBe('ended')
  expect([audio.src, audio.loop, audio.paused]).toEqual(['blob:silence', true, false])
  expect(shown()).toBe(10)
  await vi.advanceTimersByTimeAsync(9_500)
  expect([opened, shown()]).toEqual([[], 1])
  await vi.advanceTimersByTimeAsync(600)
  expect([opened, begun, shown()]).toEqual([['the-customs-house'], ['the-customs-house'], undefined])
  // The silence does not move the place.
  expect(engine.place()).toEqual({ chapter: 3, seconds: 40 })
})

test('listening: progress of the silent audio counts down where a locked phone suspends timers', async () => {
  const { audio, opened } = await atTheEnd()
  vi.setSystemTime(Date.now() + 10_000)
  audio.dispatchEvent(new Event('timeupdate'))
  await flush()
  expect(opened).toEqual(['the-customs-house'])
})

test.each(['no', 'pause', 'play again'])(
  'listening: the listener can decline for ten seconds, by %s',
  async (how) => {
    const { audio, engine, controls, nextUp, opened, session } = await atTheEnd()
    expect(session.playbackState).toBe('playing')
    if (how === 'no') nextUp.no()
    // From a headset or the lock screen.
    if (how === 'pause') controls.pause()
    if (how === 'play again') engine.goTo({ chapter: 1, seconds: 0 })
    await vi.advanceTimersByTimeAsync(20_000)
    expect([opened, shown(), audio.paused]).toEqual([[], undefined, true])
    // After a jump the media session sets this itself.
    expect(session.playbackState).toBe(how === 'play again' ? 'playing' : 'paused')
    // The book can be played again from its start.
    engine.play()
    await flush()
    expect(audio.src).toBe(`/sound/${book.slug}/1`)
  },
)

test.each(['play', 'toggle'] as const)(
  'listening: %s during the countdown starts the next one at once',
  async (press) => {
    const { controls, opened } = await atTheEnd()
    controls[press]()
    expect(opened).toEqual(['the-customs-house'])
  },
)

test('listening: a jump back while the next title is requested cancels the next title', async () => {
  let answer = () => undefined as void
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const { engine, opened } = await atTheEnd({ answered })
  engine.goTo({ chapter: 1, seconds: 0 })
  answer()
  await vi.advanceTimersByTimeAsync(20_000)
  expect([opened, shown(), engine.state().chapter]).toEqual([[], undefined, 1])
})

test('listening: reports a next title that fails to start, and does not count it as started', async () => {
  const { nextUp, opened, begun, failed } = await atTheEnd({ starts: false })
  nextUp.now()
  await flush()
  const slug = 'the-customs-house'
  expect([opened, begun, failed, shown()]).toEqual([[slug], [], [slug], undefined])
})

test.each([
  ['nothing comes next', { isLast: true }],
  ['the sleep timer ends with the chapter', { stopsHere: true }],
])('listening: plays nothing next if %s', async (_, given) => {
  const { engine, opened } = await atTheEnd(given)
  await vi.advanceTimersByTimeAsync(20_000)
  expect([opened, shown(), engine.state().status]).toEqual([[], undefined, 'ended'])
})
