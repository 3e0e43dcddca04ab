import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeAudio, flush, named } from '#tests/support/fake-audio.ts'
import { aPlayable, fakePorts } from '#tests/support/a-playable.ts'
import { createEngine } from './engine.ts'
import type { EngineEvents } from './engine-events.ts'

function start() {
  const audio = new FakeAudio()
  const ports = fakePorts()
  const engine = createEngine(audio.asElement(), ports, queueMicrotask)
  const heard: [keyof EngineEvents, number, number][] = []
  for (const kind of [
    'tick',
    'play',
    'pause',
    'seek',
    'chapterStart',
    'chapterEnd',
    'error',
    'ended',
  ] as const) {
    engine.on(kind, (event) => heard.push([kind, event.chapter, event.seconds]))
  }
  const kinds = () => heard.map(([kind]) => kind).filter((kind) => kind !== 'tick')
  return { audio, ports, engine, heard, kinds }
}

/** Chapters of 60, 30 and 40 s. */
const book = aPlayable()

async function playing(at?: { chapter: number; seconds: number }) {
  const all = start()
  all.engine.load(book, at)
  all.engine.play()
  await all.audio.arrives(60)
  return all
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('playing', () => {
  it('loads paused, then plays from the place and ticks four times a second', async () => {
    const { audio, engine, heard } = start()
    engine.load(book, { chapter: 1, seconds: 20 })
    expect(audio.src).toBe('/sound/the-salt-ledger/1')
    expect(audio.playCalls).toBe(0)
    await audio.arrives(60)
    expect(audio.currentTime).toBe(20)

    engine.play()
    await flush()
    await audio.hears(1)
    expect(engine.state().status).toBe('playing')
    expect(heard.filter(([kind]) => kind === 'tick').map(([, , seconds]) => seconds)).toEqual([
      20.25, 20.5, 20.75, 21,
    ])
  })

  it('PLAY-16: without a chapter the element is never asked to play', () => {
    const { audio, engine, kinds } = start()
    engine.load(aPlayable({ chapters: [] }), undefined)
    engine.play()
    engine.toggle()
    engine.jump(15)
    expect(audio.playCalls).toBe(0)
    expect(audio.sources).toEqual([])
    expect(engine.state().status).toBe('paused')
    expect(kinds()).toEqual([])
  })

  it('pauses when a headset is pulled, and says so once', async () => {
    const { audio, engine, kinds } = await playing()
    await audio.isInterrupted()
    expect(engine.state().status).toBe('paused')
    expect(kinds()).toEqual(['chapterStart', 'play', 'pause'])
  })

  it('trap 21: gives way when another tab takes the sound', async () => {
    const { engine, ports } = await playing()
    ports.loseSound()
    expect(engine.state()).toMatchObject({ status: 'paused', wentElsewhere: true })
    engine.play()
    expect(engine.state().wentElsewhere).toBe(false)
  })

  it('trap 8: a refused play gets source and place again, once', async () => {
    const { audio, engine } = start()
    engine.load(book, { chapter: 1, seconds: 20 })
    await audio.arrives(60)
    audio.refusals.push(named('InvalidStateError'))
    engine.play()
    await flush()
    expect(audio.sources).toEqual(['/sound/the-salt-ledger/1', '/sound/the-salt-ledger/1'])
    await audio.arrives(60)
    expect(audio.currentTime).toBe(20)
    expect(engine.state().status).toBe('playing')
  })

  it('stays paused where the browser allows no sound without a press', async () => {
    const { audio, engine } = start()
    audio.refusals.push(named('NotAllowedError'), named('NotAllowedError'))
    engine.load(book, undefined)
    engine.play()
    await flush()
    expect(engine.state().status).toBe('paused')
    expect(audio.playCalls).toBe(2)
  })

  it('PLAY-21: turned off, it is silent, has no source and no title', async () => {
    const { audio, engine } = await playing()
    engine.turnOff()
    expect(audio.paused).toBe(true)
    expect(audio.src).toBe('')
    expect(engine.state()).toMatchObject({ status: 'off', title: undefined })
  })
})

describe('chapter change', () => {
  it('PLAY-07: goes on with the next chapter at its beginning', async () => {
    const { audio, engine, kinds } = await playing()
    await audio.hears(60)
    await audio.arrives(30)
    expect(engine.place()).toEqual({ chapter: 2, seconds: 0 })
    expect(engine.state().status).toBe('playing')
    expect(kinds()).toEqual(['chapterStart', 'play', 'chapterEnd', 'chapterStart'])
  })

  it('trap 6: the next source is set before `ended` has been left', async () => {
    const { audio } = await playing()
    let during = ''
    audio.addEventListener('ended', () => (during = audio.src))
    await audio.hears(59.75)
    audio.currentTime = 60
    audio.ended = true
    audio.paused = true
    audio.dispatchEvent(new Event('ended'))
    expect(during).toBe('/sound/the-salt-ledger/2')
    expect(audio.paused).toBe(false)
  })

  it('trap 7: keeps the speed, on the element too', async () => {
    const { audio, engine } = await playing()
    engine.setSpeed(1.5)
    await audio.hears(60)
    await audio.arrives(30)
    expect(audio.src).toBe('/sound/the-salt-ledger/2')
    expect([audio.playbackRate, audio.defaultPlaybackRate]).toEqual([1.5, 1.5])
  })

  it('PLAY-08: has the next two chapters stored, then takes them from the device', async () => {
    const { audio, engine, ports } = await playing()
    expect(ports.prefetched).toEqual([['the-salt-ledger', [2, 3]]])
    await flush()
    await audio.hears(60)
    expect(engine.state().stored).toBe(true)
  })

  it('trap 6: nobody is told of the change before the element can fetch', async () => {
    const later: (() => void)[] = []
    const audio = new FakeAudio()
    const engine = createEngine(audio.asElement(), fakePorts(), (work) => void later.push(work))
    const told: string[] = []
    engine.on('change', () => told.push('change'))
    engine.on('chapterEnd', () => told.push('chapterEnd'))
    engine.load(book, undefined)
    engine.play()
    await audio.arrives(60)
    told.length = 0
    await audio.hears(60)
    expect(audio.src).toBe('/sound/the-salt-ledger/2')
    expect(told).toEqual([])
    later.forEach((work) => work())
    expect(told).toEqual(['change', 'chapterEnd'])
    expect(engine.state().chapter).toBe(2)
  })

  it('wakes whoever answers for a stored chapter shortly before it is needed', async () => {
    const { audio, ports } = await playing()
    await audio.hears(39)
    expect(ports.warmed).toEqual([])
    await audio.hears(2)
    expect(ports.warmed).toEqual(['/sound/the-salt-ledger/2'])
  })

  it('ends after the last chapter, and begins again from the front', async () => {
    const { audio, engine, kinds } = await playing({ chapter: 3, seconds: 0 })
    await audio.arrives(40)
    await audio.hears(40)
    expect(engine.state().status).toBe('ended')
    expect(kinds().slice(-3)).toEqual(['chapterEnd', 'pause', 'ended'])
    expect(engine.place()).toEqual({ chapter: 3, seconds: 40 })

    engine.play()
    await flush()
    expect(kinds().slice(-3)).toEqual(['chapterStart', 'seek', 'play'])
    expect(engine.place()).toEqual({ chapter: 1, seconds: 0 })
    expect(audio.src).toBe('/sound/the-salt-ledger/1')
    expect(audio.paused).toBe(false)
  })

  it('PLAY-14: held at the end of a chapter, the next one waits, paused', async () => {
    const { audio, engine } = await playing()
    engine.holdAtChapterEnd(true)
    await audio.hears(60)
    await audio.arrives(30)
    expect(engine.state().status).toBe('paused')
    expect(engine.place()).toEqual({ chapter: 2, seconds: 0 })
    expect(audio.paused).toBe(true)
  })
})

describe('moving', () => {
  it('PLAY-02: jumps over chapter borders and goes on playing there', async () => {
    const { audio, engine } = await playing({ chapter: 1, seconds: 50 })
    engine.jump(15)
    expect(engine.place()).toEqual({ chapter: 2, seconds: 5 })
    await audio.arrives(30)
    expect(audio.currentTime).toBe(5)
    expect(engine.state().status).toBe('playing')

    engine.jump(-15)
    await audio.arrives(60)
    expect(audio.currentTime).toBe(50)
  })

  it('PLAY-02: quick presses add up while the first jump is still on its way', async () => {
    const { audio, engine } = await playing()
    engine.jump(15)
    engine.jump(15)
    engine.jump(-15)
    engine.jump(15)
    await flush()
    expect(engine.place()).toEqual({ chapter: 1, seconds: 30 })
    expect(audio.currentTime).toBe(30)
  })

  it('PLAY-02: a jump past the end of the book is its end', async () => {
    const { audio, engine } = await playing({ chapter: 3, seconds: 30 })
    await audio.arrives(40)
    engine.jump(15)
    await flush()
    expect(engine.place()).toEqual({ chapter: 3, seconds: 40 })
    engine.jump(-15)
    expect(engine.place()).toEqual({ chapter: 3, seconds: 25 })
  })

  it('a paused book moves without a sound', async () => {
    const { audio, engine } = start()
    engine.load(book, undefined)
    await audio.arrives(60)
    engine.goTo({ chapter: 2, seconds: 10 })
    await audio.arrives(30)
    expect(engine.place()).toEqual({ chapter: 2, seconds: 10 })
    expect(audio.playCalls).toBe(0)
  })

  it('trap 3: where a jump lands at 0, no tick says so, and the address is signed again', async () => {
    const { audio, engine, heard, ports } = await playing()
    await audio.hears(2)
    heard.length = 0
    audio.deaf = true
    engine.goTo({ chapter: 1, seconds: 40 })
    await flush()
    expect(ports.asked.at(-1)).toEqual(['the-salt-ledger', 1, true])
    await audio.arrives(60)
    await audio.hears(3)
    expect(heard.filter(([kind]) => kind === 'tick')).toEqual([])
    expect(engine.place()).toEqual({ chapter: 1, seconds: 40 })

    audio.deaf = false
    await vi.advanceTimersByTimeAsync(5000)
    await audio.arrives(60)
    await audio.hears(0.5)
    expect(heard.at(-1)).toEqual(['tick', 1, 40.5])
  })

  it('trap 3: an element that slips back by itself is brought back, not believed', async () => {
    const { audio, engine, heard } = await playing({ chapter: 1, seconds: 40 })
    await audio.hears(1)
    await audio.slipsTo(0)
    expect(heard.at(-1)).toEqual(['tick', 1, 41])
    await audio.arrives(60)
    expect(audio.currentTime).toBe(41)
    expect(engine.state().status).toBe('playing')
  })
})

it('looks once more for the next chapter shortly before the end, and no more', async () => {
  const { audio, ports } = await playing()
  await audio.hears(39)
  const asked = ports.asked.length
  await audio.hears(10)
  expect(ports.asked.length - asked).toBe(1)
})

describe('trouble on the way', () => {
  it('PLAY-10: a failed fetch is tried again after 5 s, freshly signed, at the place', async () => {
    const { audio, engine, ports, kinds } = await playing()
    await audio.hears(10)
    const asked = ports.asked.length
    await audio.breaks()
    expect(kinds().at(-1)).toBe('error')
    await vi.advanceTimersByTimeAsync(4900)
    expect(audio.sources).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(ports.asked.slice(asked)).toEqual([['the-salt-ledger', 1, true]])
    expect(audio.sources).toHaveLength(2)
    await audio.arrives(60)
    expect(audio.currentTime).toBe(10)
    expect(engine.state().status).toBe('playing')
  })

  it('PLAY-09: offline with the next chapter missing it says so, and goes on by itself', async () => {
    const { audio, engine, ports } = await playing()
    ports.absent.add(2)
    await audio.hears(39)
    ports.goOffline()
    await flush()
    await audio.hears(21)
    expect(engine.state()).toMatchObject({ status: 'waiting', waitingFor: 'chapter', chapter: 2 })

    ports.absent.delete(2)
    ports.goOnline()
    await flush()
    expect(audio.src).toBe('/sound/the-salt-ledger/2')
    await audio.arrives(30)
    expect(engine.state()).toMatchObject({ status: 'playing', waitingFor: undefined })
  })

  it('PLAY-09: an address that no longer answers is a chapter that is loading', async () => {
    const { audio, engine } = await playing()
    await audio.hears(60)
    await audio.breaks()
    expect(engine.state()).toMatchObject({ status: 'waiting', waitingFor: 'chapter', chapter: 2 })
    expect(engine.place()).toEqual({ chapter: 2, seconds: 0 })
  })

  it('PLAY-09: a chapter that arrives without any word is found within 5 s', async () => {
    const { audio, ports } = await playing()
    ports.absent.add(2)
    ports.goOffline()
    await audio.hears(60)
    ports.absent.delete(2)
    await vi.advanceTimersByTimeAsync(5000)
    expect(audio.src).toBe('/sound/the-salt-ledger/2')
  })

  it('says that it waits only when the wait can be felt', async () => {
    const { audio, engine } = await playing()
    audio.starves()
    await vi.advanceTimersByTimeAsync(100)
    expect(engine.state().status).toBe('playing')
    await vi.advanceTimersByTimeAsync(200)
    expect(engine.state().status).toBe('waiting')
  })

  it('a listener that throws does not stop the sound', async () => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    const { audio, engine } = await playing()
    engine.on('chapterEnd', () => {
      throw new Error('the disk is full')
    })
    await audio.hears(60)
    await audio.arrives(30)
    expect(engine.state().status).toBe('playing')
    expect(report).toHaveBeenCalledOnce()
    vi.unstubAllGlobals()
  })
})

