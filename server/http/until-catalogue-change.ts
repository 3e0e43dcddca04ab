import { LRUCache } from 'lru-cache'
import { atMost } from '../lru.ts'
import type { PublicAnswers } from './response-cache.ts'

/**
 * Caches small facts from the database until the catalogue changes, with LRU eviction. Concurrent callers share one
 * query; a failed query is not cached.
 */
export class UntilCatalogueChange<V> {
  readonly #kept: LRUCache<string, Promise<V>>
  readonly #loaded = new WeakMap<Promise<V>, V>()
  readonly #answers: Pick<PublicAnswers, 'generation'>
  #generation = -1

  constructor(answers: Pick<PublicAnswers, 'generation'>, max: number) {
    this.#answers = answers
    this.#kept = new LRUCache(atMost(max))
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
    fact.then(
      (value) => this.#loaded.set(fact, value),
      () => {
        if (this.#kept.get(key) === fact) this.#kept.delete(key)
      },
    )
    return fact
  }

  /** The value if it is loaded already. Otherwise starts loading it for later callers and returns undefined. */
  atOnce(key: string, load: () => Promise<V>): V | undefined {
    return this.#loaded.get(this.of(key, load))
  }
}

export function memoryOfEachShop<V>(max: number): (answers: PublicAnswers) => UntilCatalogueChange<V> {
  const memories = new WeakMap<PublicAnswers, UntilCatalogueChange<V>>()
  return (answers) => {
    let memory = memories.get(answers)
    if (!memory) memories.set(answers, (memory = new UntilCatalogueChange<V>(answers, max)))
    return memory
  }
}
