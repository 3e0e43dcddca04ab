import type Stripe from 'stripe'
import {
  ConcurrentRequest,
  BadSignature,
  NotAtProvider,
  PaymentConflict,
  PaymentsUnavailable,
} from './problems.ts'
import type { PaymentSettings } from '../../settings/payment-settings.ts'

/** Stripe's official library; its errors are converted to the classes of problems.ts. */
export interface Client {
  readonly ask: <T>(call: (stripe: Stripe) => Promise<T>) => Promise<T>
  readonly each: <T>(list: (stripe: Stripe) => AsyncIterable<T>) => AsyncGenerator<T>
}

export function openClient(settings: PaymentSettings): Client {
  let opened: Promise<Stripe> | undefined
  const ask: Client['ask'] = async (call) => {
    try {
      return await call(await (opened ??= open(settings)))
    } catch (error) {
      throw inOurWords(error)
    }
  }
  return {
    ask,
    async *each(list) {
      const stripe = await ask(async (library) => library)
      try {
        yield* list(stripe)
      } catch (error) {
        throw inOurWords(error)
      }
    },
  }
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

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any error can be checked for this property
export const codeOf = (error: unknown) => (error as { code?: unknown }).code

/**
 * Converts Stripe's errors. Their messages are not used, because they may contain amounts and keys. Other errors are
 * returned unchanged.
 */
function inOurWords(error: unknown): unknown {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any error can be checked for this property
  switch ((error as { type?: unknown }).type) {
    case 'StripeSignatureVerificationError':
      return new BadSignature('The signature is not the provider’s.', { cause: error })
    case 'StripeConnectionError':
    case 'StripeAPIError':
    case 'StripeRateLimitError':
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return new PaymentsUnavailable('The payment provider cannot be asked now.', { cause: error })
    case 'StripeIdempotencyError':
      if (codeOf(error) === 'idempotency_key_in_use')
        return new ConcurrentRequest('The same is being asked for already.', { cause: error })
      return new PaymentConflict('Another request was made under this key.', { cause: error })
    case 'StripeCardError':
    case 'StripeInvalidRequestError':
      return codeOf(error) === 'resource_missing'
        ? new NotAtProvider('The payment provider does not know it.', { cause: error })
        : new PaymentConflict('The payment provider refuses this now.', { cause: error })
    default:
      return error
  }
}
