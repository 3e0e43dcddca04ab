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

/** A book that is heard to its end. */
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
  // Neither at the end of another chapter nor long before: what the listener wants next may change.
  expect(asked).toEqual([])
  await audio.hears(1)
  expect(asked).toEqual([book.slug])
  await audio.hears(29)
  await flush()
  return { audio, engine, controls, nextUp, opened, begun, failed, session }
}
const shown = () => usePlayer.getState().nextUp?.secondsLeft

test('listening: at a book’s end the next one plays after ten seconds of silence, which are sound to a locked phone', async () => {
  const { audio, engine, opened, begun } = await atTheEnd()
  expect(engine.state().status).toBe('ended')
  expect([audio.src, audio.loop, audio.paused]).toEqual(['blob:silence', true, false])
  expect(shown()).toBe(10)
  await vi.advanceTimersByTimeAsync(9_500)
  expect([opened, shown()]).toEqual([[], 1])
  await vi.advanceTimersByTimeAsync(600)
  expect([opened, begun, shown()]).toEqual([['the-customs-house'], ['the-customs-house'], undefined])
  // Of the silence nothing is a place of the book.
  expect(engine.place()).toEqual({ chapter: 3, seconds: 40 })
})

test('listening: where a locked phone lets no timer run, the silence itself counts', async () => {
  const { audio, opened } = await atTheEnd()
  vi.setSystemTime(Date.now() + 10_000)
  audio.dispatchEvent(new Event('timeupdate'))
  await flush()
  expect(opened).toEqual(['the-customs-house'])
})

test.each(['no', 'pause', 'play again'])('listening: ten seconds to say no, by %s', async (how) => {
  const { audio, engine, controls, nextUp, opened, session } = await atTheEnd()
  // So says the lock screen.
  expect(session.playbackState).toBe('playing')
  if (how === 'no') nextUp.no()
  // A headset's or a lock screen's.
  if (how === 'pause') controls.pause()
  if (how === 'play again') engine.goTo({ chapter: 1, seconds: 0 })
  await vi.advanceTimersByTimeAsync(20_000)
  expect([opened, shown(), audio.paused]).toEqual([[], undefined, true])
  // What sounds after a jump is said by the media session itself.
  expect(session.playbackState).toBe(how === 'play again' ? 'playing' : 'paused')
  // And the book can be heard again from its start.
  engine.play()
  await flush()
  expect(audio.src).toBe(`/sound/${book.slug}/1`)
})

test.each(['play', 'toggle'] as const)(
  'listening: %s while the next one is about to begin begins it at once',
  async (press) => {
    const { controls, opened } = await atTheEnd()
    controls[press]()
    expect(opened).toEqual(['the-customs-house'])
  },
)

test('listening: who went back while it was asked what comes next hears that, and nothing follows by itself', async () => {
  let answer = () => undefined as void
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const { engine, opened } = await atTheEnd({ answered })
  engine.goTo({ chapter: 1, seconds: 0 })
  answer()
  await vi.advanceTimersByTimeAsync(20_000)
  expect([opened, shown(), engine.state().chapter]).toEqual([[], undefined, 1])
})

test('listening: a next title that does not start is said, and counts as not begun', async () => {
  const { nextUp, opened, begun, failed } = await atTheEnd({ starts: false })
  nextUp.now()
  await flush()
  const slug = 'the-customs-house'
  expect([opened, begun, failed, shown()]).toEqual([[slug], [], [slug], undefined])
})

test.each([
  ['nothing comes next', { isLast: true }],
  ['the sleep timer ends with the chapter', { stopsHere: true }],
])('listening: silence follows where %s', async (_, given) => {
  const { engine, opened } = await atTheEnd(given)
  await vi.advanceTimersByTimeAsync(20_000)
  expect([opened, shown(), engine.state().status]).toEqual([[], undefined, 'ended'])
})
