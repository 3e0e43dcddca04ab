import { isUtf8 } from 'node:buffer'
import { BrokenFile } from './entry.ts'

/** Detects UTF-16 from a file's first bytes. Undefined for UTF-8 and other encodings of single bytes. */
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

/** A cell's text, and whether it had to be decoded as windows-1252. */
export const textOf = (cell: Buffer): { text: string; guessed: boolean } =>
  isUtf8(cell)
    ? { text: cell.toString('utf8'), guessed: false }
    : { text: western.decode(cell), guessed: true }
