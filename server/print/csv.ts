/** A line of a table, in quotes where it needs them, and with an apostrophe before what a spreadsheet would take for a formula. */
export const csvLine = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quoted(cell))).join(',')}\r\n`

/** Without the mark a spreadsheet takes UTF-8 for something else. */
export const CSV_MARK = '\ufeff'

const quoted = (cell: string): string => {
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
