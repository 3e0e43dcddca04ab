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

const SHAPES = {
  none: /^null$/,
  time: /^\d{4,6}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)$/,
  whole: /^-?\d{1,9}$/,
  text: /^[^\0]*$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
} as const

/** What the database reads the place as. */
export interface PlaceShape {
  readonly value: Exclude<keyof typeof SHAPES, 'uuid'>
  readonly id: 'uuid' | 'whole'
}

/** @throws 400 for anything that `writePlace` did not write for a list of this shape */
export function readPlace(text: string | undefined, shape: PlaceShape): Place | undefined {
  if (text === undefined) return undefined
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(read) && read.length === 2) {
      const [value, id]: unknown[] = read
      if (
        (value === null || typeof value === 'string' || typeof value === 'number') &&
        typeof id === 'string' &&
        SHAPES[shape.value].test(String(value)) &&
        SHAPES[shape.id].test(id)
      )
        return { value, id }
    }
  } catch {
    // Reported below.
  }
  throw unreadable('after: This is no place in the list.')
}
