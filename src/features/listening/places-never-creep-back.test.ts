// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { FIRST_SAVE_AT_SECONDS, RESUME_REWIND_SECONDS, SAVE_EVERY_SECONDS } from '#contract/limits.ts'
import { openListening, type Listening } from './listening.ts'
import { startRecorder, type PlayerEvents, type HeardMoment, type Recorder } from './recorder.ts'
import { resumeFrom } from '#features/player/resume.ts'
import { connectivity } from '#net/connectivity.ts'
import { fc } from '#tests/support/random.ts'

/** Set while a page closes: its database requests are never executed then. */
const page = vi.hoisted(() => ({ isGoing: false }))
vi.mock('#sync/outbox.ts', async (original) => {
  const real = await original<typeof import('#sync/outbox.ts')>()
  const keepPlace: typeof real.keepPlace = (...given) =>
    page.isGoing ? new Promise(() => undefined) : real.keepPlace(...given)
  return { ...real, keepPlace }
})

const CHAPTERS = [40, 15, 60].map((seconds, at) => ({ number: at + 1, title: '', seconds, bytes: 1 }))
const TICK = 0.25
const BOOK = { slug: 'salt', kind: 'book' } as const
const secondsOf = (chapter: number) => CHAPTERS[chapter - 1]!.seconds
/** Converts a place to one number, for comparison. */
const into = ({ chapter, seconds }: { chapter: number; seconds: number }) =>
  CHAPTERS.slice(0, chapter - 1).reduce((sum, one) => sum + one.seconds, seconds)

type Step =
  | { do: 'play'; seconds: number }
  | { do: 'seek'; chapter: number; share: number }
  | { do: 'pause' | 'hide' | 'reload' | 'close' | 'kill' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('play' as const),
      seconds: fc.integer({ min: 0, max: 48 }).map((n) => n / 4),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('seek' as const),
      chapter: fc.integer({ min: 1, max: 3 }),
      share: fc.double({ min: 0, max: 0.9, noNaN: true }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'pause' as const,
        'hide' as const,
        'reload' as const,
        'close' as const,
        'kill' as const,
      ),
    }),
  },
)

/** A player without sound, with the real recorder and storage. */
class Device {
  readonly owner = crypto.randomUUID()
  #hearers = new Map<string, (moment: HeardMoment) => void>()
  #recorder!: Recorder
  #listening!: Listening
  chapter = 1
  seconds = 0

  async open() {
    page.isGoing = false
    this.#hearers.clear()
    this.#listening = await openListening(this.owner)
    const listening = this.#listening
    const ear: PlayerEvents = { on: (kind, hear) => (this.#hearers.set(kind, hear), () => undefined) }
    this.#recorder = startRecorder(ear, {
      keep: listening.keep,
      mayWrite: () => true,
      nowMs: () => performance.now(),
    })
    const start = resumeFrom(CHAPTERS, await listening.lastPlace(BOOK.slug))!
    Object.assign(this, { chapter: start.chapter, seconds: start.seconds })
    this.#say('load')
  }

  async play(seconds: number) {
    for (let heard = 0; heard < seconds; heard += TICK) {
      if (this.seconds + TICK >= secondsOf(this.chapter)) {
        if (this.chapter === CHAPTERS.length) break
        this.seconds = secondsOf(this.chapter)
        this.#say('chapterEnd')
        Object.assign(this, { chapter: this.chapter + 1, seconds: 0 })
      }
      vi.advanceTimersByTime(TICK * 1000)
      this.seconds += TICK
      this.#say('tick')
    }
    await this.#settled()
  }

  async seek(chapter: number, share: number) {
    vi.advanceTimersByTime(100)
    Object.assign(this, { chapter, seconds: share * secondsOf(chapter) })
    this.#say('seek')
    await this.#settled()
  }

  async pause() {
    vi.advanceTimersByTime(100)
    this.#say('pause')
    await this.#settled()
  }

  async hide() {
    this.#recorder.hide()
    this.#listening.leave('hidden')
    await this.#settled()
  }

  go() {
    page.isGoing = true
    this.#recorder.hide()
    this.#listening.leave('going')
    this.#end()
  }

  kill() {
    page.isGoing = true
    this.#end()
  }

  #end() {
    this.#recorder.stop()
    this.#listening.stop()
    vi.advanceTimersByTime(1_000)
  }

  #say(kind: string) {
    this.#hearers.get(kind)?.({ title: BOOK, chapter: this.chapter, seconds: this.seconds })
  }

  /** Waits until places are written, as in a page that stays open. */
  #settled = () => this.#listening.sendNow()
}

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  connectivity.lost()
  // Stop its own network checks too.
  connectivity.stop()
})
afterAll(() => void vi.useRealTimers())

test('PLAY-06: no sequence of opening, playing, moving, hiding, reloading, closing and killing moves a place back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const device = new Device()
      await device.open()
      /** The start of this listening session, and the last place heard. */
      let began = into(device)
      let ear = began

      const comesBack = async (forgottenAtMost: number) => {
        await device.open()
        const resumed = into(device)
        const lastHeard = ear - RESUME_REWIND_SECONDS - forgottenAtMost
        expect(resumed).toBeGreaterThanOrEqual(Math.max(began, lastHeard) - 0.001)
        expect(resumed).toBeLessThanOrEqual(ear + 0.001)
        began = resumed
        ear = resumed
      }

      /** Opens it again without playing. */
      const opensAgainAtTheSame = async () => {
        device.go()
        const before = into(device)
        await device.open()
        expect(into(device)).toBe(before)
      }

      for (const one of steps) {
        if (one.do === 'play') {
          await device.play(one.seconds)
          ear = into(device)
        } else if (one.do === 'seek') {
          await device.seek(one.chapter, one.share)
          began = ear = into(device)
        } else if (one.do === 'pause') await device.pause()
        else if (one.do === 'hide') await device.hide()
        else if (one.do === 'kill') {
          device.kill()
          await comesBack(SAVE_EVERY_SECONDS + FIRST_SAVE_AT_SECONDS)
        } else {
          device.go()
          await comesBack(1)
          await opensAgainAtTheSame()
        }
      }
      device.kill()
    }),
    { numRuns: process.env.LONG ? 400 : 40 },
  )
}, 120_000)
