import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDataDir } from '#tests/support/database.ts'
import { SERVER_ENVIRONMENT } from '../../tools/server-command.ts'
import { openDatabase } from '../db/open.ts'

const COMMAND = ['--import', './server/db/quick-imports.ts', 'tools/murmur.ts', 'database']

test('the command prints the running shop’s database URL, or how to start the shop', async () => {
  const dataDir = await freshDataDir()
  const url = (more: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [...COMMAND, 'url'], {
      env: { ...process.env, ...SERVER_ENVIRONMENT, DATA_DIR: dataDir, DATABASE_URL: '', ...more },
    })
  const shop = await openDatabase({ dataDir })
  const { stdout } = await url()
  const client = new pg.Client({ connectionString: stdout.trim() })
  await client.connect()
  expect((await client.query('select count(*)::int as count from users')).rows).toEqual([{ count: 0 }])
  await client.end()
  await shop.close()
  await expect(url()).rejects.toMatchObject({
    code: 1,
    stderr: `The shop in ${dataDir} does not run. Start it, or: npm run database -- open\n`,
  })
  expect((await url({ DATABASE_URL: 'postgres://elsewhere/shop' })).stdout).toBe(
    'postgres://elsewhere/shop\n',
  )
  rmSync(dataDir, { recursive: true })
})
