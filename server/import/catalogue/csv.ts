import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { bytesOf } from './bytes.ts'
import { type Column, type Header, headerOf } from './columns.ts'
import { asUtf8, refuseBinary, textOf, wideEncodingOf } from './encoding.ts'
import { BrokenFile, type Remark } from './entry.ts'

/** A row by its columns, as it stands in the file. */
export interface CsvRow {
  readonly line: number
  readonly cells: ReadonlyMap<Column, string>
  readonly notes: readonly Remark[]
  /** More cells than the header has: then none of them can be trusted to be in its place. */
  readonly tooMany?: string
}

const LARGEST_ROW = 1_000_000

/**
 * The rows of a CSV file, one at a time: commas, semicolons or tabs; UTF-8, UTF-16 or windows-1252.
 *
 * Throws `BrokenFile` where the file is no CSV, or stops being one.
 */
export async function* csvRows(path: string, onHeader: (header: Header) => void): AsyncGenerator<CsvRow> {
  const pieces = bytesOf(path)
  const { value: start = Buffer.alloc(0) } = await pieces.next()
  refuseBinary(start)
  const wide = wideEncodingOf(start)
  const whole = prefixed(withoutMark(start), pieces)
  const firstText = wide ? new TextDecoder(wide).decode(start) : start.toString('latin1')
  const parser = parse({
    delimiter: delimiterOf(firstText),
    encoding: null,
    info: true,
    max_record_size: LARGEST_ROW,
    // Not guessed from the first line: a file may have been put together from several.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
  const source = Readable.from(wide ? asUtf8(whole, wide) : whole)
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)

  let header: Header | undefined
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Buffer[]
      info: { lines: number }
    }>) {
      const cells = record.map(textOf)
      if (!header) {
        // A spreadsheet's own word about the delimiter.
        if (/^sep=/i.test(cells[0]!.text)) continue
        header = headerOf(cells.map(({ text }) => text))
        refuseWithoutTitle(
          header,
          cells.map(({ text }) => text),
        )
        onHeader(header)
        continue
      }
      if (cells.every(({ text }) => text.trim() === '')) continue
      yield rowOf(header, cells, info.lines)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new BrokenFile(sentenceOf(error))
  } finally {
    source.destroy()
    parser.destroy()
  }
  if (!header) throw new BrokenFile('The file holds no header and no rows.')
}

function rowOf(header: Header, cells: readonly { text: string; guessed: boolean }[], endsAt: number): CsvRow {
  const breaks = cells.reduce((sum, { text }) => sum + (text.match(/\r\n|\n|\r/g)?.length ?? 0), 0)
  const values = new Map<Column, string>()
  for (const [index, column] of header.columns.entries())
    if (column) values.set(column, cells[index]?.text.trim() ?? '')
  const notes: Remark[] = cells.some(({ guessed }) => guessed)
    ? [
        {
          kind: 'not UTF-8',
          text: 'The row is not UTF-8 and was read as windows-1252; look at its accents, or save the file as “CSV UTF-8”.',
        },
      ]
    : []
  const beyond = cells.slice(header.columns.length).filter(({ text }) => text.trim() !== '')
  return {
    line: endsAt - breaks,
    cells: values,
    notes,
    ...(beyond.length > 0
      ? {
          tooMany: `The row has ${cells.length} cells and the header ${header.columns.length}: a quote or a comma too many shifts what follows.`,
        }
      : {}),
  }
}

/** The one that the first line has most of, outside quotes. */
function delimiterOf(text: string): string {
  const told = /^\ufeff?sep=([,;\t|])/i.exec(text.replace(/^ï»¿/, ''))?.[1]
  if (told) return told
  const line = (/^[^\r\n]*/.exec(text.replace(/^[\s\ufeff]+/, ''))?.[0] ?? '').replace(/"[^"]*"/g, '')
  const count = (delimiter: string) => line.split(delimiter).length
  return [',', ';', '\t', '|'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

function refuseWithoutTitle({ columns }: Header, names: readonly string[]): void {
  if (columns.includes('title')) return
  const seen = names
    .slice(0, 8)
    .map((name) => `“${name.slice(0, 30)}”`)
    .join(', ')
  throw new BrokenFile(
    `The file has no column “title” in its first line, so it is no catalogue in CSV. Its first line has ${seen}.`,
  )
}

function sentenceOf(error: CsvError): string {
  const line = 'lines' in error ? ` near line ${String(error.lines)}` : ''
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return `A quote is opened and never closed${line}: from there on the rows cannot be told apart.`
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return `A row${line} is longer than ${LARGEST_ROW} bytes: a quote is probably opened and never closed.`
  return `The file is no CSV any more${line}: ${error.message}.`
}

/** The parser would take the mark for a reason to answer text, and not bytes. */
const withoutMark = (start: Buffer): Buffer =>
  start.subarray(0, 3).equals(Buffer.from('\ufeff')) ? start.subarray(3) : start

async function* prefixed(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}
