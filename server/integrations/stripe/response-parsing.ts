/** The id of a field that may be expanded to an object. */
export const idOf = (given: string | { readonly id?: string } | null | undefined): string | null =>
  typeof given === 'object' && given !== null ? (given.id ?? null) : (given ?? null)

export const wholeOf = <T extends object>(given: T | string | null | undefined): T | null =>
  typeof given === 'object' ? given : null

export const dateOf = (seconds: number): Date => new Date(seconds * 1000)

export const maybeDate = (seconds: number | null | undefined): Date | null =>
  seconds === null || seconds === undefined ? null : dateOf(seconds)

export const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

export const PAGE = 100
