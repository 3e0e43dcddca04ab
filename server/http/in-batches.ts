import { unavailable } from './http-errors.ts'

export interface Limits {
  readonly most: number
  /** Maximum items in the queue; further callers are refused with 503. */
  readonly waitingAtMost: number
}

/** Combines calls under load. `run` returns results in the order of its items, an `Error` for each that failed. */
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
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- errors were handled above
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
        // Waits for requests from the same socket read, so that they join the first batch.
        setImmediate(() => void work())
      }
    })
}

/** The same with a separate queue for each database handle, so that a transaction never waits for other callers. */
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
