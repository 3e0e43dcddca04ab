// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { connectivity } from '#net/connectivity.ts'
import { becomeUser } from '#session/store.ts'
import { aPlayable } from '#tests/support/a-playable.ts'
import { startEngine } from '#tests/support/an-engine.ts'
import { flush } from '#tests/support/fake-audio.ts'
import { followOtherDevices } from './follow-other-devices.ts'

const { streams, marksAsked } = vi.hoisted(() => ({ streams: [] as string[], marksAsked: [] as string[] }))
vi.mock('./lazy.ts', () => ({
  openedListening: async () => ({ followBookmarks: async (slug: string) => marksAsked.push(slug) }),
}))
vi.mock('#device/outbox.ts', () => ({ thisDeviceId: async () => 'phone' }))
vi.mock('#features/feed/listen.ts', () => ({
  listenToFeed: (userUuid: string) => {
    streams.push(userUuid)
    return () => void streams.pop()
  },
}))

test('listening: an account’s stream is open while its book is looked at or heard, and never without a network', async () => {
  let visibility = 'visible'
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility })
  const look = (next: string) => {
    visibility = next
    document.dispatchEvent(new Event('visibilitychange'))
  }
  const { engine, audio } = startEngine()
  becomeUser({ uuid: 'rosa' } as never, null)
  await followOtherDevices(engine, new QueryClient(), { handOver: () => undefined } as never)
  // No book yet, and a sample is nobody's place.
  expect(streams).toEqual([])
  engine.load(aPlayable({ kind: 'sample' }), undefined)
  expect(streams).toEqual([])
  engine.load(aPlayable(), undefined)
  expect(streams).toEqual(['rosa'])
  look('hidden')
  expect(streams).toEqual([])
  engine.play()
  await audio.arrives(60)
  expect(streams).toEqual(['rosa'])
  connectivity.lost()
  expect([connectivity.snapshot(), streams]).toEqual(['offline', []])
  look('visible')
  expect(streams).toEqual([])
  connectivity.note(true)
  expect(streams).toEqual(['rosa'])
  connectivity.stop()
})

test('listening: bookmarks made elsewhere are asked for as a book opens, not a sample’s, and not without a network', async () => {
  marksAsked.length = 0
  const { engine } = startEngine()
  becomeUser({ uuid: 'rosa' } as never, null)
  await followOtherDevices(engine, new QueryClient(), { handOver: () => undefined } as never)
  const opened = async (more: Parameters<typeof aPlayable>[0]) => {
    engine.load(aPlayable(more), undefined)
    await flush()
    return marksAsked.splice(0)
  }
  expect(await opened({ slug: 'heard', kind: 'sample' })).toEqual([])
  expect(await opened({ slug: 'tide' })).toEqual(['tide'])
  connectivity.lost()
  expect(await opened({ slug: 'salt' })).toEqual([])
  connectivity.stop()
})
