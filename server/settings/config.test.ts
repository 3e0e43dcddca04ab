import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig, readPlace } from './config.ts'

test('the data are in ./var unless DATA_DIR names another folder, as for npm start', () => {
  expect(readPlace({})).toEqual({ dataDir: resolve('var'), databaseUrl: undefined })
  expect(readPlace({ DATA_DIR: '/shop', DATABASE_URL: '' })).toEqual({
    dataDir: '/shop',
    databaseUrl: undefined,
  })
})

test('an invalid setting is refused by name', () => {
  const read = (env: Record<string, string>) => () =>
    readConfig({ DATA_DIR: '/nowhere', APP_KEYS: 'k'.repeat(32), CODE_KEY: 'k'.repeat(32), ...env }, [])
  expect(read({})()).toMatchObject({ role: 'all', databaseConnections: 10, drainSeconds: 0 })
  expect(read({ ROLE: 'worker' })).toThrow('ROLE must be all, web or jobs')
  expect(read({ DATABASE_POOL: '1' })).toThrow('DATABASE_POOL must be a number of connections from 2')
  expect(read({ SOCKET: '/run/murmur/0.sock' })()).toMatchObject({ socket: '/run/murmur/0.sock' })
  expect(read({ SOCKET: '0.sock' })).toThrow('SOCKET must be a path such as /run')
  expect(read({ DRAIN_SECONDS: 'soon' })).toThrow('DRAIN_SECONDS must be a number from 0')
})

test('without keys DATABASE_URL is refused, with the keys of the folder if it has them', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'murmur-keys-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const read = (env: object) => () =>
    readConfig({ DATA_DIR: dataDir, DATABASE_URL: 'postgresql://db.example/murmur', ...env }, [])
  expect(read({})).toThrow('For a new shop make each once, and keep them: openssl rand -hex 32')
  for (const name of ['app.key', 'code.key']) writeFileSync(join(dataDir, name), 'k'.repeat(64))
  const message = `set APP_KEYS to what is in ${dataDir}/app.key, and CODE_KEY to what is in ${dataDir}/code.key.`
  expect(read({})).toThrow(message)
  expect(read({ APP_KEYS: 'k'.repeat(64) })).toThrow(message)
})

test.runIf(process.platform === 'linux')('a DATA_DIR that cannot be written is refused in a sentence', () => {
  // Not even root can create a folder there.
  expect(() => readConfig({ DATA_DIR: '/sys/murmur' }, [])).toThrow(
    /^The shop cannot write into DATA_DIR, \/sys\/murmur \(E\w+\)\. Start it as the user that owns the folder/,
  )
})
