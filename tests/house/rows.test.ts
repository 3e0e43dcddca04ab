import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FEATURES = join(import.meta.dirname, '../../server/features')

/** The walls see who imports what, not what is handed on. Types may be, and conditions (`filter-rows.ts`), which ask nothing. */
const HANDED_ON = [
  /export \{[^}]*\} from '\.\/(?:(?!filter-)[a-z-]+-)?rows\.ts'/g,
  /export \* from '\.\/(?:(?!filter-)[a-z-]+-)?rows\.ts'/g,
  /export const \w+ = (?:select|insert|update|delete|lock|count)[A-Z]\w*$/gm,
]

test('no feature hands its queries on: what another one may ask is said in rules.ts', () => {
  const rules = globSync('*/*.ts', { cwd: FEATURES }).filter((file) => !/(?:rows|test)\.ts$/.test(file))
  expect(rules.length).toBeGreaterThan(50)
  const handedOn = rules.flatMap((file) => {
    const text = readFileSync(join(FEATURES, file), 'utf8')
    return HANDED_ON.flatMap((pattern) => (text.match(pattern) ?? []).map((found) => `${file}: ${found}`))
  })
  expect(handedOn).toEqual([])
})
