import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { inSources } from './source-position.ts'

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
