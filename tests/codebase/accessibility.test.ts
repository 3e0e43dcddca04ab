import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IN_A_STORY, LEADING_ON, SCREENS } from '#tests/support/screens.ts'

const ROOT = join(import.meta.dirname, '../..')
const screens = Object.values(SCREENS).flat()

test('every route has an accessibility check, and every check has a route', () => {
  const routes = globSync('*.tsx', { cwd: join(ROOT, 'src/routes') }).map((file) => file.replace('.tsx', ''))
  const looked = [
    ...screens.map(({ route }) => route),
    ...Object.keys(LEADING_ON),
    ...Object.keys(IN_A_STORY),
  ]
  expect([...new Set(looked)].sort()).toEqual(routes.filter((route) => route !== '__root').sort())
})

test('a redirect’s target has an accessibility check, and so has each journey that is listed for a route', () => {
  const routes = screens.map(({ route }) => route)
  for (const target of Object.values(LEADING_ON)) expect(routes).toContain(target)
  for (const journey of Object.values(IN_A_STORY))
    expect(readFileSync(join(ROOT, `tests/journeys/${journey}.spec.ts`), 'utf8')).toMatch(
      /expectAccessible(?:Now)?\(/,
    )
})
