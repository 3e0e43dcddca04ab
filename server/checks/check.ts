import type { Shop } from '../shop.ts'

export interface Problem {
  /** `broken` must be fixed; `look` should be known. */
  readonly severity: 'broken' | 'look'
  readonly what: string
  /** Empty if `what` already says what to do. */
  readonly remedy: string
  /** Tells several problems of one check apart, such as the id of an order. */
  readonly subject?: string | null
  readonly since?: Date | null
  /** The account that it is about. */
  readonly userId?: string | null
}

export interface Result {
  readonly problems: readonly Problem[]
  readonly fine: string
}

export interface Check<Given> {
  /** The doctor's line has this name. */
  readonly id: string
  readonly inDoctor?: true
  /** Its problems are entries of this kind on the to-do list; `/metrics` counts them under the same name. */
  readonly todoKind?: string
  /** Printed when the shop has opened. Such a check must not wait for the payment provider. */
  readonly atStart?: 'always' | 'unless demo'
  readonly run: (given: Given) => Result | Promise<Result>
}

export type WrongPrices = () => Promise<readonly string[]>

export interface CheckedShop extends Pick<
  Shop,
  'config' | 'db' | 'database' | 'media' | 'payments' | 'billing' | 'now' | 'clock'
> {
  readonly wrongPrices: WrongPrices
  readonly isDeep: boolean
}

export const fine = (says: string): Result => ({ problems: [], fine: says })
export const broken = (what: string, remedy = ''): Result => found([{ severity: 'broken', what, remedy }])
export const look = (what: string, remedy = ''): Result => found([{ severity: 'look', what, remedy }])
export const found = (problems: readonly Problem[], ifNone = 'Nothing was found.'): Result => ({
  problems,
  fine: ifNone,
})

/** The problems of all, or the first one's `fine` if there are none. */
export const together = (...results: readonly [Result, ...Result[]]): Result =>
  found(
    results.flatMap(({ problems }) => problems),
    results[0].fine,
  )

/** The problem and its remedy in one line: `There are no books yet: npm run import -- FOLDER brings yours in.` */
export function inOneLine({ what, remedy }: Pick<Problem, 'what' | 'remedy'>): string {
  if (remedy === '') return what
  return remedy.startsWith('npm run ') ? `${what.replace(/\.$/, ':')} ${remedy}` : `${what} ${remedy}`
}

export const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`

/** A check that throws is a problem too, and does not stop the others. */
export async function resultOf<Given>({ run }: Check<Given>, given: Given): Promise<Result> {
  try {
    return await run(given)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return broken(`This could not be looked at: ${reason}`)
  }
}
