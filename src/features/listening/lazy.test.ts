import { afterEach, expect, test, vi } from 'vitest'
import { openedListening, openListeningOf } from './lazy.ts'

const { openListening } = vi.hoisted(() => ({ openListening: vi.fn() }))
vi.mock('./listening.ts', () => ({ openListening }))
afterEach(() => void openListeningOf(undefined))

test('retries a failed opening with the next place and the same ports', async () => {
  const ports = { lengthsOf: vi.fn() }
  const listening = { ownerUuid: 'anna', stop: vi.fn() }
  openListening.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  openListening.mockResolvedValue(listening)
  await expect(openListeningOf('anna', ports)).rejects.toThrow('Failed to fetch')
  expect(await openedListening()).toBe(listening)
  expect(openListening.mock.calls).toEqual([
    ['anna', ports],
    ['anna', ports],
  ])
})
