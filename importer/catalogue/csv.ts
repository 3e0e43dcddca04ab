import { CsvError, parse, type Parser } from 'csv-parse'
import { type Column, type Header, headerOf } from './columns.ts'
import { BrokenFile, type Remark } from './notes.ts'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isUtf8 } from 'node:buffer'

export interface CsvRow {
  readonly line: number
  readonly cells: ReadonlyMap<Column, string>
  readonly notes: readonly Remark[]
  /** Set if the row has more cells than the header: then its columns cannot be trusted. */
  readonly tooMany?: string
}

const LARGEST_ROW = 1_000_000

/**
 * Accepts commas, semicolons or tabs; UTF-8, UTF-16 or windows-1252.
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
      const cells = record.map(decodeCell)
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

/** Bytes; enough to hold any header and to detect the encoding. */
const FIRST = 65_536

/**
 * Decompressed if the content is gzip; the name is ignored. The first piece has at least `FIRST` bytes, or the whole
 * file.
 * @throws `BrokenFile` if the rest of the file is unreadable, for example in a truncated gzip
 */
export async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  const packed = await isGzip(path)
  const file = createReadStream(path)
  const stream: AsyncIterable<Buffer> = packed ? pipeline(file, createGunzip(), () => {}) : file
  let first: Buffer[] | undefined = []
  try {
    for await (const piece of stream) {
      if (!first) {
        yield piece
        continue
      }
      first.push(piece)
      if (first.reduce((sum, { length }) => sum + length, 0) < FIRST) continue
      yield Buffer.concat(first)
      first = undefined
    }
    if (first) yield Buffer.concat(first)
  } catch (error) {
    if (!isFileError(error)) throw error
    if (first && first.length > 0) yield Buffer.concat(first)
    throw new BrokenFile(
      /unexpected end of file/.test(error.message)
        ? 'The file ends in the middle of what gzip packed: it was not copied to its end.'
        : `The file cannot be read on: ${error.message}.`,
    )
  } finally {
    file.destroy()
  }
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && /^(Z_|E[A-Z]+)/.test(String(error.code))

async function isGzip(path: string): Promise<boolean> {
  try {
    const start: AsyncIterable<Buffer> = createReadStream(path, { end: 1 })
    for await (const piece of start) return piece[0] === 0x1f && piece[1] === 0x8b
  } catch (error) {
    if (!isFileError(error)) throw error
    throw new BrokenFile(`The file cannot be read: ${error.message}.`)
  }
  return false
}

/** Undefined for UTF-8 and other encodings of single bytes. */
export function wideEncodingOf(start: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  // Without a byte order mark, every ASCII character of a header has a zero byte before or after it.
  const sample = start.subarray(0, 200)
  const zeros = (parity: number) => sample.filter((byte, index) => byte === 0 && index % 2 === parity).length
  if (sample.length >= 8 && zeros(1) > sample.length / 4) return 'utf-16le'
  if (sample.length >= 8 && zeros(0) > sample.length / 4) return 'utf-16be'
  return undefined
}

/** @throws `BrokenFile` for file types that people often mistake for text */
export function refuseBinary(start: Buffer): void {
  if (start.length === 0) throw new BrokenFile('The file is empty.')
  if (start.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004')))
    throw new BrokenFile(
      'The file is a spreadsheet or another packed file, not CSV: open it and save it as “CSV UTF-8”.',
    )
  if (start.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])))
    throw new BrokenFile(
      'The file is an old spreadsheet (.xls), not CSV: open it and save it as “CSV UTF-8”.',
    )
  if (start.includes(0) && !wideEncodingOf(start))
    throw new BrokenFile('The file is not text: it holds bytes that no CSV or ONIX file would.')
}

export async function* asUtf8(pieces: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of pieces) yield Buffer.from(decoder.decode(piece, { stream: true }))
  yield Buffer.from(decoder.decode())
}

const western = new TextDecoder('windows-1252')

export const decodeCell = (cell: Buffer): { text: string; guessed: boolean } =>
  isUtf8(cell)
    ? { text: cell.toString('utf8'), guessed: false }
    : { text: western.decode(cell), guessed: true }
