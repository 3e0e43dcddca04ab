import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { book, playingEngine, startEngine } from '#tests/support/player-engine.ts'
import { FakeAudio, flush } from '#tests/support/fake-audio.ts'
import { createEngine } from './engine.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('requesting addresses', () => {
  it('accepts a known address first, and requests a fresh one where there was none', async () => {
    const { engine, ports } = startEngine()
    ports.absent.add(1)
    engine.load(book, undefined)
    expect(ports.asked).toEqual([['the-salt-ledger', 1, false]])
    engine.play()
    expect(ports.asked.at(-1)).toEqual(['the-salt-ledger', 1, true])
    const before = ports.asked.length
    engine.goTo({ chapter: 1, seconds: 30 })
    expect(ports.asked.slice(before)).toEqual([['the-salt-ledger', 1, true]])
  })

  it('requests the next chapter again twenty seconds before the end, once in every chapter', async () => {
    const { audio, ports } = await playingEngine()
    const asked = (chapter: number) => ports.asked.filter(([, number]) => number === chapter).length
    await audio.hears(39.75)
    const second = asked(2)
    await audio.hears(0.25)
    expect(asked(2)).toBe(second + 1)
    await audio.hears(20)
    expect(asked(2)).toBe(second + 1)
    await audio.arrives(30)
    await audio.hears(9)
    const third = asked(3)
    await audio.hears(5)
    expect(asked(3)).toBe(third + 1)
  })

  it('drops the answer for a book that has been turned off', async () => {
    const answers: ((sound: { url: string; stored: boolean }) => void)[] = []
    const audio = new FakeAudio()
    const engine = createEngine(
      audio.asElement(),
      fakePorts({ soundFor: () => new Promise((resolve) => answers.push(resolve)) }),
      queueMicrotask,
    )
    engine.load(book, undefined)
    engine.turnOff()
    engine.load(aPlayable({ slug: 'ferry' }), undefined)
    answers[0]!({ url: '/of-the-first', stored: true })
    await flush()
    expect(audio.sources).toEqual([])
    // A player that is off reports no wait.
    vi.advanceTimersByTime(1_000)
    expect(engine.state().status).toBe('paused')
    answers[1]!({ url: '/of-the-second', stored: true })
    await flush()
    expect(audio.sources).toEqual(['/of-the-second'])
    expect(engine.state().stored).toBe(true)
  })

  it('reports a wait once, however often it retries', async () => {
    const { engine, ports } = startEngine()
    const waiting = vi.fn()
    engine.on('waiting', waiting)
    ports.absent.add(1)
    engine.load(book, undefined)
    engine.play()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(waiting).toHaveBeenCalledOnce()
  })

  it('reports a source that fails after a failed seek', async () => {
    const { audio, engine, kinds } = await playingEngine()
    audio.deaf = true
    engine.goTo({ chapter: 1, seconds: 40 })
    await flush()
    expect(kinds()).not.toContain('error')
    await audio.breaks()
    expect(kinds()).toContain('error')
  })
})

describe('skipping ahead', () => {
  it('moves a playing chapter forward to a second that is already here, which is no seek', async () => {
    const { audio, engine, kinds } = await playingEngine()
    audio.bufferedTo = 30
    engine.skipTo(30.5)
    expect(engine.place().seconds).toBe(0)
    engine.skipTo(30)
    await flush()
    expect([engine.place().seconds, audio.currentTime]).toEqual([30, 30])
    engine.skipTo(30)
    expect(audio.seeking).toBe(false)
    engine.skipTo(20)
    expect(engine.place().seconds).toBe(30)
    expect(kinds()).not.toContain('seek')
  })

  it('leaves a paused chapter where it is', async () => {
    const { engine } = await playingEngine()
    engine.pause()
    engine.skipTo(30)
    expect(engine.place().seconds).toBe(0)
  })
})

it('drops the address of an earlier chapter that arrives while silent audio plays', async () => {
  let answer: ((sound: { url: string; stored: boolean }) => void) | undefined
  const audio = new FakeAudio()
  const soundFor = (_title: unknown, chapter: number) =>
    chapter === 2
      ? new Promise<{ url: string; stored: boolean }>((resolve) => (answer = resolve))
      : { url: `/sound/${chapter}`, stored: false }
  const engine = createEngine(audio.asElement(), fakePorts({ soundFor }), queueMicrotask)
  engine.load(book, { chapter: 2, seconds: 5 })
  engine.goTo({ chapter: 3, seconds: 39 })
  engine.rest('blob:silence', () => undefined)
  answer!({ url: '/sound/2', stored: false })
  await flush()
  expect(audio.src).toBe('blob:silence')
})

