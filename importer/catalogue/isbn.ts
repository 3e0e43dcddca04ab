import { RowRefused } from './notes.ts'

const KIND = 'not an ISBN'

/** @throws `RowRefused` for anything but an ISBN, with or without hyphens: a wrong ISBN sells the wrong book */
export function isbnOf(cell: string): { isbn: string; note?: string } | undefined {
  // `="978…"` and a leading apostrophe protect numbers from spreadsheets.
  const bare = cell
    .replace(/^=?"?'?|"$/g, '')
    .replace(/^isbn(-?1[03])?[:\s]*/i, '')
    .trim()
  if (bare === '') return undefined
  if (/^\d([.,]\d+)?e\+?\d+$/i.test(bare))
    throw new RowRefused(
      'ISBN that a spreadsheet cut off',
      `The ISBN was turned into ${bare} by a spreadsheet, and its last figures are lost: take the catalogue from where it came, set the column to “text” before you paste, and export again.`,
    )
  const digits = bare
    .replace(/[.,]0+$/, '')
    .replace(/[\s\u2010-\u2015\u2212-]/g, '')
    .toUpperCase()
  if (/^\d{13}$/.test(digits)) return thirteen(digits, cell)
  if (/^\d{9}[\dX]$/.test(digits)) return ten(digits, cell)
  if (/^\d{6,8}[\dX]$/.test(digits)) {
    const padded = digits.padStart(10, '0')
    if (isTen(padded))
      return {
        isbn: asThirteen(padded),
        note: `The ISBN ${digits} had lost its leading zeros; read as ${padded}.`,
      }
  }
  const short = /^\d{7,12}[\dX]?$/.test(digits)
  throw new RowRefused(
    KIND,
    `“${cell}” is not an ISBN: it has ${digits.length} digits, an ISBN has 10 or 13${short ? ' (a spreadsheet drops leading zeros: set the column to “text”)' : ''}.`,
  )
}

/** Undefined for other identifiers; files have many. */
export function isbnIn(said: string | undefined): string | undefined {
  const bare = said?.replace(/^urn:/i, '') ?? ''
  if (!/^(?:isbn[-:\s\d]*)?[\d\s-]{9,}[\dX]$/i.test(bare)) return undefined
  try {
    return isbnOf(bare)?.isbn
  } catch {
    return undefined
  }
}

function thirteen(digits: string, cell: string): { isbn: string } {
  if (!/^97[89]/.test(digits))
    throw new RowRefused(KIND, `“${cell}” is not an ISBN: 13 digits begin with 978 or 979.`)
  const right = checkOfThirteen(digits)
  if (right !== digits[12])
    throw new RowRefused(
      'ISBN with a wrong check digit',
      `The ISBN ${cell} is mistyped: its last digit should be ${right}.${/0{4}$/.test(digits) ? ' It ends in zeros, like a number that a spreadsheet has rounded.' : ''}`,
    )
  return { isbn: digits }
}

function ten(digits: string, cell: string): { isbn: string } {
  if (!isTen(digits))
    throw new RowRefused(
      'ISBN with a wrong check digit',
      `The ISBN ${cell} is mistyped: its check digit is wrong.`,
    )
  return { isbn: asThirteen(digits) }
}

const isTen = (digits: string): boolean =>
  Array.from(digits).reduce(
    (sum, digit, index) => sum + (digit === 'X' ? 10 : Number(digit)) * (10 - index),
    0,
  ) %
    11 ===
  0

const asThirteen = (ten: string): string => {
  const twelve = `978${ten.slice(0, 9)}`
  return twelve + checkOfThirteen(twelve)
}

function checkOfThirteen(digits: string): string {
  const sum = Array.from(digits.slice(0, 12)).reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  )
  return String((10 - (sum % 10)) % 10)
}
