// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Listening } from './listening.ts'
import { claimSound } from './claim-sound.ts'
import { recordPlayer, type Recording } from './follow-player.ts'
import type { HeardMoment } from './recorder.ts'

let opened: Promise<Listening> | undefined
// A mock per listener, identified by name.
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
/** The playing title: a sample, which is never recorded, unless a test changes it. */
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

test('stores and sends the place before giving the sound away', async () => {
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

test('a closing page sends its place inside the event; a page that becomes visible sends nothing', async () => {
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

test('records for the current user, even if an earlier user’s listening opens late', async () => {
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

test('PLAY-29: a book opened by one user is not recorded for another, until a book is opened again', async () => {
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

test('a book opened by a visitor is recorded for the user who logs in next', async () => {
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
