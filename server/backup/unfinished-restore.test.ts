import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { refuseNoShop } from '#server/db/snapshot.ts'
import { joinDatabase, openDatabase } from '#server/db/open.ts'
import { checkUnfinishedRestore } from '#server/checks/machine.ts'
import { readConfig } from '#server/settings/config.ts'
import { testDatabase } from '#tests/support/database.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'murmur-unfinished-'))
const restoring = join(dataDir, 'restoring')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const REFUSED = /^The restore into \S+ did not finish.+npm run restore -- FILE.+remove \S+restoring\.$/

test('after a killed restore no shop opens in its folder, and no keys are created there', async () => {
  mkdirSync(restoring)
  await expect(openDatabase({ dataDir })).rejects.toThrow(REFUSED)
  await expect(joinDatabase({ dataDir })).rejects.toThrow(REFUSED)
  expect(() => readConfig({ DATA_DIR: dataDir }, [])).toThrow(REFUSED)
  expect(() => refuseNoShop({ dataDir })).toThrow(REFUSED)
  expect(['postgres', 'app.key', 'code.key'].filter((name) => existsSync(join(dataDir, name)))).toEqual([])
  expect(checkUnfinishedRestore({ dataDir }).problems).toMatchObject([{ severity: 'look' }])
  rmSync(restoring, { recursive: true })
  expect(() => readConfig({ DATA_DIR: dataDir }, [])).not.toThrow()
  expect(checkUnfinishedRestore({ dataDir }).problems).toEqual([])
})

test('after a killed restore no shop opens in its empty database', async () => {
  const database = await testDatabase()
  const { rows } = await database.db.execute<{ name: string }>(sql`select current_database() as name`)
  const [{ name }] = rows as [{ name: string }]
  await database.db.execute(sql.raw(`create database ${name}_empty`))
  const databaseUrl = database.pool.options.connectionString!.replace(`/${name}?`, `/${name}_empty?`)
  mkdirSync(restoring)
  await expect(openDatabase({ dataDir, databaseUrl })).rejects.toThrow(REFUSED)
  await expect(openDatabase({ dataDir, databaseUrl, schemaAsItIs: true })).rejects.toThrow(REFUSED)
  rmSync(restoring, { recursive: true })
  await (await openDatabase({ dataDir, databaseUrl })).close()
  // The restore was killed after its last step: the shop exists.
  mkdirSync(restoring)
  await (await openDatabase({ dataDir, databaseUrl })).close()
  await database.close()
})
