// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Listening } from './listening.ts'
import { claimSound } from './claim-sound.ts'
import { recordPlayer, type Recording } from './follow-player.ts'
import type { HeardMoment } from './recorder.ts'

let opened: Promise<Listening> | undefined
// Each listener's places are their own name.
vi.mock('./lazy.ts', () => ({ openedListening: () => opened, openListener: () => opened }))

const listener = () => {
  const leave = vi.fn()
  const part: Pick<Listening, 'leave' | 'keep' | 'sendNow'> = {
    leave,
    keep: vi.fn(),
    sendNow: vi.fn(async () => undefined),
  }
  return { leave, listening: part as Listening, sendNow: part.sendNow, keep: part.keep }
}
const settled = () => new Promise((resolve) => setTimeout(resolve))
let visibility: 'hidden' | 'visible'
let say: Map<string, () => void>
/** What is heard: a sample, of which nothing is kept, until a test says otherwise. */
let heard: HeardMoment
let recording: Recording
const stop = () => recording.stop()

beforeEach(() => {
  opened = undefined
  visibility = 'visible'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  say = new Map()
  heard = { title: { slug: 'salt', kind: 'sample' }, chapter: 1, seconds: 5 }
  recording = recordPlayer({
    on(kind, hear) {
      const before = say.get(kind)
      say.set(kind, () => (before?.(), hear(heard)))
      return () => void say.delete(kind)
    },
  })
})
afterEach(() => {
  stop()
  vi.restoreAllMocks()
})

test('the sound is handed over with its place: kept and sent before it is given away', async () => {
  const anna = listener()
  opened = Promise.resolve(anna.listening)
  heard = { title: { slug: 'salt', kind: 'book' }, chapter: 1, seconds: 16 }
  claimSound(() => undefined)
  say.get('tick')!()
  await settled()
  heard = { ...heard, seconds: 16.5 }
  say.get('tick')!()
  recording.handOver()
  expect(anna.keep).toHaveBeenLastCalledWith(expect.objectContaining({ seconds: 16.5 }))
  expect(anna.leave).toHaveBeenLastCalledWith('hidden')
})

test('a page that goes speaks before the event is over, and one that is seen again says nothing', async () => {
  const anna = listener()
  opened = Promise.resolve(anna.listening)
  say.get('pause')!()
  await settled()
  expect(anna.sendNow).toHaveBeenCalledOnce()
  document.dispatchEvent(new Event('visibilitychange'))
  expect(anna.leave).not.toHaveBeenCalled()
  visibility = 'hidden'
  document.dispatchEvent(new Event('visibilitychange'))
  expect(anna.leave).toHaveBeenLastCalledWith('hidden')
  dispatchEvent(new Event('pagehide'))
  document.dispatchEvent(new Event('freeze'))
  expect(anna.leave.mock.calls.slice(1)).toEqual([['going'], ['going']])
  stop()
  dispatchEvent(new Event('pagehide'))
  expect(anna.leave).toHaveBeenCalledTimes(3)
})

test('it speaks to whoever listens now, also where an earlier listener’s places open late', async () => {
  const [anna, ben] = [listener(), listener()]
  let open: (listening: Listening) => void = () => undefined
  opened = new Promise((resolve) => (open = resolve))
  say.get('pause')!()
  opened = Promise.resolve(ben.listening)
  say.get('pause')!()
  await settled()
  open(anna.listening)
  await settled()
  dispatchEvent(new Event('pagehide'))
  expect([ben.leave.mock.calls.length, anna.leave.mock.calls.length]).toEqual([1, 0])
  opened = undefined
  dispatchEvent(new Event('pagehide'))
  expect(ben.leave).toHaveBeenCalledOnce()
})

test('PLAY-29: what was opened for one listener is not kept as another’s, until somebody opens a book again', async () => {
  const [anna, ben] = [listener(), listener()]
  const release = claimSound(() => undefined)
  const hear = async (kind: 'load' | 'tick' | 'seek' | 'pause', seconds: number) => {
    heard = { title: { slug: 'salt', kind: 'book' }, chapter: 1, seconds }
    say.get(kind)!()
    await settled()
  }
  opened = Promise.resolve(anna.listening)
  await hear('load', 0)
  await hear('tick', 2)
  expect(anna.keep).toHaveBeenCalledOnce()
  opened = Promise.resolve(ben.listening)
  await hear('seek', 40)
  await hear('pause', 41)
  expect(anna.keep).toHaveBeenCalledOnce()
  expect(ben.keep).not.toHaveBeenCalled()
  await hear('load', 0)
  await hear('tick', 3)
  expect(ben.keep).toHaveBeenCalledOnce()
  release()
})

test('what was opened before anybody was known is kept for whoever that is', async () => {
  const anna = listener()
  const release = claimSound(() => undefined)
  heard = { title: { slug: 'salt', kind: 'book' }, chapter: 1, seconds: 2 }
  say.get('load')!()
  opened = Promise.resolve(anna.listening)
  say.get('tick')!()
  await settled()
  expect(anna.keep).toHaveBeenCalledOnce()
  release()
})
