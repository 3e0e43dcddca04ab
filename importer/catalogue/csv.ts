import { CsvError, parse, type Parser } from 'csv-parse'
import { bytesOf } from './bytes.ts'
import { type Column, type Header, headerOf } from './columns.ts'
import { asUtf8, refuseBinary, textOf, wideEncodingOf } from './encoding.ts'
import { BrokenFile, type Remark } from './entry.ts'

/** A row's cells by column, as written in the file. */
export interface CsvRow {
  readonly line: number
  readonly cells: ReadonlyMap<Column, string>
  readonly notes: readonly Remark[]
  /** Set if the row has more cells than the header: none of its cells can then be trusted to be in the right column. */
  readonly tooMany?: string
}

const LARGEST_ROW = 1_000_000

/**
 * The rows of a CSV file, one at a time. Accepts commas, semicolons or tabs; UTF-8, UTF-16 or windows-1252.
 *
 * @throws `BrokenFile` if the file is not CSV, or is malformed from some point on
 */
export async function* csvRows(path: string, onHeader: (header: Header) => void): AsyncGenerator<CsvRow> {
  const pieces = bytesOf(path)
  const { value: start = Buffer.alloc(0) } = await pieces.next()
  refuseBinary(start)
  const wide = wideEncodingOf(start)
  const whole = prefixed(withoutMark(start), pieces)
  const firstText = wide ? new TextDecoder(wide).decode(start) : start.toString('latin1')
  // Collect records as they are parsed: a stream that ends with an error discards its buffer.
  const read: { record: Buffer[]; endsAt: number }[] = []
  const parser = parse({
    delimiter: delimiterOf(firstText),
    encoding: null,
    max_record_size: LARGEST_ROW,
    on_record: (record, { lines }) => {
      // The records are Buffers because of `encoding: null`; the parser's types do not say so.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser was asked for raw records
      read.push({ record: record as unknown as Buffer[], endsAt: lines })
      return null
    },
    // List all line breaks instead of guessing from the first line: a file may be joined from several.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
  const fault: { error?: CsvError } = {}
  parser.on('error', (error) => {
    if (error instanceof CsvError) fault.error = error
  })

  let header: Header | undefined
  let lastLine = 0
  function* rows(): Generator<CsvRow> {
    for (const { record, endsAt } of read.splice(0)) {
      lastLine = endsAt
      const cells = record.map(textOf)
      const texts = cells.map(({ text }) => text)
      if (header) {
        if (texts.some((text) => text.trim() !== '')) yield rowOf(header, cells, endsAt)
        continue
      }
      // A line in which a spreadsheet names its delimiter.
      if (/^sep=/i.test(texts[0]!)) continue
      header = headerOf(texts)
      refuseWithoutTitle(header, texts)
      onHeader(header)
    }
  }
  try {
    // The parser is synchronous: its records are in `read` when `written` resolves.
    for await (const piece of wide ? asUtf8(whole, wide) : whole) {
      if (fault.error) break
      await written(parser, piece)
      yield* rows()
    }
    if (!fault.error) await ended(parser)
    yield* rows()
  } finally {
    parser.destroy()
  }
  if (fault.error) throw new BrokenFile(sentenceOf(fault.error, lastLine + 1))
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
          text: 'The row is not UTF-8 and was read as windows-1252; check its accents, or save the file as “CSV UTF-8”.',
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
          tooMany: `The row has ${cells.length} cells and the header ${header.columns.length}: an extra quote or comma has shifted what follows.`,
        }
      : {}),
  }
}

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
    `The file has no “title” column in its first line, so it is not a CSV catalogue. Its first line has ${seen}.`,
  )
}

/** Always resolves; the parser reports a fault through its `error` event. */
const written = (parser: Parser, piece: Buffer): Promise<void> =>
  new Promise((resolve) => void parser.write(piece, () => resolve()))

const ended = (parser: Parser): Promise<void> => new Promise((resolve) => void parser.end(() => resolve()))

function sentenceOf(error: CsvError, line: number): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return `The row on line ${line} opens a quote that is never closed, so nothing from there on could be read.`
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return `The row on line ${line} is longer than ${LARGEST_ROW} bytes; it probably opens a quote that is never closed.`
  return `From line ${line} on the file is not a CSV file: ${error.message}.`
}

/** With a byte order mark the parser would return text instead of bytes. */
const withoutMark = (start: Buffer): Buffer =>
  start.subarray(0, 3).equals(Buffer.from('\ufeff')) ? start.subarray(3) : start

async function* prefixed(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}
