import { afterEach, expect, test, vi } from 'vitest'
import {
  askForSync,
  forgetPersonalAnswers,
  keepCatalogue,
  OUTBOX_SYNC,
  personalCacheName,
  warmCatalogue,
} from './messages.ts'

afterEach(() => void vi.unstubAllGlobals())

test('the personal answers of all users but one are forgotten, and public ones stay', async () => {
  const kept = new Set(['rosa', 'otto'].map(personalCacheName)).add('murmur-pages')
  vi.stubGlobal('caches', { keys: async () => [...kept], delete: async (name: string) => kept.delete(name) })
  await forgetPersonalAnswers('rosa')
  expect([...kept]).toEqual([personalCacheName('rosa'), 'murmur-pages'])
  await forgetPersonalAnswers()
  expect([...kept]).toEqual(['murmur-pages'])
  vi.stubGlobal('caches', undefined)
  await expect(forgetPersonalAnswers()).resolves.toBeUndefined()
})

test('the worker is told once it is active; without one, or if it refuses a sync, nothing fails', async () => {
  const told: unknown[] = []
  const register = vi.fn(async () => Promise.reject(new Error('denied')))
  const worker = (active: object | null) =>
    vi.stubGlobal('navigator', {
      serviceWorker: { controller: null, ready: Promise.resolve({ active, sync: { register } }) },
    })
  worker({ postMessage: (message: unknown) => told.push(message) })
  await warmCatalogue(['/api/books'], ['/'])
  await keepCatalogue()
  await askForSync()
  expect(told).toEqual([
    { type: 'WARM', addresses: ['/api/books'], pages: ['/'] },
    { type: 'KEEP_CATALOGUE' },
  ])
  expect(register).toHaveBeenCalledWith(OUTBOX_SYNC)
  worker(null)
  await keepCatalogue()
  vi.stubGlobal('navigator', {})
  await Promise.all([keepCatalogue(), warmCatalogue([], []), askForSync()])
  expect(told).toHaveLength(2)
})
