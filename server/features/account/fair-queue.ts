import { MINUTE_MS } from '#contract/durations.ts'
import { unavailable } from '../../http/http-errors.ts'

export interface Turn {
  /** Tasks with the same key (an account or a form) run one at a time. */
  readonly one: string
  /** The queue that the task joins; queues take turns. Defaults to a queue of its own. */
  readonly line?: string
  /** Unknown devices never crowd out known ones. */
  readonly isKnown?: boolean
}

interface Waiter {
  readonly one: string
  readonly start: () => void
  readonly refuse: (error: Error) => void
}

export interface Limits {
  readonly atOnce: number
  readonly waitingAtMost: number
  /** A monotonic clock. */
  readonly nowMs?: () => number
  readonly remembered?: number
}

/** Queues whose last task is older start again from zero. */
const RECENT_MS = 10 * MINUTE_MS

class Lane {
  readonly lines = new Map<string, Waiter[]>()
  waiting = 0
  readonly #recent = new Map<string, { tasks: number; atMs: number }>()

  readonly #nowMs: () => number
  readonly #remembered: number

  constructor(nowMs: () => number, remembered: number) {
    this.#nowMs = nowMs
    this.#remembered = remembered
  }

  tasksOf(name: string): number {
    const recent = this.#recent.get(name)
    return recent && this.#nowMs() - recent.atMs <= RECENT_MS ? recent.tasks : 0
  }

  count(name: string): void {
    const tasks = this.tasksOf(name) + 1
    // The queue that was quiet for longest stays first.
    this.#recent.delete(name)
    this.#recent.set(name, { tasks, atMs: this.#nowMs() })
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= this.#remembered) return
      this.#recent.delete(oldest)
    }
  }
}

/**
 * When too many tasks wait, the longest queue drops its newest. Queues with fewer recent tasks go first, so a user on
 * another network passes a flood. Known devices have separate queues and every second turn.
 */
export class FairQueue {
  readonly #atOnce: number
  readonly #waitingAtMost: number
  readonly #known: Lane
  readonly #strangers: Lane
  readonly #busy = new Set<string>()
  #running = 0
  #knownIsNext = true

  constructor({ atOnce, waitingAtMost, nowMs = () => performance.now(), remembered = 10_000 }: Limits) {
    this.#atOnce = atOnce
    this.#waitingAtMost = waitingAtMost
    this.#known = new Lane(nowMs, remembered)
    this.#strangers = new Lane(nowMs, remembered)
  }

  /** @throws 503 when too many tasks wait */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const { one, line = one, isKnown = false } = turn
    this.#laneOf(isKnown).count(line)
    if (this.#running < this.#atOnce && !this.#busy.has(one)) this.#begin(one)
    else await this.#waitFor(turn)
    try {
      return await work()
    } finally {
      this.#running -= 1
      this.#busy.delete(one)
      this.#next()
    }
  }

  #begin(one: string): void {
    this.#running += 1
    this.#busy.add(one)
  }

  #laneOf(isKnown: boolean): Lane {
    return isKnown ? this.#known : this.#strangers
  }

  #waitFor({ one, line: name = one, isKnown = false }: Turn): Promise<void> {
    const lane = this.#laneOf(isKnown)
    return new Promise((start, refuse) => {
      const line = lane.lines.get(name) ?? []
      line.push({ one, start, refuse })
      lane.lines.set(name, line)
      lane.waiting += 1
      if (lane.waiting > this.#waitingAtMost) refuseOne(lane, name)
    })
  }

  #next(): void {
    if (this.#running >= this.#atOnce) return
    const lanes = this.#knownIsNext ? [this.#known, this.#strangers] : [this.#strangers, this.#known]
    for (const lane of lanes) {
      const next = this.#takeFrom(lane)
      if (!next) continue
      this.#knownIsNext = lane === this.#strangers
      this.#begin(next.one)
      next.start()
      return
    }
  }

  #takeFrom(lane: Lane): Waiter | undefined {
    let best: { name: string; line: Waiter[]; at: number; tasks: number } | undefined
    for (const [name, line] of lane.lines) {
      const at = line.findIndex(({ one }) => !this.#busy.has(one))
      if (at === -1) continue
      const tasks = lane.tasksOf(name)
      if (!best || tasks < best.tasks) best = { name, line, at, tasks }
    }
    if (!best) return undefined
    const { name, line, at } = best
    const [next] = line.splice(at, 1)
    lane.lines.delete(name)
    if (line.length > 0) lane.lines.set(name, line)
    lane.waiting -= 1
    return next
  }
}

function refuseOne(lane: Lane, newest: string): void {
  let [most, name] = [lane.tasksOf(newest), newest]
  for (const other of lane.lines.keys()) {
    const tasks = lane.tasksOf(other)
    if (tasks > most || (tasks === most && name !== newest)) [most, name] = [tasks, other]
  }
  const line = lane.lines.get(name)!
  const last = line.pop()!
  if (line.length === 0) lane.lines.delete(name)
  lane.waiting -= 1
  last.refuse(unavailable(5))
}
