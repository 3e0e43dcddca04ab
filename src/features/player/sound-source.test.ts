import { expect, test, vi } from 'vitest'
import { FakeAudio, flush, named } from '#tests/support/fake-audio.ts'
import { createSoundSource } from './sound-source.ts'

const listeners = {
  progressed: () => undefined,
  sounding: () => undefined,
  starving: () => undefined,
  halted: () => undefined,
  ended: () => undefined,
  failed: () => undefined,
}

/** An element with these ranges buffered. */
class Holding extends FakeAudio {
  stretches: [from: number, to: number][] = []
  override get buffered() {
    return {
      length: this.stretches.length,
      start: (at = 0) => this.stretches[at]![0],
      end: (at = 0) => this.stretches[at]![1],
    }
  }
}

test.each([
  ['nothing', 10, [], 0],
  ['one stretch around the ear', 10, [[0, 30]], 30],
  [
    'the stretch that the ear is in, not the first',
    40,
    [
      [0, 20],
      [35, 55],
    ],
    55,
  ],
  [
    'nor the last',
    10,
    [
      [5, 20],
      [35, 55],
    ],
    20,
  ],
  ['what begins up to a second ahead, which the element bridges', 10, [[11, 30]], 30],
  ['nothing of what begins later', 10, [[11.5, 30]], 0],
  ['nothing of what lies behind', 10, [[0, 9.5]], 0],
  ['what ends exactly here', 10, [[0, 10]], 10],
] as const)('the line shows as fetched %s', async (_what, ear, stretches, shown) => {
  const audio = new Holding()
  const source = createSoundSource(audio.asElement(), listeners)
  expect(source.buffered()).toBe(0)
  source.aim(ear)
  source.open({ url: '/sound', eager: true })
  await audio.arrives(60)
  audio.stretches = stretches.map(([from, to]) => [from, to])
  expect(source.buffered()).toBe(shown)
})

test('ignores the end of a chapter after a pause', async () => {
  const ended = vi.fn()
  const audio = new FakeAudio()
  const source = createSoundSource(audio.asElement(), { ...listeners, ended })
  source.open({ url: '/sound', eager: true })
  source.play()
  await audio.arrives(60)
  source.pause()
  audio.dispatchEvent(new Event('ended'))
  expect(ended).not.toHaveBeenCalled()
  source.play()
  audio.dispatchEvent(new Event('ended'))
  expect(ended).toHaveBeenCalledOnce()
})

test('ignores a refused play after a pause', async () => {
  const halted = vi.fn()
  const audio = new FakeAudio()
  const source = createSoundSource(audio.asElement(), { ...listeners, halted })
  source.open({ url: '/sound', eager: true })
  await audio.arrives(60)
  audio.refusals.push(new Error('NotAllowedError'), new Error('NotAllowedError'))
  source.play()
  source.pause()
  await flush()
  expect(audio.sources).toEqual(['/sound'])
  expect(halted).not.toHaveBeenCalled()
})

async function sounding() {
  const audio = new FakeAudio()
  const told = { progressed: vi.fn(), halted: vi.fn(), failed: vi.fn(), starving: vi.fn(), sounding: vi.fn() }
  const source = createSoundSource(audio.asElement(), { ...listeners, ...told })
  source.open({ url: '/sound', eager: true })
  source.play()
  await audio.arrives(60)
  return { audio, source, ...told }
}

test('trap 3: a seek that misses its target while paused is a fault too', async () => {
  const { audio, source, failed } = await sounding()
  source.pause()
  audio.deaf = true
  source.seek(40)
  await flush()
  expect(failed).toHaveBeenCalledExactlyOnceWith('seek')
  expect(source.seconds()).toBe(40)
})

test('trap 3: a chapter opened in the middle that stays at 0 is a fault before play', async () => {
  const failed = vi.fn()
  const audio = new FakeAudio()
  const source = createSoundSource(audio.asElement(), { ...listeners, failed })
  audio.deaf = true
  source.aim(40)
  source.open({ url: '/sound', eager: true })
  await audio.arrives(60)
  expect(failed).toHaveBeenCalledExactlyOnceWith('seek')
  expect(source.seconds()).toBe(40)
})

test.each([
  ['a second back', 39, 39, 0],
  ['more than a second back', 38.9, 40, 1],
])('trap 3: an element that moves %s without a seek', async (_what, to, stands, faults) => {
  const { audio, source, failed } = await sounding()
  source.seek(40)
  await flush()
  await audio.slipsTo(to)
  expect(source.seconds()).toBe(stands)
  expect(failed).toHaveBeenCalledTimes(faults)
})

type SoundSource = ReturnType<typeof createSoundSource>

