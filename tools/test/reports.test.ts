import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addUp, readJourneyReport, readUnitReport, slowest } from './reports.ts'

const folder = mkdtempSync(join(tmpdir(), 'murmur-reports-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const written = (name: string, content: object): string => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

const unit = () =>
  readUnitReport(
    written('unit.json', {
      numPassedTests: 2,
      numFailedTests: 1,
      numPendingTests: 1,
      testResults: [
        {
          name: join(process.cwd(), 'server/wire/in-batches.test.ts'),
          assertionResults: [
            { title: 'quick', duration: 12 },
            { title: 'left out', duration: null },
          ],
        },
        {
          name: join(process.cwd(), 'src/ui/Chip.test.tsx'),
          assertionResults: [{ title: 'slow', duration: 4_000 }],
        },
      ],
    }),
  )

const journeys = () =>
  readJourneyReport(
    written('journeys.json', {
      stats: { expected: 3, unexpected: 0, skipped: 2 },
      suites: [
        {
          specs: [{ title: 'long', file: 'long.spec.ts', tests: [{ results: [{ duration: 9_000 }] }] }],
          suites: [
            {
              specs: [{ title: 'inner', file: 'long.spec.ts', tests: [{ results: [{ duration: 5_000 }] }] }],
            },
          ],
        },
      ],
    }),
  )

test('the counts of both runners are added up', () => {
  expect(addUp([unit(), journeys()])).toMatchObject({ passed: 5, failed: 1, skipped: 3 })
})

test('the slowest tests of both runners come first, those inside a group too', () => {
  expect(slowest(addUp([unit(), journeys()]), 3)).toEqual([
    '   9.0 s  long.spec.ts: long',
    '   5.0 s  long.spec.ts: inner',
    '   4.0 s  src/ui/Chip.test.tsx: slow',
  ])
})

test('a runner that wrote nothing has run nothing', () => {
  expect(readUnitReport(join(folder, 'none.json'))).toEqual({ passed: 0, failed: 0, skipped: 0, tests: [] })
})