describe('a book that was heard to its end', () => {
  it('opens as finished, and play begins it anew, which whoever keeps places hears as a move', async () => {
    const { audio, engine, kinds } = start()
    engine.load(book, { chapter: 3, seconds: 39 })
    expect(engine.state().status).toBe('ended')
    engine.play()
    await flush()
    await audio.arrives(60)
    expect(engine.place()).toEqual({ chapter: 1, seconds: 0 })
    expect(audio.src).toBe('/sound/the-salt-ledger/1')
    expect(engine.state().status).not.toBe('ended')
    expect(kinds()).toContain('seek')
  })

  it('a few seconds before its end it is not finished, and a sample never is', () => {
    const { engine } = start()
    engine.load(book, { chapter: 3, seconds: 35 })
    expect(engine.state().status).toBe('paused')
    engine.load(aPlayable({ kind: 'sample' }), { chapter: 3, seconds: 40 })
    expect(engine.state().status).toBe('paused')
  })
})

describe('which address is asked for, and when', () => {
  it('asks for what it knows first, and afresh where there was nothing', async () => {
    const { engine, ports } = start()
    ports.absent.add(1)
    engine.load(book, undefined)
    expect(ports.asked).toEqual([['the-salt-ledger', 1, false]])
    engine.play()
    expect(ports.asked.at(-1)).toEqual(['the-salt-ledger', 1, true])
    const before = ports.asked.length
    engine.goTo({ chapter: 1, seconds: 30 })
    expect(ports.asked.slice(before)).toEqual([['the-salt-ledger', 1, true]])
  })

  it('looks for the next chapter again twenty seconds before the end, once in every chapter', async () => {
    const { audio, ports } = await playing()
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

  it('an answer for a book that was turned off meanwhile is dropped', async () => {
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
    // Nobody waits for sound that nobody asked for.
    vi.advanceTimersByTime(1_000)
    expect(engine.state().status).toBe('paused')
    answers[1]!({ url: '/of-the-second', stored: true })
    await flush()
    expect(audio.sources).toEqual(['/of-the-second'])
    expect(engine.state().stored).toBe(true)
  })

  it('says once that it waits, however often it asks again', async () => {
    const { engine, ports } = start()
    const waiting = vi.fn()
    engine.on('waiting', waiting)
    ports.absent.add(1)
    engine.load(book, undefined)
    engine.play()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(waiting).toHaveBeenCalledOnce()
  })

  it('a source that breaks after a jump that went astray is told of', async () => {
    const { audio, engine, kinds } = await playing()
    audio.deaf = true
    engine.goTo({ chapter: 1, seconds: 40 })
    await flush()
    expect(kinds()).not.toContain('error')
    await audio.breaks()
    expect(kinds()).toContain('error')
  })
})

describe('lengths', () => {
  it('the element’s own counts once it is known, the list’s until then', async () => {
    const { audio, engine } = start()
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

  it('a recording whose length nobody knows yet is not over', () => {
    const { engine, kinds } = start()
    const [first] = book.chapters
    engine.load(aPlayable({ kind: 'recording', chapters: [{ ...first!, seconds: 0 }] }), undefined)
    engine.play()
    expect(kinds()).toEqual(['chapterStart', 'play'])
  })

  it('play at the very end of a chapter is the next one', async () => {
    const { audio, engine } = start()
    engine.load(book, { chapter: 1, seconds: 60 })
    await audio.arrives(60)
    engine.play()
    expect(engine.place()).toEqual({ chapter: 2, seconds: 0 })
  })
})

describe('standing elsewhere', () => {
  it('a paused book stands where it was heard elsewhere, as if it had been opened there', async () => {
    const { audio, engine, kinds } = start()
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

  it('what sounds is not moved, and nothing is not either', async () => {
    const { engine } = await playing({ chapter: 1, seconds: 10 })
    engine.stand({ chapter: 2, seconds: 10 })
    expect(engine.place()).toEqual({ chapter: 1, seconds: 10 })
    engine.turnOff()
    engine.stand({ chapter: 2, seconds: 10 })
    expect(engine.state()).toMatchObject({ status: 'off', chapter: 0 })
  })
})

describe('what a new book begins with', () => {
  it('nothing of the one before, and its own first chapter from the first word on', async () => {
    const { engine, ports } = await playing({ chapter: 3, seconds: 5 })
    ports.loseSound()
    const told: [number, boolean, boolean][] = []
    ports.absent.add(1)
    engine.on('change', ({ chapter, stored, wentElsewhere }) => told.push([chapter, stored, wentElsewhere]))
    engine.load(aPlayable({ slug: 'ferry' }), undefined)
    expect(told.length).toBeGreaterThan(0)
    for (const each of told) expect(each).toEqual([1, false, false])
  })

  it('sound is claimed once, however often play is pressed', () => {
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
  const { engine } = start()
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
])('a volume of %d faded to %d is %d', (volume, share, sounds) => {
  const { audio, engine } = start()
  engine.setFade(share)
  engine.setVolume(volume)
  expect(audio.volume).toBeCloseTo(sounds)
})
