import { resolve } from 'node:path'
import { expect, test } from 'vitest'
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
