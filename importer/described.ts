import type { FoundSeries } from './series-names.ts'

/** A title as one source has it; what it does not say is left out or empty. */
export interface Described {
  readonly title?: string | undefined
  readonly subtitle?: string | undefined
  readonly authors?: readonly string[] | undefined
  readonly narrators?: readonly string[] | undefined
  readonly translator?: string | undefined
  readonly publisher?: string | undefined
  /** A year, or a day. */
  readonly published?: string | undefined
  /** A code, or the name of it. */
  readonly language?: string | undefined
  readonly description?: string | undefined
  readonly series?: readonly FoundSeries[] | undefined
  readonly tags?: readonly string[] | undefined
  /** ISBN-13. */
  readonly isbn?: string | undefined
}

/** Each field as the last source has it that says anything of it. */
export function layOver(...sources: readonly Described[]): Described {
  const entries = sources.flatMap((source) => Object.entries(source))
  return Object.fromEntries(
    entries.filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && !value.length),
    ),
  )
}
