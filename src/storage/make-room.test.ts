import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withRoomMade } from './open.ts'

const kept = new Map<string, Set<string>>()

beforeEach(() => {
  kept.clear()
  kept.set('murmur-covers', new Set(['/media/covers/a.avif', '/media/covers/b.avif']))
  kept.set('murmur-catalogue', new Set(['/api/audio_books']))
  kept.set('murmur-shell', new Set(['/index.html']))
  vi.stubGlobal('caches', {
    open: async (name: string) => ({
      keys: async () => [...(kept.get(name) ?? [])],
      delete: async (key: string) => kept.get(name)?.delete(key),
    }),
  })
})
afterEach(() => vi.unstubAllGlobals())

const sizes = () => [...kept.values()].map(({ size }) => size)
const full = () => Promise.reject(new DOMException('No room', 'QuotaExceededError'))

test('trap 12: a full device evicts covers first, and pages only if that was not enough', async () => {
  const write = vi.fn(async () => (sizes()[0] === 0 ? 'kept' : full()))
  await expect(withRoomMade(write)).resolves.toBe('kept')
  expect(sizes()).toEqual([0, 1, 1])

  const harder = vi.fn(async () => (sizes()[1] === 0 ? 'kept' : full()))
  await expect(withRoomMade(harder)).resolves.toBe('kept')
  expect(sizes()).toEqual([0, 0, 1])
})

test('if nothing more can be evicted the call fails, and the shell stays', async () => {
  await expect(withRoomMade(full)).rejects.toThrow('No room')
  expect(sizes()).toEqual([0, 0, 1])
})

test('any other failure evicts nothing', async () => {
  await expect(withRoomMade(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(sizes()).toEqual([2, 1, 1])
})
