import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { postponedWork } from '#server/db/schema/jobs.ts'
import { PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import type { Log } from '#server/log/log.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { backOffMs, forEachDue, postponing, untilNoneIsDue } from './for-each-due.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const outcome = (error: Error | undefined) => async () => {
  if (error) throw error
}

function recorder() {
  const warn = vi.fn()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only warnings are logged
  return { warn, options: { log: { warn } as unknown as Log, signal: undefined, problem: 'failed' } }
}

test('an item that fails is logged and counted, and does not stop the rest', async () => {
  const { warn, options } = recorder()
  const worked: number[] = []
  const work = async (item: number) => {
    if (item === 2) throw new Error('a bug')
    worked.push(item)
  }
  const about = (item: number) => ({ item })
  expect(await forEachDue([1, 2, 3], work, { ...options, about })).toEqual({ done: 2, failed: 1 })
  expect(worked).toEqual([1, 3])
  expect(warn).toHaveBeenCalledExactlyOnceWith({ err: expect.any(Error), item: 2 }, 'failed')
})

test('after three consecutive calls without an answer the rest waits, and an answer in between starts the count again', async () => {
  const { options } = recorder()
  const down = async () => {
    throw new PaymentsUnavailable('down')
  }
  const items = [1, 2, 3, 4, 5]
  const onFailure = vi.fn()
  await expect(forEachDue(items, down, { ...options, onFailure })).rejects.toThrow(PaymentsUnavailable)
  expect(onFailure).toHaveBeenCalledTimes(3)
  const quiet = { ...options, toleratesOutage: true }
  expect(await forEachDue(items, down, quiet)).toEqual({ done: 0, failed: 3 })
  const oddFail = (item: number) => (item % 2 === 1 ? down() : Promise.resolve())
  expect(await forEachDue(items, oddFail, options)).toEqual({ done: 2, failed: 3 })
})

test('an aborted signal starts no other item, and leaves the query', async () => {
  const { options } = recorder()
  const stopping = new AbortController()
  let isLeft = false
  async function* query() {
    try {
      for (let item = 0; ; item += 1) yield item
    } finally {
      isLeft = true
    }
  }
  const work = async (item: number) => {
    if (item === 4) stopping.abort()
  }
  expect(await forEachDue(query(), work, { ...options, signal: stopping.signal })).toEqual({
    done: 5,
    failed: 0,
  })
  expect(isLeft).toBe(true)
})

test('several items at once: each is done once', async () => {
  const { options } = recorder()
  const worked: number[] = []
  const two = Promise.withResolvers<void>()
  let begun = 0
  const work = async (item: number) => {
    if ((begun += 1) === 2) two.resolve()
    await two.promise
    worked.push(item)
  }
  await forEachDue([1, 2, 3, 4, 5], work, { ...options, concurrency: 3 })
  expect(worked.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5])
})

test('a query is repeated until a batch is not full', async () => {
  const rows = [1, 2, 3, 4, 5]
  const batches: number[] = []
  const select = async (limit: number) => {
    batches.push(rows.length)
    return rows.splice(0, limit)
  }
  const all: number[] = []
  for await (const row of untilNoneIsDue(select, 2)) all.push(row)
  expect(all).toEqual([1, 2, 3, 4, 5])
  expect(batches).toEqual([5, 3, 1])
})

test('the pause doubles with each failure, up to a day', () => {
  expect([1, 2, 3, 9, 10, 1000].map((failures) => backOffMs(failures) / 60_000)).toEqual([
    5, 10, 20, 1280, 1440, 1440,
  ])
})

test('an item that failed has growing pauses until it succeeds; one without an answer has none', async () => {
  const { options } = recorder()
  const item = { id: randomUUID() }
  const row = async () =>
    (await shop.db.select().from(postponedWork).where(eq(postponedWork.itemId, item.id)))[0]
  const run = (error?: Error) =>
    forEachDue([item], outcome(error), {
      ...options,
      ...postponing<typeof item>(shop, 'withdrawal', ({ id }) => id),
    })
  const pauseMinutes = async () => ((await row())!.until.getTime() - shop.clock.now().getTime()) / 60_000
  await run(new Error('a bug'))
  expect(await pauseMinutes()).toBe(5)
  await run(new Error('a bug'))
  expect(await pauseMinutes()).toBe(10)
  await run(new PaymentsUnavailable('down'))
  expect([await pauseMinutes(), (await row())!.failures]).toEqual([0, 2])
  await run()
  expect(await row()).toBeUndefined()
})
