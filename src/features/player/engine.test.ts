import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChapterSeconds } from '#storage/place.ts'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { book, playingEngine, startEngine } from '#tests/support/player-engine.ts'
import { FakeAudio, flush, named } from '#tests/support/fake-audio.ts'
import { createEngine } from './engine.ts'
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('playing', () => {
  it('loads paused, then plays from the place and ticks four times a second', async () => {
    const { audio, engine, heard } = startEngine()
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

  it('has no title, sound or history before a title is loaded', () => {
    expect(startEngine().engine.state()).toEqual({
      title: undefined,
      status: 'off',
      waitingFor: undefined,
      chapter: 0,
      stored: false,
      wentElsewhere: false,
      speed: 1,
      volume: 1,
    })
  })

  it('PLAY-16: without a chapter the element is never asked to play', () => {
    const { audio, engine, kinds } = startEngine()
    engine.load(aPlayable({ chapters: [] }), undefined)
    engine.play()
    engine.toggle()
    engine.jump(15)
    expect(audio.playCalls).toBe(0)
    expect(audio.sources).toEqual([])
    expect(engine.state().status).toBe('paused')
    expect(kinds()).toEqual([])
  })

  it('pauses when a headset is unplugged, and emits one event', async () => {
    const { audio, engine, kinds } = await playingEngine()
    await audio.isInterrupted()
    expect(engine.state().status).toBe('paused')
    expect(kinds()).toEqual(['chapterStart', 'play', 'pause'])
  })

  it('trap 21: pauses when another tab claims the sound', async () => {
    const { engine, ports } = await playingEngine()
    ports.loseSound()
    expect(engine.state()).toMatchObject({ status: 'paused', wentElsewhere: true })
    engine.play()
    expect(engine.state().wentElsewhere).toBe(false)
  })

  it('trap 8: sets source and place again after a refused play, once', async () => {
    const { audio, engine } = startEngine()
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

  it('stays paused where the browser blocks autoplay', async () => {
    const { audio, engine } = startEngine()
    audio.refusals.push(named('NotAllowedError'), named('NotAllowedError'))
    engine.load(book, undefined)
    engine.play()
    await flush()
    expect(engine.state().status).toBe('paused')
    expect(audio.playCalls).toBe(2)
  })

  it('PLAY-21: turned off, it is silent, has no source and no title', async () => {
    const { audio, engine } = await playingEngine()
    engine.turnOff()
    expect(audio.paused).toBe(true)
    expect(audio.src).toBe('')
    expect(engine.state()).toMatchObject({ status: 'off', title: undefined })
  })
})

describe('chapter change', () => {
  it('PLAY-07: continues with the beginning of the next chapter', async () => {
    const { audio, engine, kinds } = await playingEngine()
    await audio.hears(60)
    await audio.arrives(30)
    expect(engine.place()).toEqual({ chapter: 2, seconds: 0 })
    expect(engine.state().status).toBe('playing')
    expect(kinds()).toEqual(['chapterStart', 'play', 'chapterEnd', 'chapterStart'])
  })

  it('trap 6: sets the next source inside the `ended` event', async () => {
    const { audio } = await playingEngine()
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
    const { audio, engine } = await playingEngine()
    engine.setSpeed(1.5)
    await audio.hears(60)
    await audio.arrives(30)
    expect(audio.src).toBe('/sound/the-salt-ledger/2')
    expect([audio.playbackRate, audio.defaultPlaybackRate]).toEqual([1.5, 1.5])
  })

  it('PLAY-08: stores the next two chapters, then plays them from the device', async () => {
    const { audio, engine, ports } = await playingEngine()
    expect(ports.prefetched).toEqual([['the-salt-ledger', [2, 3]]])
    await flush()
    await audio.hears(60)
    expect(engine.state().stored).toBe(true)
    await audio.arrives(30)
    engine.pause()
    engine.play()
    await flush()
    expect(ports.prefetched.slice(1)).toEqual([['the-salt-ledger', [3]]])
  })

  it('trap 6: emits the chapter change only after the element can fetch', async () => {
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

  it('wakes the worker shortly before a stored chapter is needed', async () => {
    const { audio, ports } = await playingEngine()
    await audio.hears(39)
    expect(ports.warmed).toEqual([])
    await audio.hears(2)
    expect(ports.warmed).toEqual(['/sound/the-salt-ledger/2'])
  })

  it('ends after the last chapter, and play restarts the book', async () => {
    const { audio, engine, kinds } = await playingEngine({ chapter: 3, seconds: 0 })
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

  it('PLAY-14: with a pause set for the chapter end, the next chapter waits, paused', async () => {
    const { audio, engine } = await playingEngine()
    engine.pauseAtChapterEnd(true)
    await audio.hears(60)
    await audio.arrives(30)
    expect(engine.state().status).toBe('paused')
    expect(engine.place()).toEqual({ chapter: 2, seconds: 0 })
    expect(audio.paused).toBe(true)
  })
})

describe('moving', () => {
  it('PLAY-02: jumps over chapter borders and keeps playing', async () => {
    const { audio, engine } = await playingEngine({ chapter: 1, seconds: 50 })
    engine.jump(15)
    expect(engine.place()).toEqual({ chapter: 2, seconds: 5 })
    await audio.arrives(30)
    expect(audio.currentTime).toBe(5)
    expect(engine.state().status).toBe('playing')

    engine.jump(-15)
    await audio.arrives(60)
    expect(audio.currentTime).toBe(50)
  })

  it('PLAY-02: quick presses add up while the first seek is pending', async () => {
    const { audio, engine } = await playingEngine()
    engine.jump(15)
    engine.jump(15)
    engine.jump(-15)
    engine.jump(15)
    await flush()
    expect(engine.place()).toEqual({ chapter: 1, seconds: 30 })
    expect(audio.currentTime).toBe(30)
  })

  it('PLAY-02: a jump past the end of the book goes to its end', async () => {
    const { audio, engine } = await playingEngine({ chapter: 3, seconds: 30 })
    await audio.arrives(40)
    engine.jump(15)
    await flush()
    expect(engine.place()).toEqual({ chapter: 3, seconds: 40 })
    engine.jump(-15)
    expect(engine.place()).toEqual({ chapter: 3, seconds: 25 })
  })

  it('a paused book moves without a sound', async () => {
    const { audio, engine } = startEngine()
    engine.load(book, undefined)
    await audio.arrives(60)
    engine.goTo({ chapter: 2, seconds: 10 })
    await audio.arrives(30)
    expect(engine.place()).toEqual({ chapter: 2, seconds: 10 })
    expect(audio.playCalls).toBe(0)
  })

  it('trap 3: a seek that lands at 0 emits no tick and signs the address again', async () => {
    const { audio, engine, heard, ports } = await playingEngine()
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

  it('trap 3: returns to the place after the element moves back without a seek', async () => {
    const { audio, engine, heard } = await playingEngine({ chapter: 1, seconds: 40 })
    await audio.hears(1)
    await audio.slipsTo(0)
    expect(heard.at(-1)).toEqual(['tick', 1, 41])
    await audio.arrives(60)
    expect(audio.currentTime).toBe(41)
    expect(engine.state().status).toBe('playing')
  })
})

it('requests the next chapter once more shortly before the end', async () => {
  const { audio, ports } = await playingEngine()
  await audio.hears(39)
  const asked = ports.asked.length
  await audio.hears(10)
  expect(ports.asked.length - asked).toBe(1)
})

describe('failures', () => {
  it('PLAY-10: retries a failed fetch after 5 s with a fresh address, at the same place', async () => {
    const { audio, engine, ports, kinds } = await playingEngine()
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

  it('PLAY-09: reports a missing chapter while offline, and continues automatically', async () => {
    const { audio, engine, ports } = await playingEngine()
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

  it('PLAY-09: shows an expired address as a loading chapter', async () => {
    const { audio, engine } = await playingEngine()
    await audio.hears(60)
    await audio.breaks()
    expect(engine.state()).toMatchObject({ status: 'waiting', waitingFor: 'chapter', chapter: 2 })
    expect(engine.place()).toEqual({ chapter: 2, seconds: 0 })
  })

  it('PLAY-09: finds a chapter that became available without an event within 5 s', async () => {
    const { audio, ports } = await playingEngine()
    ports.absent.add(2)
    ports.goOffline()
    await audio.hears(60)
    ports.absent.delete(2)
    await vi.advanceTimersByTimeAsync(5000)
    expect(audio.src).toBe('/sound/the-salt-ledger/2')
  })

  it('reports only waits long enough to notice', async () => {
    const { audio, engine } = await playingEngine()
    audio.starves()
    await vi.advanceTimersByTimeAsync(100)
    expect(engine.state().status).toBe('playing')
    await vi.advanceTimersByTimeAsync(200)
    expect(engine.state().status).toBe('waiting')
  })

  it('a listener that throws does not stop the sound', async () => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    const { audio, engine } = await playingEngine()
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

describe('a finished book', () => {
  it('opens as finished; play restarts it and emits a seek for the recorder', async () => {
    const { audio, engine, kinds } = startEngine()
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

  it('is not finished a few seconds before its end; a sample never is', () => {
    const { engine } = startEngine()
    engine.load(book, { chapter: 3, seconds: 34 })
    expect(engine.state().status).toBe('paused')
    engine.load(aPlayable({ kind: 'sample' }), { chapter: 3, seconds: 40 })
    expect(engine.state().status).toBe('paused')
  })
})

describe('taking over from another device', () => {
  const takingOver = () => {
    let stood: (place: ChapterSeconds | undefined) => Promise<void> = async () => undefined
    const all = startEngine()
    all.ports.takeOver = () =>
      new Promise((resolve) => {
        stood = async (place) => {
          resolve(place)
          await flush()
        }
      })
    return { ...all, stood: (place?: ChapterSeconds) => stood(place) }
  }
  const start = async () => {
    const all = takingOver()
    all.engine.load(book, { chapter: 1, seconds: 10 })
    await all.audio.arrives(60)
    all.engine.play()
    return all
  }

  it('is silent until the place is known, then continues exactly there', async () => {
    const { audio, engine, stood, kinds } = await start()
    expect([audio.paused, engine.state().status]).toEqual([true, 'waiting'])
    await stood({ chapter: 1, seconds: 25 })
    expect([audio.paused, audio.currentTime, engine.place().seconds]).toEqual([false, 25, 25])
    expect(kinds()).toContain('seek')
    expect(engine.state().status).toBe('playing')
  })

  it('continues at its own place without an answer', async () => {
    const { audio, engine, stood } = await start()
    await stood()
    expect([audio.paused, engine.place().seconds]).toEqual([false, 10])
  })

  it('a pause or a jump during the request takes precedence over the answer', async () => {
    const paused = await start()
    paused.engine.pause()
    await paused.stood({ chapter: 1, seconds: 25 })
    expect([paused.audio.paused, paused.engine.place().seconds]).toEqual([true, 10])
    const moved = await start()
    moved.engine.jump(15)
    await flush()
    expect([moved.audio.paused, moved.engine.place().seconds]).toEqual([false, 25])
    await moved.stood({ chapter: 1, seconds: 50 })
    expect(moved.engine.place().seconds).toBe(25)
  })

  it('a book finished on the other device is finished here', async () => {
    const { ports, audio, engine } = await start()
    engine.pause()
    ports.takeOver = () => undefined
    engine.play()
    await audio.arrives(60)
    ports.loseSound()
    expect(engine.state()).toMatchObject({ status: 'paused', wentElsewhere: true })
    engine.stand({ chapter: 2, seconds: 12 })
    expect(engine.state()).toMatchObject({ status: 'paused', wentElsewhere: true })
    engine.stand({ chapter: 3, seconds: 39.6 })
    expect(engine.state()).toMatchObject({ status: 'ended', wentElsewhere: false })
  })

  it('becomes local again when the other device stops playing', async () => {
    const { ports, engine, audio } = startEngine()
    engine.load(book, undefined)
    engine.play()
    await audio.arrives(60)
    ports.loseSound()
    engine.endElsewhere()
    expect(engine.state()).toMatchObject({ status: 'paused', wentElsewhere: false })
  })
})
