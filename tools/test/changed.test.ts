import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nounsOf, reachedBy } from './changed.ts'

test('selects the tests near a changed service, and the journeys of its feature', () => {
  const { tests, journeys } = reachedBy(['server/features/bag/service.ts'])
  expect(tests).toContain('server/features/bag/routes.test.ts')
  expect(journeys).toContain('tests/journeys/shopping-bag.spec.ts')
  expect(journeys).not.toContain('tests/journeys/sleep-timer.spec.ts')
})

test('selects a changed test and a changed journey', () => {
  const { tests, journeys } = reachedBy(['src/ui/Chip.test.tsx', 'tests/journeys/shopping-bag.spec.ts'])
  expect(tests).toContain('src/ui/Chip.test.tsx')
  expect(journeys).toEqual(['tests/journeys/shopping-bag.spec.ts'])
})

test('selects the tests in the folder of a changed style, and those of the codebase', () => {
  const { tests } = reachedBy(['src/ui/Chip.module.css'])
  expect(tests).toEqual(expect.arrayContaining(['src/ui/Chip.test.tsx', 'tests/codebase/styles.test.ts']))
})

test('selects two representative journeys for a change in shared code', () => {
  expect(reachedBy(['src/format/money.ts']).journeys).toEqual([
    'tests/journeys/purchase-by-keyboard.spec.ts',
    'tests/journeys/listen-offline-and-sync.spec.ts',
  ])
})

test('each journey names its features', () => {
  const silent = globSync('tests/journeys/*.spec.ts').filter((journey) => nounsOf(journey).length === 0)
  expect(silent).toEqual([])
})
