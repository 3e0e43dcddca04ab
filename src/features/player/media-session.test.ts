import { beforeEach, describe, expect, it, vi } from 'vitest'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { FakeAudio, flush } from '#tests/support/fake-audio.ts'
import { createEngine } from './engine.ts'
import { clampPosition, startMediaSession } from './media-session.ts'

type Handler = ((details: Partial<MediaSessionActionDetails>) => void) | null

function strictSession() {
  const handlers = new Map<string, Handler>()
  return {
    handlers,
    metadata: null as unknown,
    playbackState: 'none',
    registrations: 0,
    positions: [] as MediaPositionState[],
    setActionHandler(action: string, handler: Handler) {
      if (action === 'stop') throw new TypeError('unknown action')
      this.registrations += 1
      handlers.set(action, handler)
    },
    setPositionState(state: MediaPositionState) {
      const { duration = NaN, position = 0, playbackRate = 1 } = state
      if (Number.isNaN(duration) || position > duration || position < 0 || playbackRate === 0)
        throw new TypeError('refused')
      this.positions.push(state)
    },
  }
}

let now = 1000
let audio: FakeAudio
let engine: ReturnType<typeof createEngine>
let session: ReturnType<typeof strictSession>
let headsetChapters = false
let jumps = { backSeconds: 15, forwardSeconds: 15 }
const press = (action: string, details: Partial<MediaSessionActionDetails> = {}) =>
  session.handlers.get(action)?.(details)

beforeEach(async () => {
  vi.stubGlobal('MediaMetadata', Object)
  vi.stubGlobal('location', { href: 'https://murmur.example/library' })
  headsetChapters = false
  jumps = { backSeconds: 15, forwardSeconds: 15 }
  audio = new FakeAudio()
  session = strictSession()
  engine = createEngine(audio.asElement(), fakePorts())
  startMediaSession({
    session: session as unknown as MediaSession,
    engine,
    controls: engine,
    headsetChapters: () => headsetChapters,
    jumps: () => jumps,
    nowMs: () => now,
  })
  engine.load(aPlayable(), { chapter: 1, seconds: 20 })
  engine.play()
  await audio.arrives(60)
})

describe('lock screen and headset', () => {
  it('shows chapter, book, author and the cover in two sizes', () => {
    expect(session.metadata).toMatchObject({
      title: 'The tide table',
      album: 'The Salt Ledger',
      artist: 'Imogen Tarrant',
      artwork: [
        { src: 'https://murmur.example/cover-330.webp', sizes: '330x330' },
        { src: 'https://murmur.example/cover-900.webp', sizes: '900x900' },
      ],
    })
  })

  it('a recording without a picture has no artwork, rather than the page’s address', () => {
    const none = { 330: '', 600: '', 900: '' }
    const cover = { avif: none, webp: none, width: 900, height: 600 }
    engine.load(aPlayable({ kind: 'recording', cover }), undefined)
    expect(session.metadata).toMatchObject({ artwork: [] })
  })

  it('trap 9: registers scrubber and jumps again after every interruption', async () => {
    press('seekto', { seekTime: 30 })
    await flush()
    expect(engine.place()).toEqual({ chapter: 1, seconds: 30 })
    press('seekbackward')
    await flush()
    expect(engine.place().seconds).toBe(15)
    press('seekforward', { seekOffset: 10 })
    expect(engine.place().seconds).toBe(25)

    const before = session.registrations
    session.handlers.clear()
    await audio.isInterrupted()
    engine.play()
    await flush()
    expect(session.registrations).toBeGreaterThan(before)
    expect(session.handlers.has('seekto')).toBe(true)
  })

  it('trap 9: sets its position at transitions, not with every tick', async () => {
    const told = session.positions.length
    await audio.hears(10)
    expect(session.positions).toHaveLength(told)
    engine.pause()
    expect(session.positions.at(-1)).toEqual({ duration: 60, position: 30, playbackRate: 1 })
    expect(session.playbackState).toBe('paused')
  })

  it('is "playing" from the press on, not from the first sound', async () => {
    expect(session.playbackState).toBe('playing')
    engine.pause()
    expect(session.playbackState).toBe('paused')
    engine.play()
    expect(engine.state().status).toBe('waiting')
    expect(session.playbackState).toBe('playing')
  })

  it('trap 10: next and previous jump 15 s, or change the chapter if set so', async () => {
    press('nexttrack')
    await flush()
    expect(engine.place()).toEqual({ chapter: 1, seconds: 35 })
    press('previoustrack')
    await flush()
    expect(engine.place()).toEqual({ chapter: 1, seconds: 20 })
    headsetChapters = true
    now += 1000
    press('nexttrack')
    expect(engine.place()).toEqual({ chapter: 2, seconds: 0 })
  })

  it('listening: a headset jumps by the same seconds as the buttons, in each direction', async () => {
    jumps = { backSeconds: 10, forwardSeconds: 30 }
    press('seekforward')
    await flush()
    expect(engine.place().seconds).toBe(50)
    press('previoustrack')
    expect(engine.place().seconds).toBe(40)
  })

  it('trap 10: two presses within 300 ms count as one', () => {
    now += 1000
    press('pause')
    now += 100
    press('play')
    expect(engine.state().status).toBe('paused')
    // 300 ms after the press that counted.
    now += 200
    press('play')
    expect(engine.state().status).not.toBe('paused')
    now += 1000
    press('nexttrack')
    now += 200
    press('nexttrack')
    expect(engine.place().seconds).toBe(35)
  })

  it('is empty once the player is turned off', () => {
    engine.turnOff()
    expect(session.metadata).toBeNull()
    expect(session.playbackState).toBe('none')
    expect(session.handlers.get('play')).toBeNull()
  })
})

it('trap 9: sets no position past the end, no NaN and no rate of 0', () => {
  expect(clampPosition(NaN, 3, 1)).toBeUndefined()
  expect(clampPosition(0, 0, 1)).toBeUndefined()
  expect(clampPosition(60, 61, 1)).toEqual({ duration: 60, position: 60, playbackRate: 1 })
  expect(clampPosition(60, NaN, 0)).toEqual({ duration: 60, position: 0, playbackRate: 1 })
  expect(clampPosition(60, -1, 1.5)).toEqual({ duration: 60, position: 0, playbackRate: 1.5 })
})
