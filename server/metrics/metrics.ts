const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

/** What this server has counted since its start. Values that can be read on demand are in `monitoring/`. */
export class Metrics {
  readonly requests = new Durations(
    BOUNDS,
    'http_request_duration_seconds',
    'Time until a request was answered whole.',
    'method',
    'route',
    'status',
  )
  readonly answersFromMemory = new Tally(
    'murmur_answers_from_memory_total',
    'Requests that were answered from memory.',
  )
  readonly answersMade = new Tally(
    'murmur_answers_made_total',
    'Public answers that had to be made, and were put into memory.',
  )
  readonly placesWritten = new Tally(
    'murmur_places_written_total',
    'Places of listeners that were written, and acknowledged.',
  )
  readonly downloads = new Tally('murmur_downloads_total', 'Files that their owners fetched.', 'kind')
  readonly feedConnections = new Tally('murmur_feed_connections', 'Live streams that are open.')
  readonly providerCalls = new Durations(
    BOUNDS,
    'murmur_provider_call_duration_seconds',
    'Time until the payment provider answered.',
    'call',
    'outcome',
  )
  readonly webhooks = new Tally('murmur_webhooks_total', 'Notices of the payment provider.', 'outcome')
  readonly paymentTries = new Tally('murmur_payment_tries_total', 'Tries to pay.', 'outcome')
  readonly orders = new Tally('murmur_orders_total', 'Orders that were paid, or given up.', 'outcome')
  readonly renewals = new Tally(
    'murmur_renewals_total',
    'Memberships that were charged again, and those whose bank said no.',
    'outcome',
  )
}

interface Description {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

type Labels = Readonly<Record<string, string>>

/** Adding costs one map lookup, so frequent events can use it too. */
export class Tally {
  readonly description: Description
  readonly #series = new Map<string, { readonly labels: Labels; value: number }>()

  constructor(name: string, help: string, ...labels: readonly string[]) {
    this.description = { name, help, labels }
    // A counter without labels starts at 0 instead of being absent.
    if (labels.length === 0) this.#of([])
  }

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
  readonly counts: number[]
  sum: number
}

/** A histogram of durations in seconds. */
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
