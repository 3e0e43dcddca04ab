import { BadSetting } from '../settings/bad-setting.ts'

// Parsers of arguments and options. Each gets the name to use in its message.

export const wholeNumber =
  (what: string, least: number, most: number) =>
  (said: string): number => {
    const number = /^\d+$/.test(said) ? Number(said) : NaN
    if (!(number >= least && number <= most))
      throw new BadSetting(`${what} is a whole number from ${least} to ${most}, not “${said}”.`)
    return number
  }

/** Pounds as typed, in pence. */
export const pence =
  (what: string, { example, least = 1, most = 9999_99 }: PenceLimits) =>
  (said: string): number => {
    const minor = /^\d{1,5}(\.\d{1,2})?$/.test(said) ? Math.round(Number(said) * 100) : NaN
    if (!(minor >= least && minor <= most))
      throw new BadSetting(`${what} is an amount in pounds, like ${example}, not “${said}”.`)
    return minor
  }

interface PenceLimits {
  readonly example: string
  readonly least?: number
  readonly most?: number
}
