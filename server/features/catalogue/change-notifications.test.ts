import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PublicAnswers } from '../../http/response-cache.ts'
import { followCatalogue } from './caches.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function anInstance() {
  const answers = new PublicAnswers({ maxBytes: 1_000, countryOf: () => 'GB' })
  let tell = () => {}
  let reconnect = () => {}
  const listen = vi.fn<Parameters<typeof followCatalogue>[0]['database']['listen']>(
    async (_channel, onMessage, onGap) => {
      tell = () => onMessage('')
      reconnect = () => onGap!()
      return async () => undefined
    },
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a database it listens alone
  const database = { listen } as unknown as Parameters<typeof followCatalogue>[0]['database']
  const stop = await followCatalogue({ database, answers })
  return { forgot: () => answers.generation, tell, reconnect, stop }
}

test('clears the caches at once for the first of many changes, and once more after the last', async () => {
  const { forgot, tell, reconnect, stop } = await anInstance()
  tell()
  expect(forgot()).toBe(1)
  for (let batch = 0; batch < 40; batch += 1) tell()
  expect(forgot()).toBe(1)
  vi.advanceTimersByTime(2_000)
  expect(forgot()).toBe(2)
  vi.advanceTimersByTime(10_000)
  expect(forgot()).toBe(2)
  reconnect()
  expect(forgot()).toBe(3)
  await stop()
})

test('never misses the last change of an import, however long the import takes', async () => {
  const { forgot, tell, stop } = await anInstance()
  for (let batch = 0; batch < 100; batch += 1) {
    tell()
    vi.advanceTimersByTime(310)
  }
  const during = forgot()
  expect(during).toBeLessThanOrEqual(17)
  vi.advanceTimersByTime(2_000)
  const after = forgot()
  vi.advanceTimersByTime(10_000)
  expect([after > during, forgot()]).toEqual([true, after])
  await stop()
})
