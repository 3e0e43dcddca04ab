import { longDate } from '#format/date.ts'
import { type BookNotes, type KeptNote, quoteOf } from './model.ts'

export type ExportFormat = 'markdown' | 'json'

/** Exports books with their notes as a file: Markdown for people, JSON for programs. */
export function exportNotes(
  books: readonly BookNotes[],
  format: ExportFormat,
): { name: string; type: string; content: string } {
  const [only] = books
  const base = books.length === 1 && only ? `murmur-notes-${only.slug}` : 'murmur-notes'
  return format === 'markdown'
    ? { name: `${base}.md`, type: 'text/markdown', content: books.map(asMarkdown).join('\n') }
    : { name: `${base}.json`, type: 'application/json', content: JSON.stringify(asJson(books), null, 2) }
}

const asMarkdown = ({ title, authors, notes }: BookNotes): string =>
  [
    `# ${escaped(title)}`,
    ...(authors ? [`\n${escaped(authors)}`] : []),
    ...notes.map(noteAsMarkdown),
    '',
  ].join('\n')

function noteAsMarkdown(note: KeptNote): string {
  const quote = quoteOf(note)
  return [
    `\n## ${escaped(note.where)}`,
    ...(quote
      ? [
          `\n${lines(quote)
            .map((line) => `> ${escaped(line)}`)
            .join('\n')}`,
        ]
      : []),
    ...(note.note ? [`\n${lines(note.note).map(escaped).join('  \n')}`] : []),
    `\n*${longDate(new Date(note.madeAtMs).toISOString())}*`,
  ].join('\n')
}

const lines = (text: string) => text.split(/\r?\n/)

/** Escapes the listener's text, so that it makes no Markdown headings and lists. */
const escaped = (text: string) =>
  text.replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`).replace(/^(\s*)([#+-]|\d+[.)])(?=\s)/, String.raw`$1\$2`)

const asJson = (books: readonly BookNotes[]) => ({
  books: books.map(({ slug, kind, title, authors, notes }) => ({
    format: kind === 'bookmark' ? 'audiobook' : 'ebook',
    slug,
    title,
    authors,
    notes: notes.map((note) => ({
      id: note.id,
      where: note.where,
      ...(note.kind === 'bookmark'
        ? { chapter: note.mark.chapter, seconds: note.mark.seconds, sentence: quoteOf(note) }
        : { quote: note.mark.quote, locator: note.mark.locator, share: note.mark.share }),
      note: note.note,
      madeAt: new Date(note.madeAtMs).toISOString(),
    })),
  })),
})
