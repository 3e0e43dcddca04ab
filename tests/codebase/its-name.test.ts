import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
/** Texts for the operator of the software, not for customers of the shop. */
const OF_THE_SOFTWARE = /^server\/(backup|checks|db)\//
/** The default name of a shop. */
const BEFORE_IT_IS_SAID = 'server/settings/owners-details.ts'

test('no screen, mail or document contains the demo’s name: a shop’s name comes from its shop.json', () => {
  const files = globSync('{src,sw,contract,server}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (file) => !/\.test\.|routeTree/.test(file) && !OF_THE_SOFTWARE.test(file) && file !== BEFORE_IT_IS_SAID,
  )
  expect(files.length).toBeGreaterThan(500)
  const named = files.filter((file) =>
    /\bMurmur\b/.test(readFileSync(join(ROOT, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')),
  )
  expect(named).toEqual([])
  expect(readFileSync(join(ROOT, 'index.html'), 'utf8')).not.toMatch(/murmur/i)
})
