import { beforeEach, describe, expect, it } from 'vitest'
import { SLEEP_HOURS, SLEEP_MINUTES, QUICK_SLEEP_MINUTES } from '#contract/player-limits.ts'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { FakeAudio, flush } from '#tests/support/fake-audio.ts'
import { createEngine } from './engine.ts'
import { createSleepTimer } from './sleep-timer.ts'

const hour = { number: 1, title: 'One', seconds: 7200, bytes: 1 }
const coda = { number: 2, title: 'Two', seconds: 100, bytes: 1 }

let audio: FakeAudio
let engine: ReturnType<typeof createEngine>
let timer: ReturnType<typeof createSleepTimer>
let now = 0

/** Advances sound and clock together. */
async function hear(seconds: number) {
  for (let heard = 0; heard < seconds; heard += 0.25) {
    now += 250
    await audio.hears(0.25)
  }
}

beforeEach(async () => {
  now = 0
  audio = new FakeAudio()
  engine = createEngine(audio.asElement(), fakePorts(), queueMicrotask)
  timer = createSleepTimer(engine, () => now)
  engine.load(aPlayable({ chapters: [hour, coda] }), undefined)
  engine.play()
  await audio.arrives(7200)
})

describe('a sleep timer for the end of the next chapter', () => {
  it('PLAY-14: plays this one to its end and stops at the end of the one after', async () => {
    engine.load(aPlayable(), { chapter: 1, seconds: 55 })
    engine.play()
    await audio.arrives(60)
    timer.start({ kind: 'nextChapter' })
    await hear(5)
    await audio.arrives(30)
    expect(engine.state()).toMatchObject({ status: 'playing', chapter: 2 })
    expect(timer.state().choice).toEqual({ kind: 'chapter' })
    await hear(30)
    expect(engine.state()).toMatchObject({ status: 'paused', chapter: 3 })
    expect(timer.state().choice).toBeUndefined()
  })
})

