import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AudioBookTime, SoundClaim } from '#contract/listening.ts'
import { flush } from '#tests/support/fake-audio.ts'
import { shareSound, type SharedSound } from './share-sound.ts'

const START = '2026-03-01T08:00:00.000Z'
const here = { slug: 'salt', chapter: 4, seconds: 1 }
const claimOf = (deviceId: string, claimId: string): SoundClaim => ({
  ...{ claimId, deviceId, audioBook: '/api/audio_books/salt' },
  ...{ chapter: 4, seconds: 1, startedAt: START, device: null },
})
const stoppedOnPhone: AudioBookTime = {
  ...{ '@id': '', '@type': 'UserAudioBookTime', id: 'row', audioBook: '/api/audio_books/salt' },
  ...{ chapter: 4, seconds: 16, heardAt: START, eventId: 'event', deviceId: 'phone', fromSeconds: null },
}

let laptop: SharedSound
/** Answers the first claim that has none yet; `before` played until then. */
let answer: (before: SoundClaim | null) => Promise<void>
let released: string[]

beforeEach(() => {
  vi.useFakeTimers()
  const waiting: [claimId: string, resolve: (answer: SoundClaim & { before: SoundClaim | null }) => void][] =
    []
  answer = async (before) => {
    const [claimId, resolve] = waiting.shift()!
    resolve({ ...claimOf('laptop', claimId), before })
    await flush()
  }
  released = []
  laptop = shareSound({
    deviceId: 'laptop',
    claim: (claimId) => new Promise((resolve) => waiting.push([claimId, resolve])),
    release: async (claimId) => void released.push(claimId),
    giveWay: () => undefined,
    onElsewhere: () => undefined,
    isOn: () => true,
    nowMs: () => 0,
  })
})
afterEach(() => void vi.useRealTimers())

test('a start took over if another device was playing the same title, until the next start', async () => {
  expect(laptop.tookOver()).toBe(false)
  void laptop.played(here)
  await answer(claimOf('phone', 'of the phone'))
  expect(laptop.tookOver()).toBe(true)
  void laptop.played(here)
  expect(laptop.tookOver()).toBe(false)
})

test('the answer to an earlier start doesn’t end the wait of the latest one', async () => {
  const first = laptop.played(here)
  const second = laptop.played(here)
  expect(await first).toBeUndefined()
  await answer(null)
  expect(released).toHaveLength(1)
  await answer(claimOf('phone', 'of the phone'))
  laptop.onPlace(stoppedOnPhone)
  await vi.advanceTimersByTimeAsync(500)
  expect(await second).toMatchObject({ seconds: 16 })
})

test('this device’s own start, announced after it stopped, is not another device’s', async () => {
  void laptop.played(here)
  await answer(null)
  laptop.stopped()
  laptop.onClaim(claimOf('laptop', released[0]!))
  expect(laptop.played(here)).toBeUndefined()
})
