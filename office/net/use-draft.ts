import { useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { type KeyValueStorage, localStore } from '#storage/page-storage.ts'
import { useMe } from './me.ts'

const PREFIX = 'office-draft:'
/** What each draft is listed under, so that signing out can remove all of them. */
const INDEX = `${PREFIX}keys`
const WAIT_MS = 300

export interface Draft<Value> {
  /** What was typed before a reload, an ended session or a lost connection; undefined if nothing was. */
  readonly found: Value | undefined
  readonly keep: (value: Value) => void
  /** After it was saved, or given up. */
  readonly discard: () => void
}

/** Stores typed text on this device until it is saved. Each member of staff has drafts of their own. */
export function useDraft<Value>(name: string): Draft<Value> {
  const key = `${PREFIX}${useMe().id}:${name}`
  const [draft] = useState(() => new StoredDraft<Value>(localStore, key))
  useEffect(() => {
    // A reload must not lose the last letters.
    const flush = () => draft.flush()
    addEventListener('pagehide', flush)
    return () => {
      flush()
      removeEventListener('pagehide', flush)
    }
  }, [draft])
  return draft
}

class StoredDraft<Value> implements Draft<Value> {
  readonly found: Value | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #waiting: { readonly value: Value } | undefined
  readonly #storage: KeyValueStorage
  readonly #key: string

  constructor(storage: KeyValueStorage, key: string) {
    this.#storage = storage
    this.#key = key
    this.found = readDraft<Value>(storage, key)
  }

  readonly keep = (value: Value): void => {
    clearTimeout(this.#timer)
    this.#waiting = { value }
    this.#timer = setTimeout(() => this.flush(), WAIT_MS)
  }

  readonly discard = (): void => {
    this.#waiting = undefined
    writeDraft(this.#storage, this.#key, undefined)
  }

  flush(): void {
    clearTimeout(this.#timer)
    if (this.#waiting) writeDraft(this.#storage, this.#key, this.#waiting.value)
    this.#waiting = undefined
  }
}

/**
 * The draft of a form: restored when it opens, kept while it is typed.
 *
 * @param never a field that is typed anew each time, such as the name that confirms a deletion
 */
export function useFormDraft<Fields extends FieldValues>(
  name: string,
  form: UseFormReturn<Fields>,
  never?: keyof Fields,
): Pick<Draft<Fields>, 'discard'> & { readonly isRestored: boolean } {
  const { found, keep, discard } = useDraft<Fields>(name)
  const { reset, subscribe } = form
  useEffect(() => {
    if (found) reset(found, { keepDefaultValues: true })
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => keep(never === undefined ? values : { ...values, [never]: '' }),
    })
  }, [found, keep, never, reset, subscribe])
  return { isRestored: found !== undefined, discard }
}

function readDraft<Value>(storage: KeyValueStorage, key: string): Value | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `writeDraft` writes it
    return JSON.parse(storage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

function writeDraft(storage: KeyValueStorage, key: string, value: unknown): void {
  const keys = new Set<string>(readDraft<string[]>(storage, INDEX))
  if (value === undefined) {
    storage.removeItem(key)
    keys.delete(key)
  } else {
    storage.setItem(key, JSON.stringify(value))
    keys.add(key)
  }
  storage.setItem(INDEX, JSON.stringify([...keys]))
}

export function forgetDrafts(storage: KeyValueStorage): void {
  for (const key of readDraft<string[]>(storage, INDEX) ?? []) storage.removeItem(key)
  storage.removeItem(INDEX)
}
