import type { FoundSeries } from './series-names.ts'

/** A title as one source describes it. Missing values are undefined or empty. */
export interface Described {
  readonly title?: string | undefined
  readonly subtitle?: string | undefined
  readonly authors?: readonly string[] | undefined
  readonly narrators?: readonly string[] | undefined
  readonly translator?: string | undefined
  readonly publisher?: string | undefined
  /** A year or a date. */
  readonly published?: string | undefined
  /** A language code or name. */
  readonly language?: string | undefined
  readonly description?: string | undefined
  readonly series?: readonly FoundSeries[] | undefined
  readonly tags?: readonly string[] | undefined
  /** ISBN-13. */
  readonly isbn?: string | undefined
}

/** Merges descriptions: for each field the last source with a value wins. */
export function layOver(...sources: readonly Described[]): Described {
  const entries = sources.flatMap((source) => Object.entries(source))
  return Object.fromEntries(
    entries.filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && !value.length),
    ),
  )
}
