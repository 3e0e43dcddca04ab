import type { Metric, Registry } from '@prometheus-io/client'
import { Durations, Tally } from '../metrics/tally.ts'
import type { Shop } from '../shop.ts'
import { gaugesOf } from './gauges.ts'
import type { TodoList } from './todo.ts'

type Library = typeof import('@prometheus-io/client')

/**
 * All metrics of a server in Prometheus's text format. The library is loaded with the first request; from then on it
 * observes the process, its memory and its event loop.
 */
export function metricsText(shop: Shop, todo: TodoList): () => Promise<string> {
  let process: Registry | undefined
  return async () => {
    const library = await import('@prometheus-io/client')
    if (!process) library.collectDefaultMetrics({ register: (process = new library.Registry()) })
    const own = new library.Registry()
    for (const metric of [...Object.values(shop.metrics), ...(await gaugesOf(shop, todo))])
      if (metric instanceof Tally) addTally(library, own, metric)
      else if (metric instanceof Durations) addDurations(own, metric)
    return `${await process.metrics()}\n${await own.metrics()}`
  }
}

function addTally({ Counter, Gauge }: Library, registry: Registry, { description, series }: Tally): void {
  const { name, help, labels } = description
  const settings = { name, help, labelNames: [...labels], registers: [registry] }
  const metric = name.endsWith('_total') ? new Counter(settings) : new Gauge(settings)
  for (const { labels: of, value } of series) metric.inc(of, value)
}

/**
 * The library cannot take over an existing histogram, so it gets the values in the form that its own histogram would
 * produce.
 */
function addDurations(registry: Registry, { description, bounds, series }: Durations): void {
  const { name, help } = description
  const values = [...series].flatMap(({ labels, counts, sum }) => {
    let upTo = 0
    const buckets = counts.map((count, index) => ({
      metricName: `${name}_bucket`,
      labels: { le: String(bounds[index] ?? '+Inf'), ...labels },
      value: (upTo += count),
    }))
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: upTo },
    ]
  })
  const metric = { name, get: async () => ({ name, help, type: 'histogram', values, aggregator: 'sum' }) }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the registry reads nothing else of a metric
  registry.registerMetric(metric as unknown as Metric)
}
