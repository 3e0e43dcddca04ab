import { expect, test } from 'vitest'
import { oneAtATime } from './sync-subscription.ts'

test('calls during a run share one more run, which starts afterwards; other keys do not wait', async () => {
  const ask = oneAtATime<number>()
  const ends: (() => void)[] = []
  let runs = 0
  const work = () => {
    const run = ++runs
    return new Promise<number>((resolve) => ends.push(() => resolve(run)))
  }
  const first = ask('a', work)
  const others = [ask('a', work), ask('a', work), ask('a', work)]
  const elsewhere = ask('b', work)
  expect(runs).toBe(2)
  ends[1]!()
  expect(await elsewhere).toBe(2)
  ends[0]!()
  expect(await first).toBe(1)
  await new Promise(setImmediate)
  expect(runs).toBe(3)
  const late = ask('a', work)
  ends[2]!()
  expect(await Promise.all(others)).toEqual([3, 3, 3])
  await new Promise(setImmediate)
  ends[3]!()
  expect(await late).toBe(4)
  const again = ask('a', work)
  ends[4]!()
  expect(await again).toBe(5)
})

test('a failed run rejects all calls that share it, and the next run starts anyway', async () => {
  const ask = oneAtATime<string>()
  const fails = ask('a', () => Promise.reject(new Error('away')))
  const next = ask('a', () => Promise.resolve('well'))
  await expect(fails).rejects.toThrow('away')
  expect(await next).toBe('well')
  expect(await ask('a', () => Promise.resolve('again'))).toBe('again')
})
