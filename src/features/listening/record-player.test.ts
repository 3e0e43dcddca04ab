// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Listening } from './listening.ts'
import { recordPlayer } from './record-player.ts'

let opened: Promise<Listening> | undefined
vi.mock('./door.ts', () => ({ openedListening: () => opened }))

const listener = () => {
  const leave = vi.fn()
  const part: Pick<Listening, 'leave' | 'keep' | 'sendNow'> = {
    leave,
    keep: vi.fn(),
    sendNow: vi.fn(async () => undefined),
  }
  return { leave, listening: part as Listening, sendNow: part.sendNow }
}
const settled = () => new Promise((resolve) => setTimeout(resolve))
let visibility: 'hidden' | 'visible'
let say: Map<string, () => void>
let stop: () => void

beforeEach(() => {
  opened = undefined
  visibility = 'visible'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  say = new Map()
  stop = recordPlayer({
    on(kind, hear) {
      const before = say.get(kind)
      const moment = { title: { slug: 'salt', kind: 'sample' as const }, chapter: 1, seconds: 5 }
      say.set(kind, () => (before?.(), hear(moment)))
      return () => void say.delete(kind)
    },
  })
})
afterEach(() => {
  stop()
  vi.restoreAllMocks()
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
