import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const ROOMS = 'analysis,bench,content,contract,demo,docs,importer,sandbox,server,src,sw,tests,tools'
const OF_OTHERS = ['**/node_modules/**', 'server/db/migrations/**', 'src/routeTree.gen.ts']
const THIS = 'tests/codebase/citations.test.ts'

const filesOf = (...patterns: string[]) =>
  globSync(patterns, { cwd: ROOT, exclude: OF_OTHERS }).filter((file) => file !== THIS)
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** All files that may cite: code, styles, tests, settings and texts. Comments over several lines are joined first. */
const cited: readonly (readonly [file: string, text: string])[] = filesOf(
  '{*,.*}.{ts,cjs,json,md}',
  `{${ROOMS}}/**/*.{ts,tsx,css,cjs,json,md}`,
)
  .filter(
    (file) => file !== 'package-lock.json' && (!file.startsWith('content/') || /README|\.ts$/.test(file)),
  )
  .map((file) => [file, textOf(file).replaceAll(/\s*\n\s*(?:(?:\*|\/\/)\s)?\s*/g, ' ')])

/** Every match in every file, with its line. */
const mentions = (pattern: RegExp) =>
  cited.flatMap(([file, text]) => [...text.matchAll(pattern)].map((match) => ({ file, match, text })))

interface Citation {
  readonly file: string
  readonly says: string
  readonly leads: boolean
}

/** The citations without a target. A minimum number of citations shows that the pattern still finds them. */
const lost = (found: readonly Citation[], atLeast: number): string[] =>
  found.length < atLeast
    ? [`Only ${found.length} were found: the search itself is broken.`]
    : found.filter(({ leads }) => !leads).map(({ file, says }) => `${file}: ${says}`)

test('every id of the checklist that code, tests and texts cite is explained in docs/checklist', () => {
  const explained = new Set(
    filesOf('docs/checklist/*.md').flatMap((file) =>
      [...textOf(file).matchAll(/^- \*\*([A-Z]+-\d+)\*\* \S/gm)].map(([, id]) => id!),
    ),
  )
  /** Not these, which look the same: ISBNs, hashes, alphabets and years. */
  const ours = mentions(/\b(?!(?:ISBN|SHA|UTF|BCE)-)[A-Z]{2,6}-\d{2,3}\b/g)
  expect(
    lost(
      ours.map(({ file, match: [id] }) => ({ file, says: id, leads: explained.has(id) })),
      1000,
    ),
  ).toEqual([])
})

test('every checklist id is listed once, in the file of its area', () => {
  const strangers = filesOf('docs/checklist/*.md').flatMap((file) => {
    const ids = [...textOf(file).matchAll(/^- \*\*([A-Z]+)-(\d+)\*\*/gm)]
    const wrong = ids.filter(([, area]) => file !== `docs/checklist/${area}.md`)
    const twice = ids.filter(([id], index) => ids.findIndex(([other]) => other === id) !== index)
    return [...wrong, ...twice].map(([id]) => `${file}: ${id}`)
  })
  expect(strangers).toEqual([])
})

test('every trap that is cited by its number is explained in docs/traps.md', () => {
  const explained = new Set(
    [...textOf('docs/traps.md').matchAll(/^\| (\d+) \|/gm)].map(([, number]) => number!),
  )
  expect(
    lost(
      mentions(/\btraps? (\d+(?:(?:, | and )\d+)*)/gi).flatMap(({ file, match: [says, numbers] }) =>
        [...numbers!.matchAll(/\d+/g)].map(([number]) => ({ file, says, leads: explained.has(number) })),
      ),
      150,
    ),
  ).toEqual([])
})

test('every document that is cited by its path exists, and so does the section named with it', () => {
  const paths = new RegExp(
    `(?<![\\w/.])(?:(?:${ROOMS.replaceAll(',', '|')})/[\\w/.-]*|[A-Z]{3,})\\.md\\b(, (?=[A-Z]))?`,
    'g',
  )
  expect(
    lost(
      mentions(paths).map(({ file, match: { 0: says, 1: section, index }, text }) => {
        const path = says.replace(/, $/, '')
        if (!existsSync(join(ROOT, path)) && !existsSync(join(ROOT, dirname(file), path)))
          return { file, says: path, leads: false }
        if (!section) return { file, says, leads: true }
        const rest = text.slice(index + says.length)
        const leads = headingsOf(path).some(
          (heading) => rest.startsWith(heading) && !/^\w/.test(rest.slice(heading.length)),
        )
        return { file, says: `${says}${rest.slice(0, 40)}`, leads }
      }),
      40,
    ),
  ).toEqual([])
})

test('decisions are numbered in a row, and every decision that is cited exists', () => {
  const decisions = filesOf('docs/decisions/0*.md').toSorted()
  const numbers = decisions.map((file) => Number(/^# (\d+)\. /.exec(textOf(file))?.[1]))
  expect(numbers).toEqual(decisions.map((_, index) => index + 1))
  expect(decisions.map((file) => Number(/\/(\d{4})-/.exec(file)?.[1]))).toEqual(numbers)
  const byPath = mentions(/docs\/decisions\/(\d{4})/g)
  const byNumber = mentions(/\b[Dd]ecision (\d+)\b/g)
  expect(
    lost(
      [...byPath, ...byNumber].map(({ file, match: [says, number] }) => ({
        file,
        says,
        leads: numbers.includes(Number(number)),
      })),
      5,
    ),
  ).toEqual([])
})

test('every link in a text leads to a file that is there, and to a heading of it', () => {
  /** Neither a URL with a scheme nor a page of the shop. */
  const LINK = /\]\((?!\w+:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g
  const found = filesOf('*.md', `{${ROOMS}}/**/*.md`).flatMap((file) =>
    [...textOf(file).matchAll(LINK)].map(([says, link = '', anchor]) => {
      const target = link ? normalize(join(dirname(file), link)) : file
      const leads =
        existsSync(join(ROOT, target)) && (!anchor || headingsOf(target).map(anchorOf).includes(anchor))
      return { file, says, leads }
    }),
  )
  expect(lost(found, 60)).toEqual([])
})

function headingsOf(file: string): string[] {
  const path = existsSync(join(ROOT, file)) ? file : undefined
  return path ? [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!) : []
}

/** As GitHub makes heading anchors. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
