import { beforeEach, expect, test, vi } from 'vitest'

const store = vi.hoisted(() => ({ get: vi.fn(), device: undefined as string | undefined, opened: 0 }))
vi.mock('idb-keyval', () => ({
  createStore: () => ({ number: (store.opened += 1) }),
  get: store.get,
  async update(_key: string, change: (kept: string | undefined) => string) {
    store.device = change(store.device)
  },
}))
const { deviceId, readValue } = await import('./values.ts')

beforeEach(() => void store.get.mockReset())

test('trap 13: reopens a connection that was dropped in the background and retries', async () => {
  store.get.mockRejectedValueOnce(new DOMException('', 'InvalidStateError')).mockResolvedValue('a device')
  const before = store.opened
  expect(await readValue('deviceId')).toBe('a device')
  expect(store.get).toHaveBeenCalledTimes(2)
  expect(store.opened).toBeGreaterThan(before)
})

test.each([new DOMException('', 'QuotaExceededError'), new Error('InvalidStateError')])(
  'any other failure is thrown at once: %s',
  async (failure) => {
    store.get.mockRejectedValue(failure)
    await expect(readValue('deviceId')).rejects.toBe(failure)
    expect(store.get).toHaveBeenCalledTimes(1)
  },
)

test('the device’s id is created once and then reused', async () => {
  const opened = store.opened
  const id = await deviceId()
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(await deviceId()).toBe(id)
  expect(store.device).toBe(id)
  expect(store.opened).toBe(opened)
})
