import { unavailable } from './http-errors.ts'

export interface Limits {
  /** Items handed over at once. */
  readonly most: number
  /** Items that may wait; beyond it callers are asked to come back. */
  readonly waitingAtMost: number
}

/**
 * Makes one call of many: what arrives while a batch is under way waits and goes together in the next one.
 * A lone item goes at once, so nobody waits for company; under load one statement and one commit serve many.
 *
 * `run` answers in the order of its items, an `Error` for an item that failed by itself. When it throws, the
 * whole batch fails.
 */
export function inBatches<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>,
  { most, waitingAtMost }: Limits,
): (item: Item) => Promise<Answer> {
  interface Waiting {
    readonly item: Item
    readonly resolve: (answer: Answer) => void
    readonly reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []
  let running = false

  async function work(): Promise<void> {
    running = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
      try {
        const answers = await run(batch.map(({ item }) => item))
        for (const [index, { resolve, reject }] of batch.entries()) {
          const answer = answers[index]
          if (answer instanceof Error) reject(answer)
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- errors were sorted out above
          else resolve(answer as Answer)
        }
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    running = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= waitingAtMost) {
        reject(unavailable(2))
        return
      }
      waiting.push({ item, resolve, reject })
      if (!running) {
        running = true
        // Requests that the same read of the socket brought in belong to the first batch too.
        setImmediate(() => void work())
      }
    })
}

/** The same for each database handle by itself: what belongs to a transaction never waits for others. */
export function inBatchesOf<Db extends object, Item, Answer>(
  run: (db: Db, items: readonly Item[]) => Promise<readonly (Answer | Error)[]>,
  limits: Limits,
): (db: Db, item: Item) => Promise<Answer> {
  const queues = new WeakMap<Db, (item: Item) => Promise<Answer>>()
  return (db, item) => {
    let queue = queues.get(db)
    if (!queue) queues.set(db, (queue = inBatches((items) => run(db, items), limits)))
    return queue(item)
  }
}
