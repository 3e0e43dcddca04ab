import type { ListQuery } from '#contract/office/office-endpoint.ts'

/** Reads the asked parts of a list, both if none is named: its rows, and what counts and adds up all of them. */
export const readParts = <Row, Totals>(
  part: ListQuery['part'],
  rows: () => Promise<Row[]>,
  totals: () => Promise<Totals>,
): Promise<[Row[], Totals | undefined]> =>
  Promise.all([part === 'totals' ? [] : rows(), part === 'rows' ? undefined : totals()])