describe('lengths', () => {
  it('uses the length from the list until the element has measured its own', async () => {
    const { audio, engine } = startEngine()
    expect(engine.duration()).toBe(0)
    engine.load(book, { chapter: 1, seconds: 50 })
    expect(engine.duration()).toBe(60)
    engine.jump(15)
    expect(engine.place()).toEqual({ chapter: 2, seconds: 5 })
    engine.load(book, { chapter: 1, seconds: 50 })
    await audio.arrives(58)
    expect(engine.duration()).toBe(58)
    engine.jump(15)
    expect(engine.place()).toEqual({ chapter: 2, seconds: 7 })
  })

  it('a recording of unknown length is not finished', () => {
    const { engine, kinds } = startEngine()
    const [first] = book.chapters
    engine.load(aPlayable({ kind: 'recording', chapters: [{ ...first!, seconds: 0 }] }), undefined)
    engine.play()
    expect(kinds()).toEqual(['chapterStart', 'play'])
  })

  it('play at the very end of a chapter starts the next one', async () => {
    const { audio, engine } = startEngine()
    engine.load(book, { chapter: 1, seconds: 60 })
    await audio.arrives(60)
    engine.play()
    expect(engine.place()).toEqual({ chapter: 2, seconds: 0 })
  })
})

describe('places from other devices', () => {
  it('a paused book moves to its place on another device, as if opened there', async () => {
    const { audio, engine, kinds } = startEngine()
    const opened = vi.fn()
    engine.load(book, undefined)
    await audio.arrives(60)
    engine.on('load', opened)
    engine.stand({ chapter: 1, seconds: 20 })
    expect(engine.place()).toEqual({ chapter: 1, seconds: 20 })
    engine.stand({ chapter: 2, seconds: 10 })
    expect(engine.place()).toEqual({ chapter: 2, seconds: 10 })
    expect(opened.mock.calls.map(([{ chapter, seconds }]) => [chapter, seconds])).toEqual([
      [1, 20],
      [2, 10],
    ])
    expect(engine.state().status).toBe('paused')
    expect(kinds()).toEqual(['chapterStart'])
  })

  it('does not move a playing book or an empty player', async () => {
    const { engine } = await playingEngine({ chapter: 1, seconds: 10 })
    engine.stand({ chapter: 2, seconds: 10 })
    expect(engine.place()).toEqual({ chapter: 1, seconds: 10 })
    engine.turnOff()
    engine.stand({ chapter: 2, seconds: 10 })
    expect(engine.state()).toMatchObject({ status: 'off', chapter: 0 })
  })
})

describe('loading another book', () => {
  it('resets the state of the previous book and starts at its first chapter', async () => {
    const { engine, ports } = await playingEngine({ chapter: 3, seconds: 5 })
    ports.loseSound()
    const told: [number, boolean, boolean][] = []
    ports.absent.add(1)
    engine.on('change', ({ chapter, stored, wentElsewhere }) => told.push([chapter, stored, wentElsewhere]))
    engine.load(aPlayable({ slug: 'ferry' }), undefined)
    expect(told.length).toBeGreaterThan(0)
    for (const each of told) expect(each).toEqual([1, false, false])
  })

  it('claims the sound once, however often play is pressed', () => {
    const claimSound = vi.fn(() => () => undefined)
    const engine = createEngine(new FakeAudio().asElement(), fakePorts({ claimSound }), queueMicrotask)
    engine.load(book, undefined)
    engine.play()
    engine.play()
    expect(claimSound).toHaveBeenCalledOnce()
  })
})

it.each([
  ['at five seconds the chapter before', { chapter: 2, seconds: 5 }, 1],
  ['later the beginning of this one', { chapter: 2, seconds: 5.25 }, 2],
  ['in the first chapter its beginning', { chapter: 1, seconds: 2 }, 1],
])('previous is %s', (_which, at, chapter) => {
  const { engine } = startEngine()
  engine.load(book, at)
  engine.previousChapter()
  expect(engine.place()).toEqual({ chapter, seconds: 0 })
})

it.each([
  [0.8, 0.5, 0.4],
  [2, 1, 1],
  [-1, 1, 0],
  [0.8, 3, 0.8],
  [0.8, -1, 0],
])('a volume of %d, faded to %d, is %d', (volume, share, sounds) => {
  const { audio, engine } = startEngine()
  engine.setFade(share)
  engine.setVolume(volume)
  expect(audio.volume).toBeCloseTo(sounds)
})
