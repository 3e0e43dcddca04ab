import { spawnSync } from 'node:child_process'
import { fstatSync, fsyncSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDataDir, onPostgres } from '#tests/support/database.ts'
import { type Engine, openEngine, shortenLog } from './engine.ts'
import { query } from './wire.ts'

describe.skipIf(onPostgres)('what is acknowledged is on the disk', () => {
  let folder: string
  let engine: Engine
  let syncs = 0
  let foldersSynced = 0
  beforeAll(async () => {
    folder = join(await freshDataDir(), 'db')
    const fatal = (reason: string): never => {
      throw new Error(reason)
    }
    engine = await openEngine(folder, fatal, (descriptor) => {
      fsyncSync(descriptor)
      syncs++
      if (fstatSync(descriptor).isDirectory()) foldersSynced++
    })
    engine.run([query('CREATE TABLE written (id int, text text)')])
  })
  afterAll(() => rmSync(join(folder, '..'), { recursive: true }))

  test('a hundred commits are a hundred fsyncs, and reading costs none', () => {
    syncs = 0
    for (let i = 0; i < 100; i++) engine.run([query(`INSERT INTO written VALUES (${i})`)])
    expect(syncs).toBe(100)
    for (let i = 0; i < 100; i++) engine.run([query('SELECT * FROM written')])
    expect(syncs).toBe(100)
  })

  test('a new file of the log reaches the disk with its entry in the folder', () => {
    const before = foldersSynced
    // Three segments that are not there yet; text that does not compress.
    const text = 'SELECT string_agg(md5(i::text), null) FROM generate_series(1, 400000) i'
    engine.run([query(`INSERT INTO written SELECT 1, (${text})`)])
    expect(foldersSynced).toBeGreaterThan(before)
  })

  test('the log does not grow for ever', () => {
    const write = () => {
      const rows = 'SELECT i, repeat(md5(i::text), 8) FROM generate_series(1, 90000) i'
      engine.run([query(`INSERT INTO written ${rows}`)])
      shortenLog(engine)
      return readdirSync(join(folder, 'pg_wal')).length
    }
    // Segments of 4 MB; what is no longer needed is used again.
    for (let round = 0; round < 4; round++) expect(write()).toBeLessThan(32)
  })

  test('a disk that refuses ends the database before the commit is acknowledged', async () => {
    await engine.close()
    // In a process of its own: PGlite never returns from a session that has ended.
    const script = `
      import { openEngine } from ${JSON.stringify(new URL('./engine.ts', import.meta.url).href)}
      import { query, typeOf } from ${JSON.stringify(new URL('./wire.ts', import.meta.url).href)}
      import { fsyncSync } from 'node:fs'
      let broken = false
      const fatal = (reason) => { console.log('FATAL ' + reason); process.exit(3) }
      const fsync = (descriptor) => {
        if (broken) throw Object.assign(new Error('input/output error'), { code: 'EIO' })
        fsyncSync(descriptor)
      }
      const engine = await openEngine(${JSON.stringify(folder)}, fatal, fsync)
      console.log(engine.run([query('INSERT INTO written VALUES (2)')]).map(typeOf).join(''))
      broken = true
      console.log(engine.run([query('INSERT INTO written VALUES (3)')]).map(typeOf).join(''))
    `
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect(run.stdout).toMatch(/^CZ\nFATAL could not fsync file/)
    expect(run.status).toBe(3)
  })
})