test.each<[string, (source: SoundSource) => void]>([
  ['at once', () => undefined],
  ['once it was aimed elsewhere', (source) => source.aim(5)],
  ['once it was closed', (source) => (source.close(), source.play())],
])('ignores a refused play of an earlier source: the next one opened %s', async (_when, between) => {
  const { audio, source, halted } = await sounding()
  audio.refusals.push(named('NotAllowedError'))
  source.open({ url: '/next', eager: true })
  between(source)
  source.open({ url: '/after', eager: true })
  await audio.arrives(30)
  expect(audio.sources).toEqual(['/sound', '/next', '/after'])
  expect(audio.paused).toBe(false)
  expect(halted).not.toHaveBeenCalled()
})

test('a source that fails to load is a fault, not a refused play', async () => {
  const { audio, source, halted, failed } = await sounding()
  source.open({ url: '/next', eager: true })
  await audio.breaks()
  expect(failed).toHaveBeenCalledExactlyOnceWith('unreachable')
  expect(halted).not.toHaveBeenCalled()
  expect(audio.sources).toEqual(['/sound', '/next'])
})

test('also if play rejects before the error event', async () => {
  const { audio, source, halted } = await sounding()
  audio.refusals.push(named('NotSupportedError'))
  source.open({ url: '/next', eager: true })
  audio.error = { code: 4 }
  await flush()
  expect(halted).not.toHaveBeenCalled()
  expect(audio.sources).toEqual(['/sound', '/next'])
})

test('trap 8: resets the source of an element that refuses to play, once per press', async () => {
  const { audio, source, halted } = await sounding()
  const refuse = (times: number) =>
    audio.refusals.push(...Array.from({ length: times }, () => named('NotAllowedError')))
  const press = async () => {
    source.pause()
    await flush()
    source.play()
    await flush()
  }
  refuse(1)
  await press()
  await audio.arrives(60)
  expect([audio.sources.length, halted.mock.calls.length]).toEqual([2, 0])
  refuse(2)
  await press()
  expect([audio.sources.length, halted.mock.calls.length]).toEqual([3, 1])
  refuse(1)
  source.play()
  await flush()
  await audio.arrives(60)
  expect([audio.sources.length, halted.mock.calls.length]).toEqual([4, 1])
  // Once more after sound started without a press.
  refuse(1)
  source.play()
  await flush()
  expect([audio.sources.length, halted.mock.calls.length]).toEqual([5, 1])
})

test('trap 8: also at the first press', async () => {
  const halted = vi.fn()
  const audio = new FakeAudio()
  const source = createSoundSource(audio.asElement(), { ...listeners, halted })
  source.open({ url: '/sound', eager: true })
  audio.refusals.push(named('NotAllowedError'))
  source.play()
  await flush()
  expect([audio.sources.length, halted.mock.calls.length]).toEqual([2, 0])
})

test('a halted element does not count as playing', async () => {
  const { audio, halted, sounding: sounds } = await sounding()
  await audio.isInterrupted()
  expect(halted).toHaveBeenCalledOnce()
  const told = sounds.mock.calls.length
  audio.dispatchEvent(new Event('playing'))
  expect(sounds).toHaveBeenCalledTimes(told)
})

test('ignores events of the previous source after a new target', async () => {
  const { audio, source, failed } = await sounding()
  source.seek(40)
  source.aim(5)
  await flush()
  audio.dispatchEvent(new Event('loadedmetadata'))
  source.seek(10)
  expect([audio.currentTime, source.seconds(), source.duration()]).toEqual([40, 10, undefined])
  audio.error = { code: 2 }
  audio.dispatchEvent(new Event('error'))
  expect(failed).not.toHaveBeenCalled()
})

test('ignores an error event without an error', async () => {
  const { audio, failed } = await sounding()
  audio.dispatchEvent(new Event('error'))
  expect(failed).not.toHaveBeenCalled()
})

test('the time of an element without a source is not a place', async () => {
  const audio = new FakeAudio()
  const source = createSoundSource(audio.asElement(), listeners)
  source.play()
  audio.paused = false
  await audio.slipsTo(30)
  expect(source.seconds()).toBe(0)
})

test('ignores time updates after the sound has stopped', async () => {
  const { audio, source, progressed } = await sounding()
  audio.paused = true
  await audio.slipsTo(30)
  expect([source.seconds(), progressed.mock.calls.length]).toEqual([0, 0])
})

test('a chapter loads without a seek, and seeks once its metadata is loaded', async () => {
  const audio = new FakeAudio()
  const source = createSoundSource(audio.asElement(), listeners)
  const measures = () => {
    audio.readyState = 1
    audio.duration = 60
    audio.dispatchEvent(new Event('loadedmetadata'))
  }
  source.open({ url: '/sound', eager: true })
  measures()
  expect(audio.seeking).toBe(false)
  source.seek(30)
  expect(audio.currentTime).toBe(30)
  await flush()
  source.open({ url: '/next', eager: true })
  expect(audio.playCalls).toBe(0)
  measures()
  expect(audio.currentTime).toBe(30)
})

