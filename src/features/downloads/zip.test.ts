import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { writeZip } from './save-stored-zip.ts'

const chapter = (seed: number) => Uint8Array.from({ length: 300_000 }, (_, at) => (at * seed) % 251)

test('PLAY-04: the stored chapters are saved as one zip, read one after the other', async () => {
  const names = ['01 One.mp3', '02 Two.mp3', '03 Three.mp3', '04 Four.mp3']
  const parts: Uint8Array[] = []
  const readAtByte: number[] = []
  let written = 0
  await writeZip(
    names.map((name, index) => ({
      name,
      read: async () => {
        readAtByte[index] = written
        return chapter(index + 1).buffer
      },
    })),
    async (bytes) => {
      parts.push(bytes)
      written += bytes.length
    },
  )
  const zip = await JSZip.loadAsync(await new Blob(parts.map((part) => new Uint8Array(part))).arrayBuffer())
  expect(Object.keys(zip.files)).toEqual(names)
  expect(await zip.file('03 Three.mp3')?.async('uint8array')).toEqual(chapter(3))

  // At most one chapter ahead: the third is not in memory before the first is written.
  expect(readAtByte[2]).toBeGreaterThanOrEqual(300_000)
  expect(readAtByte[3]).toBeGreaterThanOrEqual(600_000)
})

test('a chapter that cannot be read ends the zip with that error', async () => {
  const entries = [
    { name: 'a', read: async () => chapter(1).buffer },
    { name: 'b', read: () => Promise.reject(new Error('vanished')) },
  ]
  await expect(writeZip(entries, () => undefined)).rejects.toThrow('vanished')
})
