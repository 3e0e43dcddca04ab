import { CSV_MARK, csvLine } from '#server/print/table.ts'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { RowReport } from './entry.ts'

const OUTCOMES = ['created', 'changed', 'same', 'refused'] as const
const SHOWN = 20

export class Tally {
  readonly counts = { created: 0, changed: 0, same: 0, refused: 0 }
  readonly reasons = new Map<string, number>()
  readonly notes = new Map<string, number>()
  readonly #refusals: RowReport[] = []

  add(report: RowReport): void {
    const { outcome, reason, notes } = report
    this.counts[outcome]++
    if (reason) this.reasons.set(reason.kind, (this.reasons.get(reason.kind) ?? 0) + 1)
    for (const { kind } of notes) this.notes.set(kind, (this.notes.get(kind) ?? 0) + 1)
    if (outcome === 'refused' && this.#refusals.length < SHOWN) this.#refusals.push(report)
  }

  get rows(): number {
    return OUTCOMES.reduce((sum, outcome) => sum + this.counts[outcome], 0)
  }

  lines(dryRun: boolean): string[] {
    const { refused } = this.counts
    return [
      ...this.#refusals.map(
        ({ line, name, reason }) =>
          `refused  line ${line}${name === '' ? '' : ` ${name}`}: ${reason?.text ?? ''}`,
      ),
      ...(refused > SHOWN ? [`… and ${count(refused - SHOWN)} more; --report FILE writes them all.`] : []),
      ...counted('Refused', this.reasons),
      ...counted('Noted', this.notes),
      `${OUTCOMES.map((outcome) => `${count(this.counts[outcome])} ${outcome}`).join(', ')}.${
        dryRun ? ' Dry run: nothing was written.' : ''
      }`,
    ]
  }
}

const count = (figure: number): string => figure.toLocaleString('en-GB')

const counted = (word: string, kinds: ReadonlyMap<string, number>): string[] =>
  kinds.size === 0
    ? []
    : [
        `${word}: ${[...kinds]
          .sort(([, one], [, other]) => other - one)
          .map(([kind, figure]) => `${count(figure)} × ${kind}`)
          .join(', ')}.`,
      ]

interface ReportFile {
  add(report: RowReport): Promise<void>
  close(): Promise<void>
}

export async function openReport(path: string): Promise<ReportFile> {
  const file = createWriteStream(path)
  await once(file, 'open')
  const put = async (cells: readonly string[]) => {
    if (!file.write(csvLine(cells))) await once(file, 'drain')
  }
  file.write(CSV_MARK)
  await put(['line', 'result', 'title', 'slug', 'reason', 'notes'])
  return {
    add: ({ line, outcome, name, slug = '', reason, notes }) =>
      put([String(line), outcome, name, slug, reason?.text ?? '', notes.map(({ text }) => text).join(' ')]),
    close: async () => {
      file.end()
      await finished(file)
    },
  }
}
