import { expect, test, vi } from 'vitest'
import { FakeAudio, flush } from '#tests/support/fake-audio.ts'
import { createDeck } from './deck.ts'

const hearer = {
  heard: () => undefined,
  sounding: () => undefined,
  starving: () => undefined,
  halted: () => undefined,
  ended: () => undefined,
  failed: () => undefined,
}

/** An element that holds these stretches of its chapter. */
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
  const deck = createDeck(audio.asElement(), hearer)
  expect(deck.buffered()).toBe(0)
  deck.aim(ear)
  deck.open({ url: '/sound', eager: true })
  await audio.arrives(60)
  audio.stretches = stretches.map(([from, to]) => [from, to])
  expect(deck.buffered()).toBe(shown)
})

test('a chapter that ends after the listener paused has not ended for them', async () => {
  const ended = vi.fn()
  const audio = new FakeAudio()
  const deck = createDeck(audio.asElement(), { ...hearer, ended })
  deck.open({ url: '/sound', eager: true })
  deck.play()
  await audio.arrives(60)
  deck.pause()
  audio.dispatchEvent(new Event('ended'))
  expect(ended).not.toHaveBeenCalled()
  deck.play()
  audio.dispatchEvent(new Event('ended'))
  expect(ended).toHaveBeenCalledOnce()
})

test('a refusal to play that comes after the listener paused changes nothing', async () => {
  const halted = vi.fn()
  const audio = new FakeAudio()
  const deck = createDeck(audio.asElement(), { ...hearer, halted })
  deck.open({ url: '/sound', eager: true })
  await audio.arrives(60)
  audio.refusals.push(new Error('NotAllowedError'), new Error('NotAllowedError'))
  deck.play()
  deck.pause()
  await flush()
  expect(audio.sources).toEqual(['/sound'])
  expect(halted).not.toHaveBeenCalled()
})
