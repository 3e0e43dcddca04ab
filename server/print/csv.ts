/** Cells that a spreadsheet would run as a formula get an apostrophe in front. */
export const csvLine = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quoted(cell))).join(',')}\r\n`

/** Byte order mark: without it spreadsheets do not recognise UTF-8. */
export const CSV_MARK = '\ufeff'

const quoted = (cell: string): string => {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
