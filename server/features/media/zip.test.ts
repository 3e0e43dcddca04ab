import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import JSZip from 'jszip'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FolderStore } from '#server/integrations/media/folder-store.ts'
import { attachment, fileName } from './send-file.ts'
import { zipBytes, zipStream } from './zip.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'murmur-zip-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function entriesOf(count: number, bytes: number) {
  const path = `${bytes}.mp3`
  await writeFile(join(folder, path), Buffer.alloc(bytes, 'm'))
  const open = () => new FolderStore(folder).stream(path)
  return Array.from({ length: count }, (_, n) => ({ name: `${n} Übergang.mp3`, bytes, open }))
}

test('API-57: a zip of many chapters has the announced length, in order, uncompressed', async () => {
  const warned: string[] = []
  const warn = ({ name }: Error) => void warned.push(name)
  process.on('warning', warn)
  const entries = await entriesOf(40, 5_000)
  const zip = await buffer(await zipStream(entries, new Date('2026-03-02T08:00:00Z')))
  process.off('warning', warn)
  expect(zip.length).toBe(zipBytes(entries))
  const { files } = await JSZip.loadAsync(zip, { checkCRC32: true })
  expect(Object.keys(files)).toEqual(entries.map(({ name }) => name))
  expect(warned).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'a listener who leaves in the middle leaves no file open',
  async () => {
    const opened = async () => {
      const links = await Promise.all(
        (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      )
      return links.filter((link) => link.startsWith(folder)).length
    }
    const zip = await zipStream(await entriesOf(3, 5_000_000), new Date())
    await new Promise((resolve) => zip.once('data', resolve))
    zip.pause()
    await expect.poll(opened).toBe(1)
    zip.destroy()
    await expect.poll(opened).toBe(0)
  },
)

test('announces no length that does not fit in four bytes', () => {
  const entry = { name: '01.mp3', bytes: 1_500_000_000, open: () => Promise.reject(new Error('not opened')) }
  expect(zipBytes([entry, entry])).toBeGreaterThan(3_000_000_000)
  expect(zipBytes([entry, entry, entry])).toBeUndefined()
})

test.each([
  ['Part 1/2: What? "Yes" <now>', 'Part 1 2 What Yes now.mp3'],
  ['..\\..\\secret', 'secret.mp3'],
  ['  Ends with dots... ', 'Ends with dots.mp3'],
  ['a\u202Eb\nc', 'a b c.mp3'],
  ['***', 'Untitled.mp3'],
  ['x'.repeat(300), `${'x'.repeat(120)}.mp3`],
  ['🐦'.repeat(300), `${'🐦'.repeat(60)}.mp3`],
])('the title %j becomes a file name that every system takes', (title, expected) => {
  expect(fileName(title, 'mp3')).toBe(expected)
})

test('a download has its name in ASCII and in Unicode', () => {
  expect(attachment(`Nächte d'été "1".epub`)).toBe(
    `attachment; filename="Nachte d'ete _1_.epub"; filename*=UTF-8''N%C3%A4chte%20d%27%C3%A9t%C3%A9%20%221%22.epub`,
  )
})
