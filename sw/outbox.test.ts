import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { countWaiting } from '#sync/outbox.ts'
import { resumePlace } from '#storage/places.ts'
import { workerTokens } from '#storage/tokens.ts'
import { writeValue } from '#storage/values.ts'
import { exchange } from '#net/send.ts'
import { configureNet } from '#net/settings.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { storePlaceOnClose } from './outbox.ts'

let anna: string
let sent: { eventId: string; token: string | null }[]
const register = vi.fn(async () => undefined)
const heard = () => ({ slug: 'salt', chapter: 2, seconds: 41, fromSeconds: 30, eventId: crypto.randomUUID() })
const inCharge = (who: string) =>
  writeValue('tokens', { token: tokenOf(who), refreshToken: undefined, at: Date.now() })

beforeEach(() => {
  anna = crypto.randomUUID()
  sent = []
  register.mockClear()
  configureNet({
    origin: 'http://shop.test',
    exchange,
    tokens: workerTokens,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (request.method === 'HEAD') return fromShop(null)
      const body = (await request.json()) as { eventId: string; chapter: number; seconds: number }
      sent.push({ eventId: body.eventId, token: request.headers.get('xtoken') })
      const now = new Date().toISOString()
      const row = { id: 'row', heardAt: now, deviceId: null, ...body }
      const audioBookTime = { ...row, fromSeconds: 30, otherPlace: null }
      return fromShop(JSON.stringify({ ...row, serverTime: now, audioBookTime }), {
        headers: { 'content-type': 'application/json' },
      })
    },
  })
})

test('PLAY-28: the last position of a closed page is stored and sent by the worker, once', async () => {
  await inCharge(anna)
  const left = { type: 'HEARD', ownerUuid: anna, heard: heard() } as const
  await storePlaceOnClose(left, { sync: { register } })
  await storePlaceOnClose(left, { sync: { register } })
  expect(sent).toEqual([{ eventId: left.heard.eventId, token: `Bearer ${tokenOf(anna)}` }])
  expect(await countWaiting(anna)).toBe(0)
  expect(await resumePlace(anna, 'salt')).toMatchObject({ chapter: 2, seconds: 41, fromSeconds: 30 })
  expect(register).not.toHaveBeenCalled()
})

test('PLAY-28: without a network it is stored, and a background sync is registered', async () => {
  await inCharge(anna)
  configureNet({ fetch: () => Promise.reject(new TypeError('offline')) })
  await storePlaceOnClose({ type: 'HEARD', ownerUuid: anna, heard: heard() }, { sync: { register } })
  expect(await countWaiting(anna)).toBe(1)
  expect(register).toHaveBeenCalledTimes(1)
})

test('PLAY-29: with another user’s token it is stored for its listener and not sent', async () => {
  await inCharge(crypto.randomUUID())
  await storePlaceOnClose({ type: 'HEARD', ownerUuid: anna, heard: heard() }, { sync: { register } })
  expect(sent).toEqual([])
  expect(await countWaiting(anna)).toBe(1)
})
