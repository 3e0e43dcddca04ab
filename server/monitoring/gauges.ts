import { Tally } from '../metrics/tally.ts'
import type { Shop } from '../shop.ts'
import { selectJobs, selectState } from './queries.ts'
import { TODO_KINDS, type TodoList } from './todo.ts'

export async function gaugesOf(shop: Shop, todo: TodoList): Promise<Tally[]> {
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
    const state = await selectState(shop.db, shop.now())
    return [gauge(up, help, 1), ...gaugesOfState(state), ...(await jobGauges(shop)), await todoGauge(todo)]
  } catch (error) {
    shop.log.warn({ err: error }, 'the database could not be asked for figures')
    return [gauge(up, help, 0)]
  }
}

const gaugesOfState = (state: Awaited<ReturnType<typeof selectState>>): Tally[] => [
  gauge('murmur_mail_waiting', 'Mails that wait to be sent.', state.mailWaiting),
  gauge('murmur_mail_oldest_seconds', 'For how long the oldest of them waits.', state.oldestMailSeconds ?? 0),
  gauge('murmur_orders_waiting', 'Orders that wait for their payment.', state.ordersWaiting),
  gauge('murmur_refunds_owed', 'Refunds that the provider has not taken yet.', state.refundsOwed),
  gauge('murmur_refunds_owed_pence', 'Their sum.', state.refundsOwedPence),
  gauge(
    'murmur_webhook_last_timestamp_seconds',
    'When the payment provider’s last notice was settled.',
    state.lastWebhookAt ?? 0,
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
