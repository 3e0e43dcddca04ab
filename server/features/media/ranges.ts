/** Both inclusive, as in HTTP. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/**
 * `whole` if there is no valid range, `unsatisfiable` for 416. A request for several ranges gets the whole file, as
 * the standard allows; players request only one.
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
