/** Small things of the provider's wire: ids that may be whole objects, and Unix seconds. */
export const idOf = (given: string | { readonly id?: string } | null | undefined): string | null =>
  typeof given === 'object' && given !== null ? (given.id ?? null) : (given ?? null)

export const wholeOf = <T extends object>(given: T | string | null | undefined): T | null =>
  typeof given === 'object' ? given : null

export const dateOf = (seconds: number): Date => new Date(seconds * 1000)

export const maybeDate = (seconds: number | null | undefined): Date | null =>
  seconds === null || seconds === undefined ? null : dateOf(seconds)

export const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

/** As many as one page of a list holds. */
export const PAGE = 100
