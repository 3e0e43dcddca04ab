import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AudioBookTime, SoundClaim } from '#contract/listening.ts'
import type { PlayingElsewhere } from './model.ts'
import { shareSound, type SharedSound } from './share-sound.ts'
import { fc } from '#tests/support/random.ts'

interface Device {
  readonly state: { sounding: boolean; elsewhere: PlayingElsewhere | undefined }
  readonly shared: SharedSound
  play(): void
  pause(): void
}

/** The server's rule: the later of two starts wins. Tests control when answers and messages arrive. */
function shop() {
  let nowMs = 0
  let standing: SoundClaim | undefined
  const devices: Device[] = []
  let letters: (() => void)[] = []

  function device(deviceId: string): Device {
    const state: Device['state'] = { sounding: false, elsewhere: undefined }
    const shared = shareSound({
      deviceId,
      claim: (claimId, sounding, agoSeconds) => {
        // Messages take no time, but arrive in any order.
        const startedMs = nowMs - agoSeconds * 1000
        return new Promise((resolve) =>
          letters.push(() => {
            if (!standing || startedMs >= Date.parse(standing.startedAt)) {
              const claim: SoundClaim = {
                claimId,
                deviceId,
                device: { id: deviceId, name: deviceId },
                audioBook: `/api/audio_books/${sounding.slug}`,
                chapter: sounding.chapter,
                seconds: sounding.seconds,
                startedAt: new Date(startedMs).toISOString(),
              }
              standing = claim
              for (const other of devices) letters.push(() => other.shared.onClaim(claim))
            }
            const answer = standing
            letters.push(() => resolve(answer))
          }),
        )
      },
      release: (claimId) =>
        new Promise((resolve) =>
          letters.push(() => {
            if (standing?.claimId === claimId) {
              standing = undefined
              for (const other of devices) letters.push(() => other.shared.onRelease(claimId))
            }
            resolve(undefined)
          }),
        ),
      giveWay: () => void (state.sounding = false),
      onElsewhere: (elsewhere) => void (state.elsewhere = elsewhere),
      isOn: () => true,
      nowMs: () => nowMs,
    })
    const made = {
      state,
      shared,
      play() {
        state.sounding = true
        void shared.played({ slug: 'salt', chapter: 1, seconds: 0 })
      },
      pause() {
        state.sounding = false
        shared.stopped()
      },
    }
    devices.push(made)
    return made
  }
  return {
    device,
    pass: (ms: number) => void (nowMs += ms),
    /** Delivers one message: the oldest, or any other. */
    async deliver(which = 0) {
      const [letter] = letters.splice(which % Math.max(1, letters.length), 1)
      letter?.()
      await Promise.resolve()
      await Promise.resolve()
      await Promise.resolve()
    },
    waiting: () => letters.length,
    /** Drops all messages in transit. */
    lose: () => void (letters = []),
    async settle() {
      while (letters.length > 0) await this.deliver()
    },
  }
}

describe('two devices of one listener', () => {
  test('the one started last plays, and the other shows where playback moved', async () => {
    const at = shop()
    const [phone, laptop] = [at.device('phone'), at.device('laptop')]
    phone.play()
    await at.settle()
    at.pass(1_000)
    laptop.play()
    await at.settle()
    expect([phone.state.sounding, laptop.state.sounding]).toEqual([false, true])
    expect(phone.state.elsewhere).toMatchObject({ deviceName: 'laptop', slug: 'salt', chapter: 1 })

    at.pass(1_000)
    phone.play()
    await at.settle()
    expect([phone.state.sounding, laptop.state.sounding]).toEqual([true, false])
    expect(phone.state.elsewhere).toBeUndefined()
    phone.pause()
    await at.settle()
    // It no longer plays anywhere.
    expect(laptop.state.elsewhere).toBeUndefined()
  })

  test('an offline start yields to a later one, not vice versa', async () => {
    const at = shop()
    const [phone, laptop] = [at.device('phone'), at.device('laptop')]
    phone.play()
    at.lose()
    at.pass(60_000)
    laptop.play()
    await at.settle()
    expect([phone.state.sounding, laptop.state.sounding]).toEqual([true, true])
    phone.shared.reconnected()
    await at.settle()
    expect([phone.state.sounding, laptop.state.sounding]).toEqual([false, true])
  })

  test('in any order of messages, only the last started device plays in the end', async () => {
    const steps = fc.array(
      fc.record({ device: fc.nat(2), press: fc.constantFrom('play', 'pause'), letters: fc.array(fc.nat(9)) }),
      { minLength: 1, maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (pressed) => {
        const at = shop()
        const devices = ['phone', 'laptop', 'tablet'].map(at.device)
        let last: number | undefined
        for (const { device, press, letters } of pressed) {
          at.pass(1_000)
          const one = devices[device]!
          if (press === 'play' && !one.state.sounding) {
            one.play()
            last = device
          } else if (press === 'pause' && one.state.sounding) {
            one.pause()
            if (last === device) last = undefined
          }
          for (const which of letters) await at.deliver(which)
        }
        await at.settle()
        const playing = devices.flatMap(({ state }, index) => (state.sounding ? [index] : []))
        expect(playing.length).toBeLessThanOrEqual(1)
        expect(playing).toEqual(last === undefined ? playing : [last])
      }),
      { seed: 20_261_120, numRuns: 300 },
    )
  })
})

