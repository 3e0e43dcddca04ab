import type { PublicAnswers } from './answers.ts'

/**
 * Small facts of the database, kept in memory until the catalogue changes; the ones kept longest go first.
 * Callers that ask for the same fact at once share one query; a failed query is not kept.
 */
export class UntilChange<V> {
  readonly #kept = new Map<string, Promise<V>>()
  readonly #answers: Pick<PublicAnswers, 'generation'>
  readonly #max: number
  #generation = -1

  constructor(answers: Pick<PublicAnswers, 'generation'>, max: number) {
    this.#answers = answers
    this.#max = max
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
    fact.catch(() => {
      if (this.#kept.get(key) === fact) this.#kept.delete(key)
    })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#max) break
      this.#kept.delete(oldest)
    }
    return fact
  }
}
