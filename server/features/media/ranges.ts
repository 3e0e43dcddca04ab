/** First and last byte, both included, as HTTP counts. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * Reads the bytes that a `Range` header asks for: `whole` when there is no range to honour, `unsatisfiable` for 416.
 * Several ranges at once are answered whole, as the standard allows; players ask for one.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const asked = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '')
  if (!asked || (asked[1] === '' && asked[2] === '')) return 'whole'
  const [first, last] = [asked[1] ?? '', asked[2] ?? '']
  if (first === '') {
    const count = Math.min(Number(last), size)
    return count === 0 ? 'unsatisfiable' : { first: size - count, last: size - 1 }
  }
  if (last !== '' && Number(last) < Number(first)) return 'whole'
  if (Number(first) >= size) return 'unsatisfiable'
  return { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
