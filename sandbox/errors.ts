import type Stripe from 'stripe'

type Kind = 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'

export interface ErrorBody {
  readonly type: Kind
  readonly message: string
  readonly code?: string
  readonly decline_code?: string
  readonly param?: string
  readonly doc_url?: string
  readonly charge?: string
  readonly payment_intent?: Stripe.PaymentIntent
  readonly setup_intent?: Stripe.SetupIntent
  readonly payment_method?: Stripe.PaymentMethod
}

export class StripeProblem extends Error {
  readonly status: number
  readonly body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body = body.code ? { ...body, doc_url: docUrl(body.code) } : body
  }
}

export const docUrl = (code: string): string =>
  `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`

export const invalidRequest = (message: string, more: Partial<ErrorBody> = {}): StripeProblem =>
  new StripeProblem(400, { type: 'invalid_request_error', message, ...more })

export const noSuch = (what: string, id: string, param = 'id'): StripeProblem =>
  new StripeProblem(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  })

export const missingParam = (param: string): StripeProblem =>
  invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })

export const unknownParam = (param: string): StripeProblem =>
  invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