test('repeats a start that the server missed, with its age', () => {
  let nowMs = 1_000
  const ages: number[] = []
  const shared = shareSound({
    deviceId: 'phone',
    async claim(_id, _sounding, agoSeconds) {
      ages.push(agoSeconds)
      return undefined
    },
    release: async () => undefined,
    giveWay: () => undefined,
    onElsewhere: () => undefined,
    isOn: () => true,
    nowMs: () => nowMs,
  })
  void shared.played({ slug: 'salt', chapter: 1, seconds: 0 })
  nowMs = 4_500
  shared.reconnected()
  expect(ages).toEqual([0, 3.5])
})

describe('taking over continues at the other device’s place', () => {
  const START = '2026-03-01T08:00:00.000Z'
  const claimOf = (deviceId: string, part: Partial<SoundClaim> = {}): SoundClaim => ({
    ...{ claimId: `claim of ${deviceId}`, deviceId, audioBook: '/api/audio_books/salt' },
    ...{ chapter: 4, seconds: 1, startedAt: START, device: null },
    ...part,
  })
  const row = (seconds: number, heardAt: string, deviceId = 'phone'): AudioBookTime => ({
    ...{ '@id': '', '@type': 'UserAudioBookTime', id: 'row', audioBook: '/api/audio_books/salt' },
    ...{ chapter: 4, seconds, heardAt, eventId: 'event', deviceId, fromSeconds: null },
  })
  const EARLIER = '2026-03-01T07:59:59.999Z'
  const here = { slug: 'salt', chapter: 4, seconds: 1 }

  let answer: (before: SoundClaim | null) => Promise<void>
  let elsewhere: PlayingElsewhere | undefined
  let laptop: SharedSound

  beforeEach(() => {
    vi.useFakeTimers()
    elsewhere = undefined
    laptop = shareSound({
      deviceId: 'laptop',
      claim: (claimId) =>
        new Promise((resolve) => {
          answer = async (before) => {
            resolve({ ...claimOf('laptop', { claimId }), before })
            await vi.advanceTimersByTimeAsync(0)
          }
        }),
      release: async () => undefined,
      giveWay: () => ({ slug: 'salt', chapter: 4, seconds: 16 }),
      onElsewhere: (next) => void (elsewhere = next),
      isOn: () => true,
      nowMs: () => 0,
    })
  })
  afterEach(() => void vi.useRealTimers())

  test('waits for the place at which the other device stopped, ignoring earlier ones', async () => {
    const where = laptop.played(here)
    await answer(claimOf('phone'))
    laptop.onPlace(row(9, EARLIER))
    laptop.onPlace(row(12, START, 'tablet'))
    laptop.onPlace(row(16, START))
    expect(await where).toMatchObject({ seconds: 16 })
  })

  test('accepts a place that arrives before the claim is answered', async () => {
    const where = laptop.played(here)
    laptop.onPlace(row(16, START))
    await answer(claimOf('phone'))
    expect(await where).toMatchObject({ seconds: 16 })
  })

  test('waits for half a second at most', async () => {
    let ended = false
    const where = laptop.played(here)!.then((there) => ((ended = true), there))
    await answer(claimOf('phone'))
    await vi.advanceTimersByTimeAsync(499)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).toBe(true)
    expect(await where).toBeUndefined()
  })

  test.each([
    ['nobody played', null],
    ['it was this device itself', claimOf('laptop')],
    ['the other device plays another book', claimOf('phone', { audioBook: '/api/audio_books/oranges' })],
  ])('it does not wait where %s', async (_what, before) => {
    const where = laptop.played(here)
    await answer(before)
    expect(await where).toBeUndefined()
  })

  test('makes no request if it received every start and the last one ended', async () => {
    const first = laptop.played(here)
    await answer(null)
    await first
    laptop.stopped()
    expect(laptop.played(here)).toBeUndefined()
    await answer(null)
    laptop.stopped()
    laptop.onClaim(claimOf('phone'))
    expect(laptop.played(here)).toBeInstanceOf(Promise)
    await answer(claimOf('phone'))
    laptop.stopped()
    laptop.onClaim(claimOf('phone'))
    // The end of an older start does not affect the current one.
    laptop.onRelease('claim of tablet')
    expect(laptop.played(here)).toBeInstanceOf(Promise)
    await answer(claimOf('phone'))
    laptop.stopped()
    laptop.onClaim(claimOf('phone'))
    laptop.onRelease('claim of phone')
    expect(laptop.played(here)).toBeUndefined()
    await answer(null)
    laptop.stopped()
    laptop.disconnected()
    expect(laptop.played(here)).toBeInstanceOf(Promise)
  })

  test('the yielding device reports where it stopped, and the other continues there', async () => {
    void laptop.played(here)
    await answer(null)
    laptop.onClaim(claimOf('phone', { startedAt: '2026-03-01T08:00:01.000Z' }))
    expect(elsewhere).toMatchObject({ deviceId: 'phone', chapter: 4, seconds: 16 })
    void laptop.played(here)
    await answer(claimOf('phone'))
    const oranges = '/api/audio_books/oranges'
    laptop.onClaim(claimOf('phone', { audioBook: oranges, startedAt: '2026-03-01T08:00:02.000Z' }))
    expect(elsewhere).toMatchObject({ slug: 'oranges', seconds: 1 })
  })
})
