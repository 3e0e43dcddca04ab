import { unavailable } from '../../wire/refusals.ts'

interface Waiter {
  readonly start: () => void
  readonly refuse: (error: Error) => void
}

/**
 * Lets a few pieces of work run at once and the others wait, each account or visitor in a line of its own. The lines
 * take turns, and one line has one piece under way at most: whoever sends a hundred at once waits for a hundred, and
 * everybody else for one. When too many wait, the longest line loses its last.
 */
export class FairQueue {
  readonly #atOnce: number
  readonly #waitingAtMost: number
  /** In the order of their turns. */
  readonly #lines = new Map<string, Waiter[]>()
  readonly #busy = new Set<string>()
  #running = 0
  #waiting = 0

  constructor({ atOnce, waitingAtMost }: { atOnce: number; waitingAtMost: number }) {
    this.#atOnce = atOnce
    this.#waitingAtMost = waitingAtMost
  }

  /** Throws 503 when too many wait. */
  async run<T>(who: string, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce && !this.#busy.has(who)) this.#begin(who)
    else await this.#turnOf(who)
    try {
      return await work()
    } finally {
      this.#running -= 1
      this.#busy.delete(who)
      this.#next()
    }
  }

  #begin(who: string): void {
    this.#running += 1
    this.#busy.add(who)
  }

  #turnOf(who: string): Promise<void> {
    return new Promise((start, refuse) => {
      const line = this.#lines.get(who) ?? []
      line.push({ start, refuse })
      this.#lines.set(who, line)
      this.#waiting += 1
      if (this.#waiting > this.#waitingAtMost) this.#refuseOne(who)
    })
  }

  /** The last of the longest line; of lines that are equally long, whoever came last. */
  #refuseOne(newest: string): void {
    let [longest, line] = [newest, this.#lines.get(newest)!]
    for (const [who, waiters] of this.#lines)
      if (waiters.length > line.length) [longest, line] = [who, waiters]
    const last = line.pop()!
    if (line.length === 0) this.#lines.delete(longest)
    this.#waiting -= 1
    last.refuse(unavailable(5))
  }

  #next(): void {
    if (this.#running >= this.#atOnce) return
    for (const [who, line] of this.#lines) {
      if (this.#busy.has(who)) continue
      const { start } = line.shift()!
      // To the end of the turns.
      this.#lines.delete(who)
      if (line.length > 0) this.#lines.set(who, line)
      this.#waiting -= 1
      this.#begin(who)
      start()
      return
    }
  }
}
