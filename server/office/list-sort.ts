import { unreadable } from '../http/http-errors.ts'

/** Reads a list's order: a column's key, with a minus in front if it descends. @throws 400 for an unknown key */
export function readSort<Key extends string>(
  typed: string | undefined,
  usual: `-${Key}` | Key,
  isKey: (key: string) => key is Key,
): { readonly key: Key; readonly isDescending: boolean } {
  const sort: string = typed ?? usual
  const isDescending = sort.startsWith('-')
  const key = isDescending ? sort.slice(1) : sort
  if (!isKey(key)) throw unreadable('sort: The list has no such order.')
  return { key, isDescending }
}
