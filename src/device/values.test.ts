import { beforeEach, expect, test, vi } from 'vitest'

const store = vi.hoisted(() => ({ get: vi.fn(), opened: 0 }))
vi.mock('idb-keyval', () => ({
  createStore: () => ({ number: (store.opened += 1) }),
  get: store.get,
}))
const { readValue } = await import('./values.ts')

beforeEach(() => void store.get.mockReset())

test('trap 13: a connection that was dropped in the background is opened once more, and asked again', async () => {
  store.get.mockRejectedValueOnce(new DOMException('', 'InvalidStateError')).mockResolvedValue('a device')
  const before = store.opened
  expect(await readValue('deviceId')).toBe('a device')
  expect(store.get).toHaveBeenCalledTimes(2)
  expect(store.opened).toBeGreaterThan(before)
})

test.each([new DOMException('', 'QuotaExceededError'), new Error('InvalidStateError')])(
  'any other failure is told at once: %s',
  async (failure) => {
    store.get.mockRejectedValue(failure)
    await expect(readValue('deviceId')).rejects.toBe(failure)
    expect(store.get).toHaveBeenCalledTimes(1)
  },
)
