import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import type { OpenDatabase } from '../db/open.ts'
import { withoutPersons, loggableError, inSources } from './loggable-error.ts'

let database: OpenDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test.each([
  ['a value of another kind', sql`select ${'ada@post.example'}::uuid`],
  [
    'a row that is there already',
    sql`insert into rate_limits values (${'ada@post.example'}, 1, now()), (${'ada@post.example'}, 1, now())`,
  ],
  ['a missing value', sql`insert into rate_limits values (${'ada@post.example'}, null, now())`],
])('%s: the log names the violated database rule, and no values', async (_, query) => {
  const error = await database.db.execute(query).catch((caught: unknown) => caught)
  // What `console.error` would have printed.
  expect(JSON.stringify(error) + String(error)).toContain('ada@post.example')
  const written = JSON.stringify(loggableError(error))
  expect(written).not.toContain('ada')
  expect(written).not.toContain('insert into')
  expect(written).toMatch(/"code":"\w{5}"/)
})

test('an application error is logged on one line with its message, position and cause', () => {
  const error = new Error('the EPUB of ada@post.example has no description', {
    cause: new TypeError('no zip'),
  })
  const written = loggableError(error)
  expect(written).toMatchObject({
    type: 'Error',
    message: 'the EPUB of [e-mail] has no description',
    cause: { type: 'TypeError', message: 'no zip' },
  })
  expect(written.stack).toContain('loggable-error.test.ts')
  expect(written.stack).not.toContain('ada')
  expect(JSON.stringify(written)).not.toContain('\n')
})

test.each([
  ['mail to Ada <ada@post.example> failed', 'mail to Ada <[e-mail]> failed'],
  ['must be an address like help@example.com.', 'must be an address like help@example.com.'],
  [
    'GET https://shop.example/get-book?email=a%40b.example&token=x failed',
    'GET https://shop.example/get-book?[query] failed',
  ],
  ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc was refused', 'token [secret] was refused'],
  ['link 6f1d0c1e-8a57-4c52-9a3d-0f3b6a0a9d11 is over', 'link [secret] is over'],
  ['connect ECONNREFUSED 10.0.0.5:5432', 'connect ECONNREFUSED 10.0.0.5:5432'],
  ['Server listening at http://127.0.0.1:3000', 'Server listening at http://127.0.0.1:3000'],
  [
    'the embedded database ended unexpectedly and is started again',
    'the embedded database ended unexpectedly and is started again',
  ],
])('“%s” is logged as “%s”', (text, written) => expect(withoutPersons(text)).toBe(written))

test('an error of the built server shows its position in the source files', () => {
  const root = mkdtempSync(join(tmpdir(), 'murmur-maps-'))
  const built = join(root, 'dist/server')
  mkdirSync(built, { recursive: true })
  // Maps the bundle's second line to the source's third.
  writeFileSync(
    join(built, 'main.js.map'),
    JSON.stringify({ version: 3, sources: ['../../server/main.ts'], names: [], mappings: ';AAEA' }),
  )
  const url = pathToFileURL(join(built, 'main.js')).href
  expect(inSources(`at start (${url}:2:1)`)).toBe('at start (server/main.ts:3:1)')
  expect(inSources(`at ${url}:2:1`)).toBe('at server/main.ts:3:1')
})

test('other frames stay unchanged, and so does one without a source map', () => {
  for (const frame of ['at node:events:488:28', 'at start (file:///srv/dist/server/gone.js:1:2)'])
    expect(inSources(frame)).toBe(frame)
})
