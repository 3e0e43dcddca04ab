import { spawnSync } from 'node:child_process'
import { fsyncSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDataDir, onPostgres } from '#tests/support/database.ts'
import { openEngine } from './engine.ts'
import { query } from './wire.ts'

describe.skipIf(onPostgres)('what is acknowledged is on the disk', () => {
  test('a hundred commits are a hundred fsyncs, and reading costs none', async () => {
    const dataDir = await freshDataDir()
    let syncs = 0
    const fsync = (descriptor: number) => {
      fsyncSync(descriptor)
      syncs++
    }
    const fatal = (reason: string): never => {
      throw new Error(reason)
    }
    const engine = await openEngine(join(dataDir, 'db'), fatal, fsync)
    engine.run([query('CREATE TABLE written (id int)')])
    syncs = 0
    for (let i = 0; i < 100; i++) engine.run([query(`INSERT INTO written VALUES (${i})`)])
    expect(syncs).toBe(100)
    for (let i = 0; i < 100; i++) engine.run([query('SELECT * FROM written')])
    expect(syncs).toBe(100)
    // The folder entry of the log counts as well as its contents.
    engine.run([query('SELECT pg_switch_wal()')])
    engine.run([query('CHECKPOINT')])
    expect(syncs).toBeGreaterThan(101)
    await engine.close()
    rmSync(dataDir, { recursive: true })
  })

  test('a disk that refuses ends the database before the commit is acknowledged', async () => {
    const dataDir = await freshDataDir()
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
      const engine = await openEngine(${JSON.stringify(join(dataDir, 'db'))}, fatal, fsync)
      console.log(engine.run([query('CREATE TABLE written (id int)')]).map(typeOf).join(''))
      broken = true
      console.log(engine.run([query('INSERT INTO written VALUES (1)')]).map(typeOf).join(''))
    `
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect(run.stdout).toMatch(/^CZ\nFATAL could not fsync file/)
    expect(run.status).toBe(3)
    rmSync(dataDir, { recursive: true })
  })
})
