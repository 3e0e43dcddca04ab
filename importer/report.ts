import { printable } from '#server/print/printable.ts'
import { counted } from '#server/print/table.ts'
import type { Plan } from './desired.ts'

export interface TitleReport {
  readonly folder: string
  readonly outcome: 'created' | 'changed' | 'same' | 'refused'
  readonly slug?: string
  /** A description of a title that could be read. */
  readonly about?: string
  /** The changes, or the reasons for the refusal. */
  readonly details: readonly string[]
  readonly left?: readonly string[]
  readonly warnings: readonly string[]
}

export function linesOf({ folder, outcome, slug, about, details, warnings }: TitleReport): string[] {
  // A folder name may contain a line break.
  const name = slug ?? folder.replaceAll(/\s+/g, ' ')
  const what =
    outcome === 'refused' ? details.join(' ') : [about, details.join(', ')].filter(Boolean).join(' — ')
  return [
    `${outcome.padEnd(8)} ${name}: ${what}`,
    ...warnings.map((warning) => `         note: ${warning}`),
  ].map(printable)
}

export function summaryOf(reports: readonly TitleReport[], dryRun: boolean): string {
  const count = (outcome: TitleReport['outcome']) =>
    reports.filter((report) => report.outcome === outcome).length
  const figures = (['created', 'changed', 'same', 'refused'] as const).map(
    (outcome) => `${count(outcome)} ${outcome}`,
  )
  return `${figures.join(', ')}.${leftWords(reports)}${dryRun ? ' Dry run: nothing was written.' : ''}`
}

/** `Left as you set it: price of 12 titles, state of 1 title.` */
function leftWords(reports: readonly TitleReport[]): string {
  const titles = new Map<string, number>()
  for (const { left = [] } of reports)
    for (const field of left) titles.set(field, (titles.get(field) ?? 0) + 1)
  const words = [...titles].map(([field, count]) => `${field} of ${counted(count, 'title')}`)
  return words.length > 0 ? ` Left as you set it: ${words.join(', ')}.` : ''
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
