import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import { testDatabase } from '#tests/support/database.ts'
import { testShop } from '#tests/support/shop.ts'

const keys = {
  STRIPE_SECRET_KEY: 'sk_test_51secretsecret',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_51publishable',
  STRIPE_WEBHOOK_SECRET: 'whsec_secretsecret',
}
const sandbox = { STRIPE_API_BASE: 'http://127.0.0.1:9', STRIPE_JS_URL: 'http://127.0.0.1:9/stripe.js' }

let database: OpenDatabase
beforeAll(async () => (database = await testDatabase()))
afterAll(() => database?.close())

async function settingsOf(env: Record<string, string>): Promise<unknown> {
  const shop = await testShop({ env, database })
  const answer = await shop.app.inject('/api/payment_settings')
  await shop.close()
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

test('CONST-12: the configuration gives the client the publishable key and no other key', async () => {
  const publishableKey = keys.STRIPE_PUBLISHABLE_KEY
  expect(await settingsOf(keys)).toEqual({ publishableKey, scriptUrl: null, test: true })
  expect(await settingsOf({ ...keys, ...sandbox })).toEqual({
    publishableKey,
    scriptUrl: sandbox.STRIPE_JS_URL,
    test: true,
  })
  expect(await settingsOf({})).toEqual({ publishableKey: null, scriptUrl: null, test: true })
})

test('only live keys move money', async () => {
  const live = {
    ...keys,
    STRIPE_SECRET_KEY: 'sk_live_51secret',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_51publishable',
  }
  expect(await settingsOf(live)).toMatchObject({ publishableKey: 'pk_live_51publishable', test: false })
})

test('CONST-12: no file sent to a browser contains a secret key', () => {
  const files = ['src', 'contract', 'sw', 'public', 'dist/client'].flatMap(filesIn)
  expect(files.length).toBeGreaterThan(500)
  const telling = files.filter((file) =>
    /\b(?:[sr]k_(?:test|live)_|whsec_)\w{4,}/.test(readFileSync(file, 'latin1')),
  )
  expect(telling).toEqual([])
})

function filesIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile() && !/\.test\.tsx?$|\.(?:br|gz|woff2|png)$/.test(file))
}
