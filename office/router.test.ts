import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { OFFICE_SCREENS, OFFICE_THRESHOLD } from '#tests/support/office-screens.ts'
import { createOfficeRouter } from './router.tsx'

test('OFFICE-78: every route of the office has an accessibility check, and every check has a route', () => {
  const routes = Object.values(createOfficeRouter(createMemoryHistory()).routesById).map(
    ({ fullPath }): string => fullPath,
  )
  const looked = [...OFFICE_SCREENS.map(({ route }) => route), ...Object.keys(OFFICE_THRESHOLD)]
  expect([...new Set(looked)].sort()).toEqual(
    [...new Set(routes)].filter((path) => path !== '/' && path !== '').sort(),
  )
  for (const journey of Object.values(OFFICE_THRESHOLD))
    expect(readFileSync(join(import.meta.dirname, `../tests/journeys/${journey}.spec.ts`), 'utf8')).toContain(
      'expectAccessible(page)',
    )
})
