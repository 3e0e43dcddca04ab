import { languageOf } from '../plan-fields.ts'
import { type Read, RowRefused } from './notes.ts'

export const lineInCell = (text: string): string => proseOf(text).replace(/\s+/g, ' ').trim()

/** Keeps tabs and line breaks. */
export const proseOf = (text: string): string =>
  text
    .replace(/(?![\t\n\r])[\p{Cs}\p{Cc}]/gu, '')
    .normalize('NFC')
    .trim()

export const listInCell = (cell: string): string[] => [
  ...new Set(
    cell
      .split(/[;|]/)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
]

/** @returns pence */
export function priceInCell(name: string, cell: string): number | undefined {
  const bare = cell.replace(/^(£|GBP)\s*|\s*(£|GBP)$/gi, '').trim()
  if (bare === '') return undefined
  const given = /^(\d{1,3}(?:,\d{3})*|\d+)(?:[.,](\d{1,2}))?$/.exec(bare)
  const pounds = Number(given?.[1]?.replaceAll(',', ''))
  if (!given || !(pounds < 100_000))
    throw new RowRefused('not a price', `${name} “${cell}” is not a price in pounds, like 12.00.`)
  return pounds * 100 + Number((given[2] ?? '').padEnd(2, '0'))
}

export function countOf(name: string, cell: string, most: number): number | undefined {
  if (cell === '') return undefined
  const count = Number(cell.replace(/[.,]0+$/, ''))
  if (!Number.isSafeInteger(count) || count < 0 || count > most)
    throw new RowRefused('not a number', `${name} “${cell}” is not a whole number from 0 to ${most}.`)
  return count
}

export const LONGEST_MINUTES = 60_000

/** From `5:30:00`, `5 h 20 m`, or a number of minutes. */
export function secondsOf(name: string, cell: string): number | undefined {
  if (cell === '') return undefined
  const clock = /^(\d{1,4}):([0-5]?\d)(?::([0-5]?\d))?$/.exec(cell)
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0)
  const words = /^(?:(\d{1,4})\s*h\w*)?\s*(?:(\d{1,5})\s*m\w*)?$/i.exec(cell)
  if (words) return Number(words[1] ?? 0) * 3600 + Number(words[2] ?? 0) * 60
  const minutes = countOf(name, cell, LONGEST_MINUTES)
  return minutes === undefined ? undefined : minutes * 60
}

export function minutesOf(seconds: number | undefined): number | null {
  if (!seconds) return null
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes > LONGEST_MINUTES)
    throw new RowRefused('impossible length', `A length of ${seconds} seconds is more than 1,000 hours.`)
  return minutes
}

export function dateInCell(name: string, cell: string): Read<string> | undefined {
  if (cell === '') return undefined
  const iso = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T ][\d:.]+Z?)?$/.exec(cell)
  if (iso) return { value: checked(name, cell, iso[1]!, iso[2] ?? '1', iso[3] ?? '1') }
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(cell)
  if (compact) return { value: checked(name, cell, compact[1]!, compact[2]!, compact[3]!) }
  const british = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(cell)
  if (british) {
    const value = checked(name, cell, british[3]!, british[2]!, british[1]!)
    if (Number(british[1]) > 12 || british[1] === british[2]) return { value }
    return {
      value,
      note: { kind: 'date read as day/month', text: `${name} ${cell} was read as day/month: ${value}.` },
    }
  }
  // Days since 1899-12-30, as a spreadsheet shows a date in a column formatted as “number”. The range is 1954 to 2064.
  if (/^[2-5]\d{4}(\.\d+)?$/.test(cell)) {
    const value = new Date(Date.UTC(1899, 11, 30) + Math.floor(Number(cell)) * 86_400_000)
      .toISOString()
      .slice(0, 10)
    return {
      value,
      note: {
        kind: 'date that a spreadsheet turned into a number',
        text: `${name} ${cell} is a spreadsheet’s number for ${value} and was read as that date; set the column to “text” or “date”.`,
      },
    }
  }
  throw new RowRefused('not a date', `${name} “${cell}” is not a date, like 2021-03-01.`)
}

export function checked(name: string, cell: string, year: string, month: string, day: string): string {
  const value = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${value}T00:00:00Z`)
  // JavaScript silently turns 31 February into 3 March.
  if (year === '0000' || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== value)
    throw new RowRefused('not a date', `${name} “${cell}” is not a day in the calendar.`)
  return value
}

export function yesOf(cell: string): boolean | undefined {
  if (/^(yes|y|true|1|x)$/i.test(cell)) return true
  if (/^(no|n|false|0)$/i.test(cell)) return false
  return undefined
}

/** Accepts `en`, `eng`, `de|en` (the first counts) or `German`. */
export function languageNameOf(cell: string): Read<string> | undefined {
  const [first, ...others] = listInCell(cell)
  if (!first) return undefined
  const value = /^[a-z]{2,3}([-_]\w+)?$/.test(first) ? (languageOf(first) ?? first) : first
  if (others.length === 0) return { value }
  return {
    value,
    note: { kind: 'several languages', text: `Of several languages (${cell}) only the first is shown.` },
  }
}
