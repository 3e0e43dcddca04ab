import type { Plan } from './desired.ts'

/** The result for one folder. */
export interface TitleReport {
  readonly folder: string
  readonly outcome: 'created' | 'changed' | 'same' | 'refused'
  readonly slug?: string
  /** What it is, for a title that was read. */
  readonly about?: string
  /** What changed, or why it was refused. */
  readonly details: readonly string[]
  readonly warnings: readonly string[]
}

/** One line for a title, and one for each warning beneath it. */
export function linesOf({ folder, outcome, slug, about, details, warnings }: TitleReport): string[] {
  const name = slug ?? folder
  const what =
    outcome === 'refused' ? details.join(' ') : [about, details.join(', ')].filter(Boolean).join(' — ')
  return [`${outcome.padEnd(8)} ${name}: ${what}`, ...warnings.map((warning) => `         note: ${warning}`)]
}

export function summaryOf(reports: readonly TitleReport[], dryRun: boolean): string {
  const count = (outcome: TitleReport['outcome']) =>
    reports.filter((report) => report.outcome === outcome).length
  const figures = (['created', 'changed', 'same', 'refused'] as const).map(
    (outcome) => `${count(outcome)} ${outcome}`,
  )
  return `${figures.join(', ')}.${dryRun ? ' Dry run: nothing was written.' : ''}`
}

export function describePlan({ title, books }: Plan): string {
  const formats = books.map((book) => {
    if (book.format === 'e_book') return `e-book${book.fileId ? '' : ' without a file'}`
    const count = book.chapters.length
    const ms = book.chapters.reduce((sum, { durationMs }) => sum + durationMs, 0)
    return count === 0
      ? `audiobook without chapters${book.sampleId ? ', with a sample' : ''}`
      : `audiobook, ${count} ${count === 1 ? 'chapter' : 'chapters'}, ${length(ms)}`
  })
  return `${title} (${formats.join('; ')})`
}

function length(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  return hours > 0
    ? `${hours} h ${minutes} m`
    : minutes > 0
      ? `${minutes} m ${seconds % 60} s`
      : `${seconds} s`
}
