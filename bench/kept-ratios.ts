import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './report.ts'

/** Ratios of an earlier run, by what was measured. Times alone are left out: they belong to a machine. */
const FILE = join(import.meta.dirname, 'kept-ratios.json')
/** More than two runs of one commit differ on a quiet machine. */
const WORSE = 0.25

type Ratios = Record<string, number>

/** Writes down what this run measured; what it left out stays as it was. */
export function keepRatios(rows: readonly Row[]): void {
  const kept = {
    ...ratiosKept(),
    ...Object.fromEntries(rows.filter(isKept).map((row) => [row.what, rounded(row.value)])),
  }
  writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`)
}

/** Prints what became worse by a quarter, and ends the run with a failure. */
export function checkRatios(rows: readonly Row[]): void {
  const worse = worseThan(ratiosKept(), rows)
  for (const sentence of worse) console.error(sentence)
  if (worse.length > 0) process.exitCode = 1
}

/** One sentence for each row that is a quarter worse than it was. */
export function worseThan(kept: Ratios, rows: readonly Row[]): string[] {
  return rows.filter(isKept).flatMap(({ what, value, goal }) => {
    const before = kept[what]
    if (before === undefined) return []
    const isWorse =
      goal !== null && 'least' in goal ? value < before * (1 - WORSE) : value > before * (1 + WORSE)
    return isWorse ? [`${what}: ${rounded(value)}, and it was ${before}.`] : []
  })
}

/** A layout shift is held by its goal alone: a quarter of nothing is nothing. */
const isKept = ({ unit, goal }: Row): boolean =>
  goal !== null && unit !== 'ms' && !(unit === '' && 'most' in goal)

const ratiosKept = (): Ratios => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {})

const rounded = (value: number): number => Math.round(value * 1000) / 1000
