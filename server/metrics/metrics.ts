import { Durations, Tally } from './tally.ts'

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
