import {
  appendFileSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** What is kept: anything with an id, in a drawer for each kind. */
interface Kept {
  readonly id: string
}
type Drawers = Map<string, Map<string, Kept>>
type Change = readonly [kind: string, id: string, value: Kept | null]

const JOURNAL = 'sandbox.jsonl'

/**
 * Objects in memory, and on disk as a journal of changes. A transaction is one line: after a kill, at any moment,
 * all of it happened or nothing did. Everything is synchronous, so that transactions never mingle.
 */
export class Store {
  readonly #drawers: Drawers = new Map()
  readonly #file: string
  #open: Map<string, Change> | undefined

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#file = join(folder, JOURNAL)
    this.#replay()
    this.#compact()
  }

  /** The value as it stands, changes of the open transaction included; a copy, so that only `put` changes it. */
  get<T extends Kept>(kind: string, id: string): T | undefined {
    const changed = this.#open?.get(`${kind} ${id}`)
    const value = changed ? changed[2] : this.#drawers.get(kind)?.get(id)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what lies in a kind's drawer was put there as that kind
    return value ? (structuredClone(value) as T) : undefined
  }

  /** Oldest first. Not to be changed. */
  all<T extends Kept>(kind: string): T[] {
    const values = new Map(this.#drawers.get(kind))
    for (const [changedKind, id, value] of this.#open?.values() ?? [])
      if (changedKind === kind) {
        if (value) values.set(id, value)
        else values.delete(id)
      }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    return [...values.values()] as T[]
  }

  put<T extends Kept>(kind: string, value: T): void {
    this.#change([kind, value.id, structuredClone(value)])
  }

  remove(kind: string, id: string): void {
    this.#change([kind, id, null])
  }

  /** All of it goes, but for what is kept. */
  clear(isKept: (entry: { readonly kind: string; readonly id: string }) => boolean): void {
    this.transaction(() => {
      for (const [kind, drawer] of this.#drawers)
        for (const id of drawer.keys()) if (!isKept({ kind, id })) this.remove(kind, id)
    })
  }

  /** All of it or, where `work` throws, nothing. */
  transaction<T>(work: () => T): T {
    if (this.#open) return work()
    this.#open = new Map()
    try {
      const result = work()
      const changes = [...this.#open.values()]
      if (changes.length > 0) {
        appendFileSync(this.#file, `${JSON.stringify(changes)}\n`)
        for (const change of changes) this.#apply(change)
      }
      return result
    } finally {
      this.#open = undefined
    }
  }

  #change(change: Change): void {
    if (!this.#open) return this.transaction(() => this.#change(change))
    this.#open.set(`${change[0]} ${change[1]}`, change)
  }

  #apply([kind, id, value]: Change): void {
    let drawer = this.#drawers.get(kind)
    if (!drawer) this.#drawers.set(kind, (drawer = new Map()))
    if (value) drawer.set(id, value)
    else drawer.delete(id)
  }

  #replay(): void {
    for (const line of journal(this.#file)) {
      try {
        const changes: readonly Change[] = JSON.parse(line)
        for (const change of changes) this.#apply(change)
      } catch {
        // The last line of a killed process: what it was about was never answered.
      }
    }
  }

  /** What was changed a thousand times is written once; the old file stands until the new one is whole. */
  #compact(): void {
    const file = openSync(`${this.#file}.new`, 'w')
    for (const [kind, drawer] of this.#drawers)
      for (const value of drawer.values()) writeSync(file, `${JSON.stringify([[kind, value.id, value]])}\n`)
    fsyncSync(file)
    closeSync(file)
    renameSync(`${this.#file}.new`, this.#file)
  }
}

function journal(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