test('a closed source stays silent with the next address', async () => {
  const { audio, source } = await sounding()
  source.close()
  source.open({ url: '/next', eager: true })
  await audio.arrives(60)
  expect(audio.paused).toBe(true)
})

test.each([
  ['within a second of the wish', 39, 0],
  ['further off', 38.9, 1],
])('trap 3: a jump that lands %s', async (_where, lands, faults) => {
  const { audio, source, failed } = await sounding()
  source.seek(40)
  await audio.slipsTo(lands)
  expect(failed).toHaveBeenCalledTimes(faults)
  // Each fault is emitted once.
  await audio.slipsTo(10)
  expect(failed).toHaveBeenCalledTimes(1)
})

test('checks an unexpected move of a paused element when it plays again', async () => {
  const { audio, source, failed } = await sounding()
  source.seek(40)
  await flush()
  source.pause()
  await audio.slipsTo(10)
  audio.dispatchEvent(new Event('seeked'))
  expect([failed.mock.calls.length, source.seconds()]).toEqual([0, 40])
})

test('emits no events for an element that should not play', async () => {
  const { audio, source, halted, progressed, starving, sounding: sounds } = await sounding()
  source.pause()
  await flush()
  const told = [halted, progressed, starving, sounds].map((each) => each.mock.calls.length)
  await audio.isInterrupted()
  audio.starves()
  audio.dispatchEvent(new Event('playing'))
  await audio.slipsTo(30)
  expect([halted, progressed, starving, sounds].map((each) => each.mock.calls.length)).toEqual(told)
})

test('a pause during a change of target is not a halt', async () => {
  const { audio, source, halted } = await sounding()
  source.aim(10)
  await flush()
  expect(audio.paused).toBe(true)
  expect(halted).not.toHaveBeenCalled()
})

test('a target past the end becomes the end once the duration is known', async () => {
  const { source } = await sounding()
  source.seek(90)
  expect(source.seconds()).toBe(60)
  expect(source.duration()).toBe(60)
})

test('preloads only sources that play soon', () => {
  const audio = new FakeAudio()
  const source = createSoundSource(audio.asElement(), listeners)
  source.open({ url: '/sound', eager: false })
  expect(audio.preload).toBe('metadata')
  source.open({ url: '/sound', eager: true })
  expect(audio.preload).toBe('auto')
  expect(source.duration()).toBeUndefined()
})

test('silent audio loops without being the title’s sound, until a source opens, which waits for play', async () => {
  const { audio, source, progressed, sounding: sounds } = await sounding()
  const told = sounds.mock.calls.length
  const onSound = vi.fn()
  const stop = source.rest('blob:silence', onSound)
  await audio.arrives(1)
  await audio.hears(0.25)
  expect([audio.src, audio.loop, audio.paused]).toEqual(['blob:silence', true, false])
  expect([onSound, progressed, sounds].map((each) => each.mock.calls.length)).toEqual([1, 0, told])
  source.open({ url: '/next', eager: true })
  await audio.arrives(30)
  expect([audio.loop, audio.paused]).toEqual([false, true])
  source.play()
  await flush()
  // The silence is over already, so this stops nothing.
  stop()
  expect(audio.paused).toBe(false)
})

test('silent audio stops on demand', async () => {
  const { audio, source } = await sounding()
  const onSound = vi.fn()
  const stop = source.rest('blob:silence', onSound)
  await audio.arrives(1)
  stop()
  expect(audio.paused).toBe(true)
  await audio.slipsTo(0.5)
  expect(onSound).not.toHaveBeenCalled()
})

test('ignores a refused play of a source that silent audio replaced', async () => {
  const { audio, source, halted } = await sounding()
  audio.refusals.push(named('NotAllowedError'))
  source.open({ url: '/next', eager: true })
  source.rest('blob:silence', () => undefined)
  source.play()
  source.open({ url: '/after', eager: true })
  await audio.arrives(30)
  expect(audio.sources).toEqual(['/sound', '/next', 'blob:silence', '/after'])
  expect(halted).not.toHaveBeenCalled()
})

test('trap 8: testing for volume control leaves the volume unchanged', () => {
  const audio = new FakeAudio()
  audio.volume = 0.8
  expect(createSoundSource(audio.asElement(), listeners).setsVolume).toBe(true)
  expect(audio.volume).toBe(0.8)
  const onPhones = new FakeAudio()
  Object.defineProperty(onPhones, 'volume', { get: () => 1, set() {} })
  expect(createSoundSource(onPhones.asElement(), listeners).setsVolume).toBe(false)
})
