import { expect, test } from 'vitest'
import { CatalogueCache, TimedCache, type TimedOptions } from './caches.ts'

function counted() {
  const answers = { generation: 0 }
  const facts = new CatalogueCache<number>(answers, 2)
  let asked = 0
  const ask = (key: string) => facts.of(key, async () => (asked += 1))
  return { answers, facts, ask, asked: () => asked }
}

test('a value is loaded once until the catalogue changes', async () => {
  const { answers, ask, asked } = counted()
  await Promise.all([ask('a'), ask('a')])
  expect(asked()).toBe(1)
  answers.generation += 1
  expect(await ask('a')).toBe(2)
})

test('the least recently used value is evicted', async () => {
  const { ask, asked } = counted()
  for (const key of ['a', 'b', 'c']) await ask(key)
  expect(await ask('c')).toBe(3)
  expect(await ask('a')).toBe(4)
  expect(asked()).toBe(4)
})

test('a failure is not cached', async () => {
  const { facts } = counted()
  await expect(facts.of('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(await facts.of('a', async () => 7)).toBe(7)
})

test('a missing value is not cached', async () => {
  const { answers } = counted()
  const facts = new CatalogueCache<number | undefined>(answers, 2)
  expect(await facts.of('a', async () => undefined)).toBeUndefined()
  expect(await facts.of('a', async () => 7)).toBe(7)
})

function timed(options: Partial<TimedOptions<number>>) {
  let nowMs = 0
  let asked = 0
  const values = new TimedCache<number>({ most: 10, nowMs: () => nowMs, ...options })
  return {
    values,
    ask: () => values.of('a', async () => (asked += 1)),
    later: (ms: number) => void (nowMs += ms),
  }
}

test('a value is loaded again after its time', async () => {
  const { ask, later } = timed({ freshMs: 100 })
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
  later(99)
  expect(await ask()).toBe(1)
  later(1)
  expect(await ask()).toBe(2)
})

test('an expired value is returned while the new one is loaded', async () => {
  const { ask, later } = timed({ freshMs: 100, staleMs: 100 })
  await ask()
  later(150)
  expect(await ask()).toBe(1)
  expect(await ask()).toBe(2)
  later(250)
  expect(await ask()).toBe(3)
})

test('a value that was forgotten while it was loaded is not cached', async () => {
  const { values, ask } = timed({})
  const reading = ask()
  values.forget('a')
  expect(await reading).toBe(1)
  expect(await ask()).toBe(2)
})

test('a failure is passed on, after the loader got the expired value', async () => {
  const { values, ask, later } = timed({ freshMs: 100 })
  await ask()
  later(200)
  const seen = values.of('a', async (expired) => {
    throw new Error(`after ${expired}`)
  })
  await expect(seen).rejects.toThrow('after 1')
  expect(await ask()).toBe(2)
})
