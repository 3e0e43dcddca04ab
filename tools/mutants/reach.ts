import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import type { Change } from './changes.ts'

/**
 * Which test files evaluate which operators: the tests run once with every operator of the core marked. Only these
 * tests can notice a change of the operator, and a change that no test reaches is not noticed by any.
 */
export interface Reach {
  /**
   * Undefined for a change that is evaluated when its file is loaded, and for tests that did not end while they were
   * recorded, or are newer than the record.
   */
  readonly isReached: (change: Change, test: string) => boolean | undefined
  /** The file's share of the changes that the test evaluates, from 0 to 1. */
  readonly shareOf: (file: string, test: string) => number
}

/** Marks each operator with its number among the file's changes. No line moves. */
export function marked(source: string, changes: readonly Change[], file: string, record: string): string {
  const marks = changes.flatMap(({ expression: [start, end], opensStatement }, number) => [
    // Without semicolons, a line that begins with a parenthesis would continue the line before it.
    { at: start, order: number, text: `${opensStatement ? 'void 0, ' : ''}(marked$(${number}), ` },
    { at: end, order: -number, text: ')' },
  ])
  let from = 0
  const parts = marks
    .toSorted((a, b) => a.at - b.at || a.order - b.order)
    .flatMap(({ at, text }) => [source.slice(from, (from = at)), text])
  return `${parts.join('')}${source.slice(from)}
;function marked$(number) {
  const test = globalThis.__vitest_worker__?.filepath.slice(${resolve('.').length + 1})
  const seen = ((globalThis.marked$$ ??= {})[test + ${JSON.stringify(file)}] ??= new Set())
  if (!test || seen.has(number)) return
  seen.add(number)
  process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(record)}, test + ${JSON.stringify(`\t${file}\t`)} + number + '\\n')
}
`
}

/** Reads the record of these sources. If it does not exist, `run` writes it and returns the test files that ended. */
export async function reachOf(
  sources: ReadonlyMap<string, readonly Change[]>,
  run: (record: string) => Promise<readonly string[]>,
): Promise<Reach> {
  const hash = createHash('sha256')
  for (const file of sources.keys()) hash.update(readFileSync(file))
  const record = resolve('node_modules/.cache/mutants', `${hash.digest('hex').slice(0, 16)}.tsv`)
  if (!existsSync(record)) {
    const unfinished = `${record}.unfinished`
    mkdirSync(dirname(record), { recursive: true })
    rmSync(unfinished, { force: true })
    const ended = await run(unfinished)
    appendFileSync(record, readFileSync(unfinished))
    appendFileSync(record, ended.map((test) => `${test}\n`).join(''))
    rmSync(unfinished)
  }
  const recordedAt = statSync(record).mtimeMs
  const byTest = new Map<string, Map<string, Set<number>>>()
  const ended = new Set<string>()
  for (const line of readFileSync(record, 'utf8').split('\n')) {
    const [test, file, number] = line.split('\t')
    if (test === undefined) continue
    if (file === undefined || number === undefined) {
      ended.add(test)
      continue
    }
    const files = byTest.get(test) ?? new Map<string, Set<number>>()
    byTest.set(test, files)
    files.set(file, (files.get(file) ?? new Set()).add(Number(number)))
  }
  const numberOf = new Map(
    [...sources.values()].flatMap((changes) => changes.map((each, number) => [each, number] as const)),
  )
  return {
    isReached: (change, test) => {
      if (change.isStatic || !ended.has(test) || statSync(join(test)).mtimeMs > recordedAt) return undefined
      return byTest.get(test)?.get(change.file)?.has(numberOf.get(change)!) ?? false
    },
    shareOf: (file, test) => {
      const files = byTest.get(test)
      const all = [...(files?.values() ?? [])].reduce((sum, { size }) => sum + size, 0)
      return (files?.get(file)?.size ?? 0) / Math.max(1, all)
    },
  }
}
