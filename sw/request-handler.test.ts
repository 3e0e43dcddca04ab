import { expect, test } from 'vitest'
import { letWritesBypass } from './request-handler.ts'

test('POST requests are routed past the worker', async () => {
  const rules: unknown[] = []
  const waits: Promise<unknown>[] = []
  const addRoutes = async (rule: unknown) => void rules.push(rule)
  letWritesBypass({ waitUntil: (work) => void waits.push(work), addRoutes })
  expect(rules).toEqual([{ condition: { requestMethod: 'POST' }, source: 'network' }])
  expect(waits).toHaveLength(1)
})

test('the worker also installs in a browser without such routes', async () => {
  const waits: Promise<unknown>[] = []
  const waitUntil = (work: Promise<unknown>) => void waits.push(work)
  letWritesBypass({ waitUntil })
  expect(waits).toEqual([])
  letWritesBypass({ waitUntil, addRoutes: () => Promise.reject(new TypeError('unknown condition')) })
  await expect(Promise.all(waits)).resolves.toHaveLength(1)
})
