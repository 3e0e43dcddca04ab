import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nounsOf, reachedBy } from './changed.ts'

test('a change of a rule is tried by the tests beside it, and by the journeys of its noun', () => {
  const { tests, journeys } = reachedBy(['server/features/bag/service.ts'])
  expect(tests).toContain('server/features/bag/routes.test.ts')
  expect(journeys).toContain('tests/journeys/fill-a-bag.spec.ts')
  expect(journeys).not.toContain('tests/journeys/falling-asleep-with-a-book.spec.ts')
})

test('a test and a journey that were changed are run themselves', () => {
  const { tests, journeys } = reachedBy(['src/ui/Chip.test.tsx', 'tests/journeys/fill-a-bag.spec.ts'])
  expect(tests).toContain('src/ui/Chip.test.tsx')
  expect(journeys).toEqual(['tests/journeys/fill-a-bag.spec.ts'])
})

test('a style is tried by the tests in its folder, and by those of the house', () => {
  const { tests } = reachedBy(['src/ui/Chip.module.css'])
  expect(tests).toEqual(expect.arrayContaining(['src/ui/Chip.test.tsx', 'tests/codebase/styles.test.ts']))
})

test('what lies below every noun is tried by a purchase and by a ride through a tunnel', () => {
  expect(reachedBy(['src/format/money.ts']).journeys).toEqual([
    'tests/journeys/buy-a-book-by-keyboard.spec.ts',
    'tests/journeys/listen-in-the-tunnel-and-find-the-place-elsewhere.spec.ts',
  ])
})

test('each journey says which nouns it walks through', () => {
  const silent = globSync('tests/journeys/*.spec.ts').filter((journey) => nounsOf(journey).length === 0)
  expect(silent).toEqual([])
})
