/** What is counted, by the names that Prometheus gives it. */
interface Description {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

type Labels = Readonly<Record<string, string>>

/** A count for each combination of labels. Adding to one costs a look into a map: what is rare and what is frequent may use it. */
export class Tally {
  readonly description: Description
  readonly #series = new Map<string, { readonly labels: Labels; value: number }>()

  constructor(name: string, help: string, ...labels: readonly string[]) {
    this.description = { name, help, labels }
    // What never happened is 0, and not missing.
    if (labels.length === 0) this.#of([])
  }

  /** @param values of the labels, in their order */
  add(by: number, ...values: readonly string[]): void {
    this.#of(values).value += by
  }

  get series(): Iterable<{ readonly labels: Labels; readonly value: number }> {
    return this.#series.values()
  }

  #of(values: readonly string[]) {
    const key = values.join('\n')
    let series = this.#series.get(key)
    if (!series)
      this.#series.set(key, (series = { labels: labelled(this.description.labels, values), value: 0 }))
    return series
  }
}

interface Spread {
  readonly labels: Labels
  /** How many took so long at most, for each bound, and how many took longer. */
  readonly counts: number[]
  sum: number
}

/** How long things took, in seconds, spread over bounds. */
export class Durations {
  readonly description: Description
  readonly bounds: readonly number[]
  readonly #series = new Map<string, Spread>()

  constructor(bounds: readonly number[], name: string, help: string, ...labels: readonly string[]) {
    this.description = { name, help, labels }
    this.bounds = bounds
  }

  observe(seconds: number, ...values: readonly string[]): void {
    const key = values.join('\n')
    let series = this.#series.get(key)
    if (!series)
      this.#series.set(
        key,
        (series = {
          labels: labelled(this.description.labels, values),
          counts: Array.from({ length: this.bounds.length + 1 }, () => 0),
          sum: 0,
        }),
      )
    let bound = 0
    while (bound < this.bounds.length && seconds > this.bounds[bound]!) bound += 1
    series.counts[bound]! += 1
    series.sum += seconds
  }

  get series(): Iterable<Readonly<Spread>> {
    return this.#series.values()
  }
}

const labelled = (names: readonly string[], values: readonly string[]): Labels =>
  Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
