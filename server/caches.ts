import { LRUCache } from 'lru-cache'
import type { PublicAnswers } from './http/response-cache.ts'
import { atMost } from './lru.ts'

/** What one server keeps in memory: until the catalogue changes, or per key for a time. */
export class Caches {
  readonly #answers: Pick<PublicAnswers, 'generation'>
  readonly #owned = new Map<object, unknown>()

  constructor(answers: Pick<PublicAnswers, 'generation'>) {
    this.#answers = answers
  }

  get<Cache>(key: object, make: (answers: Pick<PublicAnswers, 'generation'>) => Cache): Cache {
    if (!this.#owned.has(key)) this.#owned.set(key, make(this.#answers))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each key has one `make`
    return this.#owned.get(key) as Cache
  }
}

export function catalogueCache<V>(most: number): (shop: { readonly caches: Caches }) => CatalogueCache<V> {
  const key = {}
  return ({ caches }) => caches.get(key, (answers) => new CatalogueCache<V>(answers, most))
}

export function timedCache<V>(
  options: TimedOptions<V>,
): (shop: { readonly caches: Caches }) => TimedCache<V> {
  return ({ caches }) => caches.get(options, () => new TimedCache<V>(options))
}

/** Least recently used entries leave first. Concurrent callers share one query. Failures and null are not kept. */
export class CatalogueCache<V> {
  readonly #kept: LRUCache<string, Promise<V>>
  readonly #loaded = new WeakMap<Promise<V>, V>()
  readonly #answers: Pick<PublicAnswers, 'generation'>
  #generation = -1

  constructor(answers: Pick<PublicAnswers, 'generation'>, most: number) {
    this.#answers = answers
    this.#kept = new LRUCache(atMost(most))
  }

  of(key: string, load: () => Promise<V>): Promise<V> {
    if (this.#generation !== this.#answers.generation) {
      this.#kept.clear()
      this.#generation = this.#answers.generation
    }
    const known = this.#kept.get(key)
    if (known) return known
    const fact = load()
    this.#kept.set(key, fact)
    const forget = () => {
      if (this.#kept.peek(key) === fact) this.#kept.delete(key)
    }
    fact.then((value) => {
      if (value === undefined || value === null) forget()
      else this.#loaded.set(fact, value)
    }, forget)
    return fact
  }

  /** The value if it is loaded already. Otherwise starts loading it for later callers and returns undefined. */
  atOnce(key: string, load: () => Promise<V>): V | undefined {
    return this.#loaded.get(this.of(key, load))
  }
}

export interface TimedOptions<V> {
  readonly most: number
  readonly sizeOf?: (value: V) => number
  /** How long a value is returned without a new query; until `forget` if not given. */
  readonly freshMs?: number
  /** How long it is then still returned while the new query runs. */
  readonly staleMs?: number
  readonly nowMs?: () => number
}

/** Keeps a value per key for a time. Concurrent callers share one query; a failure is not kept. */
export class TimedCache<V> {
  readonly #known: LRUCache<string, { readonly value: V; readonly sinceMs: number }>
  readonly #loading = new Map<string, Promise<V>>()
  readonly #freshMs: number
  readonly #staleMs: number
  readonly #nowMs: () => number

  constructor({ most, sizeOf, freshMs, staleMs, nowMs }: TimedOptions<V>) {
    this.#known = new LRUCache({
      maxSize: most,
      sizeCalculation: ({ value }) => sizeOf?.(value) ?? 1,
    })
    this.#freshMs = freshMs ?? Infinity
    this.#staleMs = staleMs ?? 0
    this.#nowMs = nowMs ?? (() => performance.now())
  }

  async of(key: string, load: (expired: V | undefined) => Promise<V>): Promise<V> {
    const known = this.#known.get(key)
    const ageMs = known ? this.#nowMs() - known.sinceMs : Infinity
    if (known && ageMs < this.#freshMs) return known.value
    const loading = this.#loading.get(key) ?? this.#load(key, () => load(known?.value))
    if (!known || ageMs >= this.#freshMs + this.#staleMs) return loading
    loading.catch(() => undefined)
    return known.value
  }

  async #load(key: string, load: () => Promise<V>): Promise<V> {
    const sinceMs = this.#nowMs()
    const loading = load()
    this.#loading.set(key, loading)
    const isNewest = () => this.#loading.get(key) === loading
    try {
      const value = await loading
      if (isNewest()) this.#known.set(key, { value, sinceMs })
      return value
    } catch (error) {
      if (isNewest()) this.#known.delete(key)
      throw error
    } finally {
      if (isNewest()) this.#loading.delete(key)
    }
  }

  forget(key: string): void {
    this.#loading.delete(key)
    this.#known.delete(key)
  }

  forgetAll(): void {
    this.#loading.clear()
    this.#known.clear()
  }
}
