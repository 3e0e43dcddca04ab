// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { connectivity } from '#net/connectivity.ts'
import { becomeUser } from '#session/store.ts'
import { aPlayable } from '#tests/support/a-playable.ts'
import { startEngine } from '#tests/support/an-engine.ts'
import { followOtherDevices } from './follow-other-devices.ts'

const { streams } = vi.hoisted(() => ({ streams: [] as string[] }))
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
