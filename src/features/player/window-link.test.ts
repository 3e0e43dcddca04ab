import { beforeEach, describe, expect, it, vi } from 'vitest'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { FakeAudio, flush } from '#tests/support/fake-audio.ts'
import type { PlayerRemote } from './engine-interface.ts'
import { createEngine } from './engine.ts'
import { ownTheSound, steerTheWindow, type LinkNeeds } from './window-link.ts'

/**
 * Two pages of one browser: each receives clones of the other's messages; a lock passes on when its page
 * dies.
 */
function twoPages() {
  const hearers = [new Set<(event: MessageEvent) => void>(), new Set<(event: MessageEvent) => void>()]
  const channel = (page: 0 | 1) => ({
    addEventListener: (_kind: string, hear: (event: MessageEvent) => void) => void hearers[page]?.add(hear),
    postMessage: (data: unknown) => {
      const copy: unknown = structuredClone(data)
      hearers[1 - page]?.forEach((hear) => hear({ data: copy } as MessageEvent))
    },
  })
  let held = false
  const waiting: (() => void)[] = []
  const locks = {
    request: (_name: string, work: () => unknown) => {
      const run = () => {
        held = true
        const end = work()
        if (!(end instanceof Promise)) held = false
      }
      if (held) waiting.push(run)
      else run()
      return Promise.resolve()
    },
  }
  const needs = (page: 0 | 1) => ({ channel: channel(page), id: 'one', locks }) as unknown as LinkNeeds
  const windowDies = () => {
    held = false
    waiting.shift()?.()
  }
  return { needs, windowDies }
}

let audio: FakeAudio
let engine: ReturnType<typeof createEngine>
let pages: ReturnType<typeof twoPages>
let remote: PlayerRemote | undefined
const onGone = vi.fn()
const onVisit = vi.fn()
const close = vi.fn()

beforeEach(async () => {
  vi.clearAllMocks()
  remote = undefined
  audio = new FakeAudio()
  engine = createEngine(audio.asElement(), fakePorts())
  engine.load(aPlayable(), { chapter: 1, seconds: 20 })
  engine.play()
  await audio.arrives(60)
  pages = twoPages()
})

const open = (order: 'window first' | 'opener first') => {
  const own = () => ownTheSound({ ...pages.needs(1), player: engine, close })
  const steer = () =>
    steerTheWindow({ ...pages.needs(0), onThere: (controls) => void (remote = controls), onGone, onVisit })
  if (order === 'opener first') {
    const opener = steer()
    return { windowSide: own(), opener }
  }
  return { windowSide: own(), opener: steer() }
}

describe('the window that owns the sound', () => {
  it.each(['window first', 'opener first'] as const)(
    'BOOK-19: is controlled by its opener (%s)',
    async (order) => {
      open(order)
      expect(remote?.state()).toMatchObject({ status: 'playing', title: { slug: 'the-salt-ledger' } })
      remote?.jump(15)
      await flush()
      expect(engine.place()).toEqual({ chapter: 1, seconds: 35 })
      remote?.goTo({ chapter: 2, seconds: 3 })
      expect(engine.place()).toEqual({ chapter: 2, seconds: 3 })
      remote?.toggle()
      expect(audio.paused).toBe(true)
      expect(remote?.state().status).toBe('paused')
    },
  )

  it('posts its place with every tick', async () => {
    open('opener first')
    const ticks: number[] = []
    remote?.on('tick', ({ seconds }) => ticks.push(seconds))
    await audio.hears(1)
    expect(ticks).toEqual([20.25, 20.5, 20.75, 21])
    expect(remote?.place()).toEqual({ chapter: 1, seconds: 21 })
    expect(remote?.duration()).toBe(60)
    expect(remote?.buffered()).toBe(60)
  })

  it('hands back its place and speed when it closes, even without a message', async () => {
    open('opener first')
    remote?.setSpeed(1.3)
    await audio.hears(2)
    expect(onGone).not.toHaveBeenCalled()
    pages.windowDies()
    expect(onGone).toHaveBeenCalledExactlyOnceWith({
      title: expect.objectContaining({ slug: 'the-salt-ledger' }),
      place: { chapter: 1, seconds: 22 },
      speed: 1.3,
    })
  })

  it('closes when the opener turns it off, and hands nothing back', () => {
    open('opener first')
    remote?.turnOff()
    expect(close).toHaveBeenCalledOnce()
    pages.windowDies()
    expect(onGone).toHaveBeenCalledWith(expect.objectContaining({ title: undefined }))
  })

  it('PLAY-22: shows the book page in the tab that opened it', () => {
    const { windowSide } = open('opener first')
    windowSide.visit('/audiobooks/the-salt-ledger')
    expect(onVisit).toHaveBeenCalledExactlyOnceWith('/audiobooks/the-salt-ledger')
    expect(remote?.place()).toEqual({ chapter: 1, seconds: 20 })
  })

  it('ignores the messages of another window', () => {
    open('opener first')
    steerTheWindow({ ...pages.needs(0), id: 'other', onThere: () => undefined, onGone, onVisit }).close()
    expect(close).not.toHaveBeenCalled()
  })

  it('neither a page shown in the opener nor a turned-off book counts as a tick', () => {
    const { windowSide } = open('opener first')
    const ticks = vi.fn()
    remote?.on('tick', ticks)
    windowSide.visit('/audiobooks')
    expect(ticks).not.toHaveBeenCalled()
    remote?.turnOff()
    expect(ticks).not.toHaveBeenCalledWith(expect.objectContaining({ title: undefined }))
  })
})
