import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readPlace } from './config.ts'

test('the data lie in ./var unless DATA_DIR names another folder, where npm start looks for them too', () => {
  expect(readPlace({})).toEqual({ dataDir: resolve('var'), databaseUrl: undefined })
  expect(readPlace({ DATA_DIR: '/shop', DATABASE_URL: '' })).toEqual({
    dataDir: '/shop',
    databaseUrl: undefined,
  })
})
