import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { changesOf } from './changes.ts'
import { marked } from './reach.ts'

const described = (source: string) =>
  changesOf('one.ts', source).map(
    ({ line, was, is, isStatic }) => `${line} ${was} ${is}${isStatic ? ' static' : ''}`,
  )

test('operators, truth values, and the smaller and larger of two are changed, in types and log lines nothing is', () => {
  const source = [
    'type Odd = 1 extends true ? 2 : 3',
    'const limit = 2 * 3',
    'export function f(a: number, b?: number) {',
    "  if (!(a < limit)) log.warn({ a: a + 1 }, 'too' + 'large')",
    '  a += (b as number)! - 1',
    '  return Math.max(a, b ?? 0) > 1 && [true]',
    '}',
  ].join('\n')
  expect(described(source)).toEqual([
    ...[
      '2 * / static',
      '4 ! ',
      '4 < <=',
      '5 += -=',
      '5 - +',
      '6 && ||',
      '6 > >=',
      '6 max min',
      '6 ?? &&',
      '6 true false',
    ],
  ])
})

test('a chain of ?? stays, because no other operator is valid there', () => {
  expect(described('const f = (a, b, c) => a ?? b ?? c')).toEqual([])
  expect(described('const f = (a, b, c) => (a ?? b) || c')).toEqual(['1 || &&', '1 ?? &&'])
})

test('marks record what a test evaluates, and change no value', () => {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-marks-'))
  const record = join(folder, 'record.tsv')
  writeFileSync(record, '')
  const source = `
function f(list, found = false) {
  let i = 0
  list.sort()
  i += Math.max(list.length, 1) - 1
  found ||= list[i] === 'c' && !found
  while (i > 0) i--
  return found ? i + 1 : -1
}
`
  const changes = changesOf('f.js', source)
  const run = (code: string, worker?: object): unknown =>
    runInNewContext(`${code}; [f(['a', 'c', 'b']), f([])].join()`, { __vitest_worker__: worker, process })
  expect(run(marked(source, changes, 'f.js', record), { filepath: join(process.cwd(), 'f.test.ts') })).toBe(
    run(source),
  )
  const reached = readFileSync(record, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
  expect(new Set(reached.map(([test, file]) => `${test} ${file}`))).toEqual(new Set(['f.test.ts f.js']))
  expect(reached.map(([, , number]) => Number(number)).toSorted((one, other) => one - other)).toEqual([
    ...changes.keys(),
  ])
  rmSync(folder, { recursive: true })
})
