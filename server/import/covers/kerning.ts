import { inflateSync } from 'node:zlib'

/** The space to add between two glyphs, in font units. */
export type Kerning = (left: number, right: number) => number

/**
 * Reads pair kerning out of a WOFF file's GPOS table.
 *
 * Needed because opentype.js leaves out lookups behind an extension (type 9), which is how both of our
 * fonts are packed: without this, "To" and "Ve" fall apart at the size of a cover.
 */
export function kerningOf(woff: Uint8Array): Kerning {
  const table = tableOf(woff, 'GPOS')
  if (!table) return () => 0
  const pairs = pairSubtables(table).map((offset) => pairReader(table, offset))
  return (left, right) => {
    for (const read of pairs) {
      const value = read(left, right)
      if (value !== undefined) return value
    }
    return 0
  }
}

function tableOf(woff: Uint8Array, tag: string): DataView | undefined {
  const file = new DataView(woff.buffer, woff.byteOffset, woff.byteLength)
  const count = file.getUint16(12)
  for (let entry = 44; entry < 44 + count * 20; entry += 20) {
    if (String.fromCharCode(...woff.subarray(entry, entry + 4)) !== tag) continue
    const offset = file.getUint32(entry + 4)
    const packed = file.getUint32(entry + 8)
    const whole = file.getUint32(entry + 12)
    const stored = woff.subarray(offset, offset + packed)
    const bytes = packed < whole ? inflateSync(stored) : stored
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  return undefined
}

function pairSubtables(table: DataView): number[] {
  const features = table.getUint16(6)
  const lookups = table.getUint16(8)
  const wanted = new Set<number>()
  for (let index = 0; index < table.getUint16(features); index++) {
    const record = features + 2 + index * 6
    // 'kern'
    if (table.getUint32(record) !== 0x6b65726e) continue
    const feature = features + table.getUint16(record + 4)
    for (let each = 0; each < table.getUint16(feature + 2); each++)
      wanted.add(table.getUint16(feature + 4 + each * 2))
  }
  return [...wanted].flatMap((index) => {
    const lookup = lookups + table.getUint16(lookups + 2 + index * 2)
    const type = table.getUint16(lookup)
    return Array.from({ length: table.getUint16(lookup + 4) }, (_, each) => {
      const subtable = lookup + table.getUint16(lookup + 6 + each * 2)
      if (type === 2) return subtable
      const behindExtension = type === 9 && table.getUint16(subtable + 2) === 2
      return behindExtension ? subtable + table.getUint32(subtable + 4) : undefined
    }).filter((offset) => offset !== undefined)
  })
}

/** Undefined where this subtable says nothing about the pair, so that the next one is asked. */
function pairReader(table: DataView, at: number): (left: number, right: number) => number | undefined {
  const covered = coverage(table, at + table.getUint16(at + 2))
  const [first, second] = [table.getUint16(at + 4), table.getUint16(at + 6)]
  const size = 2 * (bits(first) + bits(second))
  const advance = 2 * bits(first & 0b11)
  const hasAdvance = (first & 0b100) !== 0
  const valueAt = (record: number) => (hasAdvance ? table.getInt16(record + advance) : 0)

  if (table.getUint16(at) === 1)
    return (left, right) => {
      const index = covered.get(left)
      if (index === undefined) return undefined
      const set = at + table.getUint16(at + 10 + index * 2)
      for (let pair = 0; pair < table.getUint16(set); pair++) {
        const record = set + 2 + pair * (2 + size)
        if (table.getUint16(record) === right) return valueAt(record + 2)
      }
      return undefined
    }

  const leftClass = classes(table, at + table.getUint16(at + 8))
  const rightClass = classes(table, at + table.getUint16(at + 10))
  const columns = table.getUint16(at + 14)
  return (left, right) =>
    covered.has(left)
      ? valueAt(at + 16 + ((leftClass.get(left) ?? 0) * columns + (rightClass.get(right) ?? 0)) * size)
      : undefined
}

function coverage(table: DataView, at: number): Map<number, number> {
  const glyphs = new Map<number, number>()
  const count = table.getUint16(at + 2)
  for (let index = 0; index < count; index++) {
    if (table.getUint16(at) === 1) glyphs.set(table.getUint16(at + 4 + index * 2), index)
    else {
      const [start, end, from] = rangeAt(table, at + 4 + index * 6)
      for (let glyph = start; glyph <= end; glyph++) glyphs.set(glyph, from + glyph - start)
    }
  }
  return glyphs
}

function classes(table: DataView, at: number): Map<number, number> {
  const glyphs = new Map<number, number>()
  if (table.getUint16(at) === 1) {
    const start = table.getUint16(at + 2)
    for (let index = 0; index < table.getUint16(at + 4); index++)
      glyphs.set(start + index, table.getUint16(at + 6 + index * 2))
    return glyphs
  }
  for (let index = 0; index < table.getUint16(at + 2); index++) {
    const [start, end, value] = rangeAt(table, at + 4 + index * 6)
    for (let glyph = start; glyph <= end; glyph++) glyphs.set(glyph, value)
  }
  return glyphs
}

const rangeAt = (table: DataView, at: number): [start: number, end: number, value: number] => [
  table.getUint16(at),
  table.getUint16(at + 2),
  table.getUint16(at + 4),
]

const bits = (mask: number): number => mask.toString(2).replaceAll('0', '').length
