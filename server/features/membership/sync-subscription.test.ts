import { expect, test } from 'vitest'
import { oneAtATime } from './sync-subscription.ts'

test('who asks while work is under way shares one more run, which begins afterwards; other things do not wait', async () => {
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
  // This one came after that had begun.
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

test('a run that fails fails for those who share it, and the next one begins all the same', async () => {
  const ask = oneAtATime<string>()
  const fails = ask('a', () => Promise.reject(new Error('away')))
  const next = ask('a', () => Promise.resolve('well'))
  await expect(fails).rejects.toThrow('away')
  expect(await next).toBe('well')
  expect(await ask('a', () => Promise.resolve('again'))).toBe('again')
})
