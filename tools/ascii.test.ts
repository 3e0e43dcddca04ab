import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { afterAll, expect, test } from 'vitest'
import { writeAsAscii } from './ascii.ts'

const folder = mkdtempSync(join(tmpdir(), 'murmur-ascii-'))
afterAll(() => rmSync(folder, { recursive: true }))

const CODE =
  "const texts = ['Rosa’s £5', `café ${'…'}`, '\\\\–', 'a\\’b', '😀', /[‘’]|–|[\\u{1F600}-😂]/u];throw new Error(texts)"

test('a script has the same values when every character is ASCII', () => {
  const file = join(folder, 'script.js')
  writeFileSync(file, CODE)
  writeAsAscii(file)
  const written = readFileSync(file, 'utf8')
  expect(written).toMatch(/^[ -~]*$/)
  const [after, before] = [written, CODE].map((code): [...string[], RegExp] =>
    runInThisContext(`(() => { ${code.replace('throw new Error(texts)', 'return texts')} })()`),
  )
  expect(after!.slice(0, -1)).toEqual(before!.slice(0, -1))
  const matches = (values: typeof after) =>
    ['‘', '–', '😁', '😃', 'a'].filter((text) => (values!.at(-1) as RegExp).test(text))
  expect(matches(after)).toEqual(['‘', '–', '😁'])
  expect(matches(before)).toEqual(['‘', '–', '😁'])
})

test('the source map of such a script still finds the line of an error', () => {
  const file = join(folder, 'mapped.js')
  const column = CODE.indexOf('new Error')
  writeFileSync(file, CODE)
  writeFileSync(
    `${file}.map`,
    JSON.stringify({
      version: 3,
      sources: ['one.ts'],
      names: [],
      mappings: encode([
        [
          [0, 0, 0, 0],
          [column, 0, 41, 6],
        ],
      ]),
    }),
  )
  writeAsAscii(file)
  const map = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
  expect(decode(map.mappings)[0]![1]![0]).toBeGreaterThan(column)
  const found = new SourceMap(map).findEntry(0, readFileSync(file, 'utf8').indexOf('new Error'))
  expect(found).toMatchObject({ originalSource: 'one.ts', originalLine: 41, originalColumn: 6 })
})
