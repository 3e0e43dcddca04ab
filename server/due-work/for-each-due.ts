import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import type { BusinessClock } from '../clock.ts'
import type { Db } from '../db/open.ts'
import { PaymentsUnavailable } from '../integrations/stripe/problems.ts'
import type { Log } from '../log/log.ts'
import { deletePostponed, type Postponable, postpone } from './queries.ts'

/** This many consecutive calls without an answer mean that the provider is down; one may concern one object only. */
const MAX_UNANSWERED = 3

interface Hooks<Item> {
  /** Called after an item failed, and before the next one: stores when the item is due again. */
  readonly onFailure?: (item: Item, failure: Failure) => unknown
  readonly onSuccess?: (item: Item) => unknown
}

interface Failure {
  readonly error: unknown
  /** The provider did not answer, which says nothing about the item. */
  readonly isUnanswered: boolean
}

export interface DueWorkOptions<Item> extends Hooks<Item> {
  readonly log: Log
  readonly signal: AbortSignal | undefined
  readonly problem: string
  readonly about?: (item: Item) => Readonly<Record<string, unknown>>
  readonly concurrency?: number
  readonly maxUnanswered?: number
  /** Whether an outage of the provider ends this list quietly. Otherwise it is thrown. */
  readonly toleratesOutage?: boolean
}

/** A failure is logged and does not stop the rest. @throws {PaymentsUnavailable} the provider is down */
export async function forEachDue<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
  options: DueWorkOptions<Item>,
): Promise<{ readonly done: number; readonly failed: number }> {
  const { log, signal, problem, about, concurrency = 1, maxUnanswered = MAX_UNANSWERED } = options
  const remaining = eachOf(items)
  let done = 0
  let failed = 0
  let unanswered = 0
  let outage: PaymentsUnavailable | undefined

  const isEnded = () => signal?.aborted === true || outage !== undefined
  const workThrough = async () => {
    while (!isEnded()) {
      const next = await remaining.next()
      if (next.done === true || isEnded()) return
      const item = next.value
      try {
        await work(item)
        await options.onSuccess?.(item)
        done += 1
        unanswered = 0
      } catch (error) {
        failed += 1
        const isUnanswered = error instanceof PaymentsUnavailable
        unanswered = isUnanswered ? unanswered + 1 : 0
        log.warn({ err: error, ...about?.(item) }, problem)
        await options.onFailure?.(item, { error, isUnanswered })
        if (isUnanswered && unanswered >= maxUnanswered) outage = error
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, workThrough))
  } finally {
    await remaining.return()
  }
  if (outage !== undefined && options.toleratesOutage !== true) throw outage
  return { done, failed }
}

async function* eachOf<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item, void> {
  yield* items
}

/** The rows of a query from which an item disappears once it is done or postponed, in batches. */
export async function* untilNoneIsDue<Row>(
  select: (limit: number) => Promise<readonly Row[]>,
  limit: number,
): AsyncGenerator<Row, void> {
  for (;;) {
    const rows = await select(limit)
    yield* rows
    if (rows.length < limit) return
  }
}

export const backOffMs = (
  failures: number,
  { firstMs = 5 * MINUTE_MS, longestMs = DAY_MS }: { firstMs?: number; longestMs?: number } = {},
): number => Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20))

/** Postpones failed items; the query uses `isDue` and `lastTried`. Without an answer an item only goes last. */
export const postponing = <Item>(
  { db, clock }: { readonly db: Db; readonly clock: BusinessClock },
  work: Postponable,
  idOf: (item: Item) => string,
): Hooks<Item> => ({
  onFailure: (item, { isUnanswered }) =>
    postpone(db, { work, id: idOf(item) }, (failures) => {
      const failedNow = failures + (isUnanswered ? 0 : 1)
      const pauseMs = isUnanswered ? 0 : backOffMs(failedNow)
      return { failures: failedNow, until: new Date(clock.now().getTime() + pauseMs) }
    }),
  onSuccess: (item) => deletePostponed(db, { work, id: idOf(item) }),
})
