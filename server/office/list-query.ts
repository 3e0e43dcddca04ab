import type { ListQuery } from '#contract/office/office-endpoint.ts'
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

/** Reads the asked parts of a list, both if none is named: its rows, and what counts and adds up all of them. */
export const readParts = <Row, Totals>(
  part: ListQuery['part'],
  rows: () => Promise<Row[]>,
  totals: () => Promise<Totals>,
): Promise<[Row[], Totals | undefined]> =>
  Promise.all([part === 'totals' ? [] : rows(), part === 'rows' ? undefined : totals()])
