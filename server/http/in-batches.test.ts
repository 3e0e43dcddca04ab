import { expect, test } from 'vitest'
import { inBatches, inBatchesOf } from './in-batches.ts'

const limits = { most: 3, waitingAtMost: 5 }

test('items that arrive together go into one call, up to the batch size', async () => {
  const batches: number[][] = []
  const double = inBatches<number, number>(async (items) => {
    batches.push([...items])
    return items.map((item) => item * 2)
  }, limits)

  expect(await Promise.all([1, 2, 3, 4].map(double))).toEqual([2, 4, 6, 8])
  expect(batches).toEqual([[1, 2, 3], [4]])
})

test('one failing item does not affect the others in its batch', async () => {
  const halve = inBatches<number, number>(
    async (items) => items.map((item) => (item % 2 ? new Error(`${item} is odd`) : item / 2)),
    limits,
  )
  const [four, three] = await Promise.allSettled([halve(4), halve(3)])
  expect(four).toEqual({ status: 'fulfilled', value: 2 })
  expect(three).toMatchObject({ status: 'rejected', reason: { message: '3 is odd' } })
})

test('a batch that fails does not stop the next one', async () => {
  let broken = true
  const call = inBatches<string, string>(async (items) => {
    if (broken) throw new Error('the database is away')
    return items
  }, limits)
  await expect(call('first')).rejects.toThrow('away')
  broken = false
  expect(await call('second')).toBe('second')
})

test('when the queue is full, further callers get 503', async () => {
  const call = inBatches<number, number>(async (items) => items, limits)
  const results = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(call))
  expect(results.filter(({ status }) => status === 'rejected')).toMatchObject([
    { reason: { kind: 'unavailable' } },
  ])
})

test('each database handle has its own queue', async () => {
  const [shop, transaction] = [{}, {}]
  const batches: (readonly [object, number[]])[] = []
  const same = inBatchesOf<object, number, number>(async (handle, items) => {
    batches.push([handle, [...items]])
    return items
  }, limits)
  expect(await Promise.all([same(shop, 1), same(transaction, 2), same(shop, 3)])).toEqual([1, 2, 3])
  expect(batches).toHaveLength(2)
  expect(batches).toContainEqual([shop, [1, 3]])
})
