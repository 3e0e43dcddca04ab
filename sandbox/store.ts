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

interface Kept {
  readonly id: string
}
type Drawers = Map<string, Map<string, Kept>>
type Change = readonly [kind: string, id: string, value: Kept | null]
export type Listener = (kind: string, id: string, value: object | null) => void

interface Index {
  readonly kind: string
  readonly path: string
  readonly byValue: Map<unknown, Map<string, Kept>>
}

const JOURNAL = 'sandbox.jsonl'

/**
 * Objects in memory, with a journal of changes on disk. A transaction is one line of the journal: after a kill, it has
 * happened completely or not at all. Everything is synchronous, so transactions never interleave.
 */
export class Store {
  readonly #drawers: Drawers = new Map()
  readonly #indexes = new Map<string, Index>()
  readonly #listeners: Listener[] = []
  readonly #file: string
  #open: Map<string, Change> | undefined

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    this.#file = join(folder, JOURNAL)
    this.#replay()
    this.#compact()
  }

  /** The current value, including changes of the open transaction. A copy, so that only `put` changes it. */
  get<T extends Kept>(kind: string, id: string): T | undefined {
    const changed = this.#open?.get(`${kind} ${id}`)
    const value = changed ? changed[2] : this.#drawers.get(kind)?.get(id)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what lies in a kind's drawer was put there as that kind
    return value ? (structuredClone(value) as T) : undefined
  }

  /** Oldest first. Callers must not modify the objects. */
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

  /**
   * The objects whose fields have these values; the keys are paths (`payment.payment_intent`). Entries without a value
   * are ignored. Oldest first. Callers must not modify the objects.
   */
  where<T extends Kept>(kind: string, wanted: Readonly<Record<string, string | null | undefined>>): T[] {
    const asked = Object.entries(wanted).filter(([, value]) => value)
    const [first] = asked
    if (!first) return this.all(kind)
    const values = new Map(this.#indexOf(kind, first[0]).byValue.get(first[1]))
    for (const [changedKind, id, value] of this.#open?.values() ?? [])
      if (changedKind === kind) {
        if (value) values.set(id, value)
        else values.delete(id)
      }
    const found = [...values.values()].filter((each) =>
      asked.every(([path, value]) => at(each, path) === value),
    )
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    return found as T[]
  }

  listen(listener: Listener): void {
    this.#listeners.push(listener)
  }

  put<T extends Kept>(kind: string, value: T): void {
    this.#change([kind, value.id, structuredClone(value)])
  }

  remove(kind: string, id: string): void {
    this.#change([kind, id, null])
  }

  clear(isKept: (entry: { readonly kind: string; readonly id: string }) => boolean): void {
    this.transaction(() => {
      for (const [kind, drawer] of this.#drawers)
        for (const id of drawer.keys()) if (!isKept({ kind, id })) this.remove(kind, id)
    })
  }

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
    const before = drawer.get(id)
    if (value) drawer.set(id, value)
    else drawer.delete(id)
    for (const index of this.#indexes.values()) if (index.kind === kind) reindex(index, id, before, value)
    for (const listener of this.#listeners) listener(kind, id, value)
  }

  #indexOf(kind: string, path: string): Index {
    const name = `${kind} ${path}`
    let index = this.#indexes.get(name)
    if (!index) {
      this.#indexes.set(name, (index = { kind, path, byValue: new Map() }))
      for (const [id, value] of this.#drawers.get(kind) ?? []) reindex(index, id, undefined, value)
    }
    return index
  }

  #replay(): void {
    for (const line of journal(this.#file)) {
      try {
        const changes: readonly Change[] = JSON.parse(line)
        for (const change of changes) this.#apply(change)
      } catch {
        // The last line of a killed process is incomplete; its request was never answered.
      }
    }
  }

  /** Writes only the current values to a new file. The old file stays until the new one is complete. */
  #compact(): void {
    const file = openSync(`${this.#file}.new`, 'w')
    for (const [kind, drawer] of this.#drawers)
      for (const value of drawer.values()) writeSync(file, `${JSON.stringify([[kind, value.id, value]])}\n`)
    fsyncSync(file)
    closeSync(file)
    renameSync(`${this.#file}.new`, this.#file)
  }
}

function reindex({ path, byValue }: Index, id: string, before: Kept | undefined, after: Kept | null): void {
  const [old, now] = [before && at(before, path), after && at(after, path)]
  if (before && (!after || old !== now)) byValue.get(old)?.delete(id)
  if (!after) return
  const same = byValue.get(now)
  if (same) same.set(id, after)
  else byValue.set(now, new Map([[id, after]]))
}

const at = (value: object, path: string): unknown =>
  path
    .split('.')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any object may be asked for a field that it lacks
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], value)

function journal(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
