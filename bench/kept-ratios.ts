import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './report.ts'

/** Ratios of an earlier run, by name. Times are not stored, because they depend on the machine. */
const FILE = join(import.meta.dirname, 'kept-ratios.json')
/** More than the difference between two runs of one commit on a quiet machine. */
const WORSE = 0.25

type Ratios = Record<string, number>

/** Stores the ratios of this run; those that it did not measure keep their stored value. */
export function keepRatios(rows: readonly Row[]): void {
  const kept = {
    ...ratiosKept(),
    ...Object.fromEntries(rows.filter(isKept).map((row) => [row.what, rounded(row.value)])),
  }
  writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`)
}

export function checkRatios(rows: readonly Row[]): void {
  const worse = worseThan(ratiosKept(), rows)
  for (const sentence of worse) console.error(sentence)
  if (worse.length > 0) process.exitCode = 1
}

export function worseThan(kept: Ratios, rows: readonly Row[]): string[] {
  return rows.filter(isKept).flatMap(({ what, value, goal }) => {
    const before = kept[what]
    if (before === undefined) return []
    const isWorse =
      goal !== null && 'least' in goal ? value < before * (1 - WORSE) : value > before * (1 + WORSE)
    return isWorse ? [`${what}: ${rounded(value)}, and it was ${before}.`] : []
  })
}

/** A layout shift is only checked against its goal, because a quarter of zero is zero. */
const isKept = ({ unit, goal }: Row): boolean =>
  goal !== null && unit !== 'ms' && !(unit === '' && 'most' in goal)

const ratiosKept = (): Ratios => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {})

const rounded = (value: number): number => Math.round(value * 1000) / 1000
