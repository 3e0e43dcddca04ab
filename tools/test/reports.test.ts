import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addUp, failures, readJourneyReport, readUnitReport, slowest } from './reports.ts'

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
          name: join(process.cwd(), 'server/http/in-batches.test.ts'),
          assertionResults: [
            {
              title: 'quick',
              duration: 12,
              failureMessages: ['AssertionError: expected \u001B[31m1\u001B[39m\n  to be 2\n    at x.ts:1'],
            },
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
          specs: [
            {
              title: 'long',
              file: 'long.spec.ts',
              tests: [{ results: [{ duration: 9_000, errors: [{ message: 'Timed out' }] }] }],
            },
          ],
          suites: [
            {
              specs: [{ title: 'inner', file: 'long.spec.ts', tests: [{ results: [{ duration: 5_000 }] }] }],
            },
          ],
        },
      ],
    }),
  )

test('adds up the counts of both runners', () => {
  expect(addUp([unit(), journeys()])).toMatchObject({ passed: 5, failed: 1, skipped: 3 })
})

test('lists the slowest tests of both runners first, including those inside a group', () => {
  expect(slowest(addUp([unit(), journeys()]), 3)).toEqual([
    '   9.0 s  long.spec.ts: long',
    '   5.0 s  long.spec.ts: inner',
    '   4.0 s  src/ui/Chip.test.tsx: slow',
  ])
})

test("lists each failure with its runner's message", () => {
  expect(failures(addUp([unit(), journeys()]))).toEqual([
    '  server/http/in-batches.test.ts: quick\n    AssertionError: expected 1 to be 2 at x.ts:1',
    '  long.spec.ts: long\n    Timed out',
  ])
})

test('shows what a failed journey’s page had', () => {
  const context = join(folder, 'error-context.md')
  writeFileSync(
    context,
    [
      '# Error details\n\n```\n- no "page"\n```\n\n# Page snapshot\n\n```yaml',
      '- main [ref=e1]:',
      '  - heading "Opening the player" [level=1] [ref=e2]',
      '  - link "Home" [ref=e3] [cursor=pointer]:',
      '    - /url: /',
      '  - paragraph [ref=e4]: Not on this device',
      '```',
    ].join('\n'),
  )
  const result = {
    duration: 1,
    errors: [{ message: 'Timed out' }],
    attachments: [{ name: 'error-context', path: context }],
  }
  const specs = [{ title: 'long', file: 'long.spec.ts', tests: [{ results: [result] }] }]
  const report = written('one.json', {
    stats: { expected: 0, unexpected: 1, skipped: 0 },
    suites: [{ specs }],
  })
  expect(failures(readJourneyReport(report))[0]?.split('\n')).toEqual([
    '  long.spec.ts: long',
    '    Timed out',
    '    | heading "Opening the player" [level=1]',
    '    | link "Home"',
    '    | paragraph: Not on this device',
  ])
})

test('a runner without a report counts as zero tests', () => {
  expect(readUnitReport(join(folder, 'none.json'))).toEqual({ passed: 0, failed: 0, skipped: 0, tests: [] })
})
