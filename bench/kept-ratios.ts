import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Row } from './report.ts'

/**
 * Ratios of earlier runs, by processor and name. A faster processor speeds up the two sides of a ratio differently (0.53
 * and 0.98 for cached lists of one commit), so a run is only compared with one on the same processor. Virtual machines
 * give generations of different speed one name ("AMD EPYC"), so the family and model number are part of it. Times are
 * not stored.
 */
const FILE = join(import.meta.dirname, 'kept-ratios.json')
const CPU_INFO = '/proc/cpuinfo'
/** More than the difference between two runs of one commit on a quiet machine. */
const WORSE = 0.25

type Ratios = Record<string, number>

function processor(): string {
  const numbers = existsSync(CPU_INFO) ? generationOf(readFileSync(CPU_INFO, 'utf8')) : ''
  return `${cpus()[0]?.model.trim()}${numbers}, ${cpus().length} cores`
}

/** For example ' (family 23, model 49)'; empty if `/proc/cpuinfo` doesn't have these lines, as on ARM. */
export function generationOf(cpuInfo: string): string {
  const family = /^cpu family\s*: (\d+)$/m.exec(cpuInfo)?.[1]
  const model = /^model\s*: (\d+)$/m.exec(cpuInfo)?.[1]
  return family && model ? ` (family ${family}, model ${model})` : ''
}

/** Stores the ratios of this run with those of earlier runs on this processor. */
export function keepRatios(rows: readonly Row[]): void {
  const all = ratiosKept()
  const kept = { ...all, [processor()]: withRun(all[processor()] ?? {}, rows) }
  writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`)
}

/**
 * Of each ratio the worst of all stored runs: the reference varies more than ours does. Within three hours one machine
 * gave 0.41 to 0.66 for cached lists, because the bare server answered 27,000 to 50,000 requests a second.
 */
export function withRun(kept: Ratios, rows: readonly Row[]): Ratios {
  const worst = rows.filter(isKept).map(({ what, value, goal }) => {
    const before = kept[what] ?? value
    const isLeast = goal !== null && 'least' in goal
    return [what, rounded(isLeast ? Math.min(before, value) : Math.max(before, value))] as const
  })
  return { ...kept, ...Object.fromEntries(worst) }
}

/** Sets the exit code 1 if a ratio is a quarter worse than the stored one of this processor, in most of the rounds. */
export function checkRatios(rows: readonly Row[]): void {
  const kept = ratiosKept()[processor()]
  if (!kept) {
    console.log(
      `No ratios are stored for ${processor()}: store those of an earlier commit with --keep first.`,
    )
    return
  }
  const worse = worseThan(kept, rows)
  for (const sentence of worse) console.error(sentence)
  if (worse.length > 0) process.exitCode = 1
}

export function worseThan(kept: Ratios, rows: readonly Row[]): string[] {
  return rows.filter(isKept).flatMap(({ what, value, spread = [value, value], goal }) => {
    const before = kept[what]
    if (before === undefined) return []
    // The better quartile: a disturbed machine worsens some rounds, a fault worsens all of them.
    const [low, high] = spread
    const isWorse =
      goal !== null && 'least' in goal ? high < before * (1 - WORSE) : low > before * (1 + WORSE)
    return isWorse ? [`${what}: ${rounded(value)}, and it was ${before}.`] : []
  })
}

/** A layout shift is only checked against its goal, because a quarter of zero is zero. */
const isKept = ({ unit, goal }: Row): boolean =>
  goal !== null && unit !== 'ms' && !(unit === '' && 'most' in goal)

const ratiosKept = (): Record<string, Ratios> =>
  existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}

const rounded = (value: number): number => Math.round(value * 1000) / 1000
