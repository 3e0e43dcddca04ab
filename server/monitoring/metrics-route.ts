import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Metric, Registry } from '@prometheus-io/client'
import { SECOND_MS } from '#contract/durations.ts'
import type { RealTime } from '../clock.ts'
import { isFromThisMachine } from '../auth/this-machine.ts'
import {
  type MailState,
  selectMailState,
  selectJobs,
  selectWaiting,
  type Waiting,
} from '../checks/queries.ts'
import { lastWrongPrices, TODO_KINDS, type TodoList, todoList } from '../checks/todo.ts'
import { notFound } from '../http/http-errors.ts'
import type { ApiServer } from '../http/serve.ts'
import { Durations, Tally } from '../metrics/metrics.ts'
import type { Shop } from '../shop.ts'

/** Answers direct requests from this machine and clients with the token; others get 404. */
export function registerMetrics({ app, shop }: ApiServer): void {
  const text = metricsText(shop, todoList(shop, lastWrongPrices(shop)))
  const { metricsToken } = shop.config
  app.get('/metrics', { exposeHeadRoute: false }, async ({ raw }, reply) => {
    if (!isFromThisMachine(raw) && !hasToken(raw, metricsToken)) throw notFound()
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(await text())
  })
}

function hasToken({ headers }: IncomingMessage, token: string | undefined): boolean {
  if (token === undefined) return false
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

type Library = typeof import('@prometheus-io/client')

/** Metrics in Prometheus's text format. The library is loaded with the first request. */
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

/** The library cannot take over an existing histogram, so it gets the values in the form of its own. */
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

async function gaugesOf(shop: Shop, todo: TodoList): Promise<Tally[]> {
  return [...ofThisServer(shop), ...(await ofTheDisk(shop)), ...(await ofTheDatabase(shop, todo))]
}

function ofThisServer({ database, answers }: Shop): Tally[] {
  const { totalCount, idleCount, waitingCount } = database.pool
  const connections = new Tally('murmur_database_connections', 'Connections of this server.', 'state')
  connections.add(totalCount - idleCount, 'used')
  connections.add(idleCount, 'idle')
  const { size } = answers
  return [
    connections,
    gauge('murmur_database_waiting', 'Queries that wait for a connection.', waitingCount),
    gauge('murmur_cached_answers', 'Public answers in memory.', size.answers),
    gauge('murmur_cached_answers_bytes', 'Their size.', size.bytes),
  ]
}

async function ofTheDisk({ disk }: Shop): Promise<Tally[]> {
  const { freeBytes, sizeBytes } = await disk.space()
  return [
    gauge('murmur_disk_free_bytes', 'Room on the disk of DATA_DIR.', freeBytes),
    gauge('murmur_disk_size_bytes', 'Size of that disk.', sizeBytes),
  ]
}

/** If the database does not answer, `murmur_database_up` is 0 and the other values are missing. */
async function ofTheDatabase(shop: Shop, todo: TodoList): Promise<Tally[]> {
  const up = 'murmur_database_up'
  const help = 'Whether the database answers.'
  try {
    const gauges = [
      ...mailGauges(await selectMailState(shop.db), shop.now()),
      ...gaugesOfWaiting(await selectWaiting(shop.db)),
      ...(await jobGauges(shop)),
      await todoGauge(todo),
    ]
    return [gauge(up, help, 1), ...gauges]
  } catch (error) {
    shop.log.warn({ err: error }, 'the database could not be asked for figures')
    return [gauge(up, help, 0)]
  }
}

const mailGauges = ({ waiting, oldestAt }: MailState, now: RealTime): Tally[] => [
  gauge('murmur_mail_waiting', 'Mails that wait to be sent.', waiting),
  gauge(
    'murmur_mail_oldest_seconds',
    'For how long the oldest of them waits.',
    oldestAt === null ? 0 : (now.getTime() - oldestAt.getTime()) / SECOND_MS,
  ),
]

const gaugesOfWaiting = (waiting: Waiting): Tally[] => [
  gauge('murmur_orders_waiting', 'Orders that wait for their payment.', waiting.orders),
  gauge('murmur_refunds_owed', 'Refunds that the provider has not taken yet.', waiting.refunds),
  gauge('murmur_refunds_owed_pence', 'Their sum.', waiting.refundsPence),
  gauge(
    'murmur_webhook_last_timestamp_seconds',
    'When the payment provider’s last notice was settled.',
    waiting.lastWebhookAt ?? 0,
  ),
]

async function jobGauges({ db }: Shop): Promise<Tally[]> {
  const succeeded = new Tally(
    'murmur_job_last_success_timestamp_seconds',
    'When a job last did all that it had to.',
    'job',
  )
  const failures = new Tally('murmur_job_failures', 'How often in a row a job has failed.', 'job')
  for (const job of await selectJobs(db)) {
    // A job that never succeeded has no success time; the failure count shows whether it failed.
    if (job.succeededAt) succeeded.add(job.succeededAt.getTime() / 1000, job.name)
    failures.add(job.failures, job.name)
  }
  return [succeeded, failures]
}

async function todoGauge(todo: TodoList): Promise<Tally> {
  const found = await todo()
  const counts = new Tally('murmur_todo', 'What needs a person (npm run todo).', 'kind')
  for (const kind of TODO_KINDS) counts.add(found.filter((each) => each.kind === kind).length, kind)
  return counts
}

function gauge(name: string, help: string, value: number): Tally {
  const tally = new Tally(name, help)
  tally.add(value)
  return tally
}
