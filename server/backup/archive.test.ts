import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { asBadBackup, BadBackup } from './bad-backup.ts'
import { bufferOf, bytesEntry, type Entry, jsonEntry, readArchive, writeArchive } from './archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'murmur-archive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LONG = Buffer.alloc(300_000, 'a book that is read aloud ')

async function* entries(): AsyncGenerator<Entry> {
  yield jsonEntry('murmur.json', { format: 1 })
  yield bytesEntry('media/empty', Buffer.alloc(0))
  yield bytesEntry('media/long', LONG)
}

const written = async (name: string, passphrase?: string) => {
  const file = join(folder, name)
  await writeArchive(file, passphrase, entries())
  return file
}

async function readAll(file: string, passphrase?: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {}
  for await (const entry of readArchive(file, passphrase)) sizes[entry.name] = (await bufferOf(entry)).length
  return sizes
}

const SIZES = { 'murmur.json': 12, 'media/empty': 0, 'media/long': 300_000 }

test('an archive is read back as written, and tar can list it', async () => {
  const file = await written('plain')
  expect(await readAll(file)).toEqual(SIZES)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const listed = execFileSync('tar', ['-tf', file]).toString().trim().split('\n')
  expect(listed).toEqual([...Object.keys(SIZES), 'contents.json'])
  expect(execFileSync('tar', ['-xOf', file, 'media/long'])).toEqual(LONG)
})

test('an encrypted archive reveals nothing, and opens only with its passphrase', async () => {
  const file = await written('secret', 'owls at dusk')
  expect(readFileSync(file).includes('media')).toBe(false)
  expect(await readAll(file, 'owls at dusk')).toEqual(SIZES)
  await expect(readAll(file, 'owls at dawn')).rejects.toThrow('BACKUP_PASSPHRASE is not the passphrase')
  await expect(readAll(file)).rejects.toThrow('Set BACKUP_PASSPHRASE')
})

const SEALED = 64 * 1024 + 16

test.each([
  { passphrase: '', lengths: [0, 40, 600, 1536, 200_000, -1536, -1024, -512, -1] },
  // Also where a sealed chunk ends. Each attempt takes as long as it takes a thief.
  { passphrase: 'owls at dusk', lengths: [40, 64 + 2 * SEALED, -1] },
])(
  'one that was cut anywhere, or changed in one byte, is refused (passphrase “$passphrase”)',
  async ({ passphrase, lengths }) => {
    const whole = readFileSync(await written(`whole${passphrase}`, passphrase || undefined))
    const file = join(folder, 'hurt')
    for (const length of lengths) {
      writeFileSync(file, whole)
      truncateSync(file, length < 0 ? whole.length + length : length)
      await expect(readAll(file, passphrase), `cut after ${length}`).rejects.toThrow(/damaged|cut short/)
    }
    whole[100_000]! ^= 1
    writeFileSync(file, whole)
    await expect(readAll(file, passphrase)).rejects.toThrow('damaged')
  },
)

test('without disk space or folder, the error is one sentence', async () => {
  await expect(writeArchive(join(folder, 'nowhere/shop'), undefined, entries())).rejects.toThrow(
    'could not be written: its folder is not there. Make it first.',
  )
  expect(asBadBackup(Object.assign(new Error('no'), { code: 'ENOSPC' }), 'It failed')).toEqual(
    new BadBackup('It failed: the disk is full. Make room and try again.'),
  )
})

test('a failed write leaves no file', async () => {
  const file = join(folder, 'failed')
  async function* failing(): AsyncGenerator<Entry> {
    yield bytesEntry('media/long', LONG)
    yield { name: 'media/short', size: 10, content: Readable.from([Buffer.from('four')]) }
  }
  await expect(writeArchive(file, undefined, failing())).rejects.toThrow('media/short has 4 bytes and not 10')
  expect(() => statSync(file)).toThrow('ENOENT')
  expect(() => statSync(`${file}.part`)).toThrow('ENOENT')
})
