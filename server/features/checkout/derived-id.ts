import { createHash } from 'node:crypto'

/** The id of an order's source that is stored nowhere: the same text always has the same one. */
export function derivedId(of: string): string {
  const hash = createHash('sha256').update(of).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}
