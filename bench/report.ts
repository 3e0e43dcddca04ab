import { cpus, release, totalmem, loadavg } from 'node:os'
import type { Comparison } from './compare.ts'

export interface Row {
  readonly what: string
  readonly figures: string
  readonly value: number
  /** The interquartile range of the rounds, if there were several. */
  readonly spread?: readonly [low: number, high: number] | undefined
  readonly unit: '×' | 'MB' | 'kB' | 'ms' | ''
  readonly goal: { readonly least: number } | { readonly most: number } | null
}

export const rateRow = (
  what: string,
  { ours, reference, ratio, spread }: Comparison,
  least: number,
): Row => ({
  what,
  figures: `${whole(ours)}/s of ${whole(reference)}/s, half of the rounds ${spread.map((part) => part.toFixed(2)).join(' to ')}`,
  value: ratio,
  spread,
  unit: '',
  goal: { least },
})

export const isMissed = ({ goal, value }: Row): boolean =>
  goal !== null && !('least' in goal ? value >= goal.least : value <= goal.most)

export function printTable(title: string, rows: readonly Row[]): void {
  const lines = rows.map((row) => [
    row.what,
    row.figures,
    short(row.value, row.unit),
    row.goal === null
      ? ''
      : 'least' in row.goal
        ? `≥ ${short(row.goal.least, row.unit)}`
        : `≤ ${short(row.goal.most, row.unit)}`,
    row.goal === null ? '' : isMissed(row) ? 'MISSED' : 'OK',
  ])
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]!.length)))
  console.log(`\n${title}`)
  for (const line of lines)
    console.log(
      `  ${line
        .map((cell, column) =>
          column === 2 || column === 3 ? cell.padStart(widths[column]!) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd()}`,
    )
}

export function printMachine(): void {
  const [cpu] = cpus()
  console.log(
    [
      `${cpus().length} × ${cpu?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GB`,
      `Linux ${release()}`,
      `Node ${process.versions.node}`,
      `load before: ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}`,
    ].join(', '),
  )
}

const whole = (value: number) => Math.round(value).toLocaleString('en-GB')
const short = (value: number, unit: Row['unit']) =>
  unit === '' || unit === '×'
    ? `${value.toFixed(2)}${unit && ` ${unit}`}`
    : `${value < 10 ? value.toFixed(1) : whole(value)} ${unit}`
