import { expect, test, vi } from 'vitest'
import { silence } from './next-up.ts'

test('listening: the silence is a valid one-second file, generated once, with silent samples only', async () => {
  const addresses = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:silence')
  expect([silence(), silence()]).toEqual(['blob:silence', 'blob:silence'])
  expect(addresses).toHaveBeenCalledOnce()
  const made = addresses.mock.calls[0]![0] as Blob
  addresses.mockRestore()
  const file = Buffer.from(await made.arrayBuffer())
  const words = [0, 8, 12, 36].map((at) => file.toString('latin1', at, at + 4))
  expect([made.type, words]).toEqual(['audio/wav', ['RIFF', 'WAVE', 'fmt ', 'data']])
  expect([file.readUInt32LE(4) + 8, file.readUInt32LE(40) + 44]).toEqual([file.length, file.length])
  const format = [
    file.readUInt32LE(16),
    ...[20, 22].map((at) => file.readUInt16LE(at)),
    ...[24, 28].map((at) => file.readUInt32LE(at)),
    ...[32, 34].map((at) => file.readUInt16LE(at)),
  ]
  // 16 bytes of format: PCM, one channel, 8000 samples a second, one byte each.
  expect(format).toEqual([16, 1, 1, 8_000, 8_000, 1, 8])
  expect(new Set(file.subarray(44))).toEqual(new Set([128]))
  expect(file.readUInt32LE(40)).toBe(8_000)
})
