import type Stripe from 'stripe'
import { errorCode } from '../../log/error-code.ts'
import { currentCause } from '../../log/log-context.ts'
import type { Log } from '../../log/log.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { PaymentSettings } from '../../settings/payment-settings.ts'
import { inTime } from './deadline.ts'
import {
  BadSignature,
  ConcurrentRequest,
  NoProvider,
  NotAtProvider,
  PaymentConflict,
  PaymentsUnavailable,
} from './problems.ts'

export interface Client {
  /** Timed, counted and logged under this name. The library's events emit nothing for a request without a response. */
  readonly ask: <T>(name: string, call: (stripe: Stripe) => Promise<T>) => Promise<T>
  /** Each wait for a page has the caller's deadline. */
  readonly each: <T>(name: string, list: (stripe: Stripe) => AsyncIterable<T>) => AsyncGenerator<T>
  /** For what the library does without the provider. */
  readonly local: <T>(call: (stripe: Stripe) => T) => Promise<T>
}

export interface Instruments {
  readonly log: Log
  readonly metrics: Metrics
}

/** Loads the library with the first call. */
export function openClient(settings: PaymentSettings | undefined, instruments?: Instruments): Client {
  if (!settings) return NOT_CONFIGURED
  let opened: Promise<Stripe> | undefined
  const local: Client['local'] = async (call) => {
    try {
      return await call(await (opened ??= open(settings)))
    } catch (error) {
      throw toProblem(error)
    }
  }
  return {
    local,
    async ask(name, call) {
      const startedAt = performance.now()
      try {
        const answer = await inTime(local(call))
        record(instruments, name, performance.now() - startedAt)
        return answer
      } catch (error) {
        record(instruments, name, performance.now() - startedAt, error)
        throw error
      }
    },
    async *each(name, list) {
      const startedAt = performance.now()
      const items = await local((stripe) => list(stripe)[Symbol.asyncIterator]())
      // Only the waits for pages, without what the caller does between them.
      let waitedMs = 0
      try {
        for (;;) {
          const askedAt = performance.now()
          const { done, value } = await inTime(local(() => items.next()))
          waitedMs += performance.now() - askedAt
          if (done) break
          yield value
        }
        record(instruments, name, waitedMs)
      } catch (error) {
        record(instruments, name, performance.now() - startedAt, error)
        throw error
      } finally {
        void items.return?.().catch(() => undefined)
      }
    },
  }
}

const notConfigured = async (): Promise<never> => {
  throw new NoProvider('Payments need STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.')
}

const NOT_CONFIGURED: Client = {
  ask: notConfigured,
  local: notConfigured,
  // eslint-disable-next-line require-yield -- there is nothing to list
  async *each() {
    await notConfigured()
  },
}

async function open({ secretKey, apiBase }: PaymentSettings): Promise<Stripe> {
  const { default: Stripe } = await import('stripe')
  return new Stripe(secretKey, {
    // Retries have the same idempotency key, so they are safe. A waiting caller gets an error earlier (`deadline.ts`).
    timeout: 10_000,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(apiBase
      ? {
          host: apiBase.hostname,
          port: apiBase.port || (apiBase.protocol === 'https:' ? '443' : '80'),
          protocol: apiBase.protocol === 'https:' ? 'https' : 'http',
        }
      : {}),
  })
}

function record(instruments: Instruments | undefined, call: string, ms: number, error?: unknown): void {
  if (!instruments) return
  const { log, metrics } = instruments
  const isAway = error instanceof PaymentsUnavailable
  const outcome = error === undefined ? 'answered' : isAway ? 'unavailable' : 'refused'
  metrics.providerCalls.observe(ms / 1000, call, outcome)
  const line = { provider: call, outcome, ms: Math.round(ms) }
  if (isAway)
    log.warn(
      { ...line, fault: 'provider', code: errorCode(error.cause) },
      'the payment provider did not answer',
    )
  // Logged at debug level for jobs, which make thousands of calls per night.
  else log[currentCause()?.request === undefined ? 'debug' : 'info'](line, 'the payment provider was asked')
}

/** Without Stripe's messages, which may contain amounts and keys. */
function toProblem(error: unknown): unknown {
  switch (typeOf(error)) {
    case 'StripeSignatureVerificationError':
      return new BadSignature('The signature is not the provider’s.', { cause: error })
    case 'StripeConnectionError':
    case 'StripeAPIError':
    case 'StripeRateLimitError':
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return new PaymentsUnavailable('The payment provider cannot be asked now.', { cause: error })
    case 'StripeIdempotencyError':
      if (errorCode(error) === 'idempotency_key_in_use')
        return new ConcurrentRequest('The same is being asked for already.', { cause: error })
      return new PaymentConflict('Another request was made under this key.', { cause: error })
    case 'StripeCardError':
    case 'StripeInvalidRequestError':
      return errorCode(error) === 'resource_missing'
        ? new NotAtProvider('The payment provider does not know it.', { cause: error })
        : new PaymentConflict('The payment provider refuses this now.', { cause: error })
    default:
      return error
  }
}

export const typeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined

export const PAGE = 100

/** All pages of a list. The library's own method needs a limit, too. */
export const all = <T>(list: Stripe.ApiListPromise<T>): Promise<T[]> =>
  list.autoPagingToArray({ limit: 10_000 })

export const idOf = (given: string | { readonly id?: string } | null | undefined): string | null =>
  typeof given === 'object' && given !== null ? (given.id ?? null) : (given ?? null)

export const expanded = <T extends object>(given: T | string | null | undefined): T | null =>
  typeof given === 'object' ? given : null

export const dateOf = (seconds: number): Date => new Date(seconds * 1000)

export const maybeDate = (seconds: number | null | undefined): Date | null =>
  seconds === null || seconds === undefined ? null : dateOf(seconds)

export const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

export const createdIn = ({ since, until }: Range): { created?: Stripe.RangeQueryParam } =>
  since || until
    ? {
        created: { ...(since ? { gte: secondsOf(since) } : {}), ...(until ? { lte: secondsOf(until) } : {}) },
      }
    : {}

export interface Range {
  readonly since?: Date
  readonly until?: Date
}