describe('a sleep timer in minutes', () => {
  it('PLAY-14, PLAY-20: counts down, pauses at its end, and is then off', async () => {
    timer.start({ kind: 'minutes', minutes: 15 })
    expect(timer.state()).toMatchObject({ leftSeconds: 900, fading: false })
    await hear(60)
    expect(timer.state().leftSeconds).toBe(840)
    await hear(840)
    expect(engine.state().status).toBe('paused')
    expect(timer.state().choice).toBeUndefined()
    expect(audio.volume).toBe(1)
  })

  it('is off until it is set, and notifies once per second', async () => {
    expect(timer.state()).toEqual({ choice: undefined, leftSeconds: undefined, fading: false })
    timer.start({ kind: 'minutes', minutes: 15 })
    let told = 0
    timer.subscribe(() => void (told += 1))
    await hear(3)
    expect(told).toBe(3)
    await hear(877)
    expect(timer.state()).toMatchObject({ leftSeconds: 20, fading: true })
  })

  it('goes back to where the fade began, even after earlier moves', async () => {
    timer.start({ kind: 'minutes', minutes: 15 })
    engine.goTo({ chapter: 1, seconds: 100 })
    await flush()
    await hear(900)
    expect(engine.place()).toEqual({ chapter: 1, seconds: 980 })
  })

  it('a cleared timer no longer stops at the end of the chapter', async () => {
    timer.start({ kind: 'chapter' })
    timer.clear()
    engine.goTo({ chapter: 1, seconds: 7199 })
    await flush()
    await hear(1)
    expect(engine.place().chapter).toBe(2)
    expect(engine.state().status).not.toBe('paused')
  })

  it('fades in its last 20 s only', async () => {
    timer.start({ kind: 'minutes', minutes: 15 })
    await hear(879)
    expect(audio.volume).toBe(1)
    await hear(11)
    expect(audio.volume).toBeCloseTo(0.5)
    expect(timer.state().fading).toBe(true)
  })

  it('without volume control nothing fades or rewinds, and a warning appears 20 s before', async () => {
    const silent = new FakeAudio()
    // As on iOS: any value is accepted, and 1 is read.
    Object.defineProperty(silent, 'volume', { get: () => 1, set: () => {} })
    engine = createEngine(silent.asElement(), fakePorts(), queueMicrotask)
    audio = silent
    timer = createSleepTimer(engine, () => now)
    engine.load(aPlayable({ chapters: [hour, coda] }), undefined)
    engine.play()
    await audio.arrives(7200)
    expect(engine.setsVolume).toBe(false)
    timer.start({ kind: 'minutes', minutes: 15 })
    await hear(890)
    expect(timer.state().fading).toBe(true)
    await hear(10)
    expect(engine.state().status).toBe('paused')
    expect(engine.place().seconds).toBeCloseTo(900, 0)
  })

  it('resumes where the fade began', async () => {
    timer.start({ kind: 'minutes', minutes: 15 })
    await hear(900)
    expect(engine.place().seconds).toBeCloseTo(880, 0)
  })

  it('extended in the fade, it runs the same span again at full volume', async () => {
    timer.start({ kind: 'minutes', minutes: 15 })
    await hear(890)
    timer.extend()
    expect(audio.volume).toBe(1)
    expect(timer.state()).toMatchObject({ leftSeconds: 900, fading: false })
    await hear(30)
    expect(engine.state().status).toBe('playing')
  })

  it('listening: one tap adds a quarter of an hour to what is left, and a chapter to a chapter', async () => {
    timer.start({ kind: 'minutes', minutes: 1 })
    await hear(50)
    expect(timer.state()).toMatchObject({ leftSeconds: 10, fading: true })
    timer.add()
    expect(timer.state()).toMatchObject({ leftSeconds: 910, fading: false })
    expect(audio.volume).toBe(1)
    timer.start({ kind: 'chapter' })
    timer.add()
    expect(timer.state().choice).toEqual({ kind: 'nextChapter' })
  })

  it('pauses while the book is paused', async () => {
    timer.start({ kind: 'minutes', minutes: 15 })
    await hear(60)
    engine.pause()
    now += 3_600_000
    engine.play()
    await flush()
    await hear(1)
    expect(timer.state().leftSeconds).toBe(839)
  })

  it('PLAY-20: can be cleared, also in the fade', async () => {
    timer.start({ kind: 'minutes', minutes: 15 })
    await hear(890)
    timer.clear()
    await hear(60)
    expect(engine.state().status).toBe('playing')
    expect(audio.volume).toBe(1)
  })
})

describe('a sleep timer to the end of the chapter', () => {
  it('PLAY-14: pauses there without a fade, with the next chapter waiting', async () => {
    engine.goTo({ chapter: 1, seconds: 7170 })
    await flush()
    timer.start({ kind: 'chapter' })
    await hear(29)
    expect(audio.volume).toBe(1)
    await hear(1)
    expect(engine.state().status).toBe('paused')
    expect(engine.place()).toEqual({ chapter: 2, seconds: 0 })
    expect(timer.state().choice).toBeUndefined()
  })

  it('holds one chapter only', async () => {
    engine.goTo({ chapter: 1, seconds: 7199 })
    await flush()
    timer.start({ kind: 'chapter' })
    await hear(1)
    engine.play()
    await audio.arrives(100)
    expect(engine.state().status).toBe('playing')
  })
})

it('CONST-10: hours 0 to 12, minutes 0 to 60 by 5, quick choices of 15, 30, 45 and 60', () => {
  expect([SLEEP_HOURS[0], SLEEP_HOURS.at(-1), SLEEP_HOURS.length]).toEqual([0, 12, 13])
  expect(SLEEP_MINUTES).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60])
  expect(QUICK_SLEEP_MINUTES).toEqual([15, 30, 45, 60])
})
