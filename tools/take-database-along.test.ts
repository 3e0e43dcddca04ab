import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { majorOf, takeDatabaseAlong } from './take-database-along.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'murmur-along-'))
  makeCluster('17')
})
afterEach(() => rmSync(dataDir, { recursive: true }))

function makeCluster(major: string): void {
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), `${major}\n`)
}
const madeBy = (folder: string) => readFileSync(join(dataDir, folder, 'PG_VERSION'), 'utf8').trim()

function along(more: Partial<Parameters<typeof takeDatabaseAlong>[0]> = {}) {
  return takeDatabaseAlong({
    dataDir,
    major: '18',
    backUp: async (file) => writeFileSync(file, madeBy('postgres')),
    restore: async (file) => {
      expect(readFileSync(file, 'utf8')).toBe('17')
      makeCluster('18')
    },
    say: () => undefined,
    ...more,
  })
}

test('a database of another major version is backed up and restored into a new cluster, and the old one stays', async () => {
  const bringBack = await along()
  expect([madeBy('postgres'), madeBy('postgres-17')]).toEqual(['18', '17'])
  await bringBack()
  expect(madeBy('postgres')).toBe('17')
  expect(existsSync(join(dataDir, 'postgres-17'))).toBe(false)
})

test('if the backup or the restore fails, the shop is unchanged', async () => {
  await expect(along({ backUp: () => Promise.reject(new Error('no room')) })).rejects.toThrow('no room')
  expect(madeBy('postgres')).toBe('17')
  await expect(along({ restore: () => Promise.reject(new Error('no room')) })).rejects.toThrow('no room')
  expect(madeBy('postgres')).toBe('17')
})

test('does nothing for the same version, or without an embedded database', async () => {
  const untouched = { backUp: () => expect.unreachable(), restore: () => expect.unreachable() }
  await along({ major: '17', ...untouched })
  rmSync(join(dataDir, 'postgres'), { recursive: true })
  await along(untouched)
  expect(majorOf('.')).toBe('18')
  expect(majorOf(dataDir)).toBeUndefined()
})
