import { unreadable } from '../http/http-errors.ts'

/**
 * The place in a list after which the next page begins: the last row's value in the order's column, and its id. An
 * offset would slow down with each page, and skip a row when one is added above.
 */
export interface Place {
  readonly value: string | number | null
  readonly id: string
}

export const writePlace = ({ value, id }: Place): string =>
  Buffer.from(JSON.stringify([value, id])).toString('base64url')

/** @throws 400 for anything that `writePlace` did not write */
export function readPlace(text: string | undefined): Place | undefined {
  if (text === undefined) return undefined
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(read) && read.length === 2) {
      const [value, id]: unknown[] = read
      if (
        (value === null || typeof value === 'string' || typeof value === 'number') &&
        typeof id === 'string'
      )
        return { value, id }
    }
  } catch {
    // Reported below.
  }
  throw unreadable('after: This is no place in the list.')
}
