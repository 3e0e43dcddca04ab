import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { CONFIRM_AGAIN } from '#contract/limits.ts'
import type { Problem } from '#contract/problem.ts'
import { isDiskFull, isUnavailable } from '../db/errors.ts'
import { StoreUnavailable } from '../integrations/media/media-store.ts'
import { NoProvider, PaymentsUnavailable } from '../integrations/stripe/problems.ts'
import type { Shop } from '../shop.ts'
import {
  diskFull,
  noPaymentsYet,
  notFound,
  providerAway,
  Refusal,
  type RefusalKind,
  unavailable,
  unprocessable,
  unreadable,
} from './http-errors.ts'

/** Errors that exist only in HTTP: wrong method, media type or range. All others are a `Refusal` of the shop. */
export class HttpRefusal extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, description: string, headers: Readonly<Record<string, string>> = {}) {
    super(description)
    this.status = status
    this.headers = headers
  }
}

const STATUS: Readonly<Record<RefusalKind, number>> = {
  unreadable: 400,
  notSignedIn: 401,
  forbidden: 403,
  confirmAgain: 403,
  notFound: 404,
  gone: 410,
  outdated: 409,
  refused: 422,
  tooMany: 429,
  unavailable: 503,
}

export function answerProblems(app: FastifyInstance, { disk }: Pick<Shop, 'disk'>): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = asRefusal(error)
    const route = request.routeOptions.url
    const status = statusOf(refusal)
    // Repeated here, because a body that cannot be read fails before the log context is set.
    const where = { request: request.id, route }
    // During an outage, log one short line per request: the stack adds nothing.
    if (isDiskFull(error)) disk.noteFull()
    if (status === 503)
      request.log.warn({ ...where, fault: faultOf(error), code: causeCode(error) }, 'answered 503')
    else if (status >= 500) request.log.error({ ...where, err: error }, 'failed')
    return answer(reply, refusal)
  })
}

export function answer(reply: FastifyReply, refusal: Refusal | HttpRefusal): FastifyReply {
  return reply
    .code(statusOf(refusal))
    .headers(headersOf(refusal))
    .header('cache-control', 'no-store')
    .type('application/ld+json; charset=utf-8')
    .send(problemOf(refusal))
}

const statusOf = (refusal: Refusal | HttpRefusal): number =>
  refusal instanceof Refusal ? STATUS[refusal.kind] : refusal.status

function headersOf(refusal: Refusal | HttpRefusal): Readonly<Record<string, string>> {
  if (refusal instanceof HttpRefusal) return refusal.headers
  return {
    ...(refusal.kind === 'notSignedIn' ? { 'www-authenticate': 'Bearer' } : {}),
    ...(refusal.retryAfterSeconds === undefined ? {} : { 'retry-after': String(refusal.retryAfterSeconds) }),
  }
}

function problemOf(refusal: Refusal | HttpRefusal): Problem {
  const { violations, reason } = refusal instanceof Refusal ? refusal : {}
  const status = statusOf(refusal)
  const title = 'An error occurred'
  const isConfirm = refusal instanceof Refusal && refusal.kind === 'confirmAgain'
  return {
    '@context': violations ? '/contexts/ConstraintViolationList' : '/contexts/Error',
    '@id': `/errors/${status}`,
    '@type': violations ? 'ConstraintViolationList' : 'hydra:Error',
    // The office reads it, and asks for the passkey.
    type: isConfirm ? CONFIRM_AGAIN : `/errors/${status}`,
    status,
    code: status,
    'hydra:title': title,
    'hydra:description': refusal.message,
    title,
    detail: refusal.message,
    description: refusal.message,
    message: refusal.message,
    ...(reason ? { reason } : {}),
    ...(violations ? { violations: [...violations] } : {}),
  }
}

function faultOf(error: unknown): string {
  if (isDiskFull(error)) return 'disk'
  if (error instanceof PaymentsUnavailable) return 'provider'
  if (error instanceof StoreUnavailable) return 'store'
  return isUnavailable(error) ? 'database' : 'shop'
}

function causeCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause) return String(cause.code)
  return undefined
}

function asRefusal(error: FastifyError): Refusal | HttpRefusal {
  if (error instanceof Refusal || error instanceof HttpRefusal) return error
  if (isDiskFull(error)) return diskFull()
  if (isUnavailable(error)) return unavailable(2)
  if (error instanceof StoreUnavailable) return unavailable(5)
  if (error instanceof NoProvider) return noPaymentsYet()
  if (error instanceof PaymentsUnavailable) return providerAway()
  if (error.validation) return invalid(error)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const supported = '"application/ld+json", "application/json", "application/merge-patch+json"'
    return new HttpRefusal(415, `The content-type is not supported. Supported MIME types are ${supported}.`)
  }
  const status = error.statusCode ?? 500
  if (status === 413) return new HttpRefusal(413, 'The request is too large.')
  if (status === 429) return new HttpRefusal(429, error.message)
  if (status >= 400 && status < 500) return unreadable(error.message)
  return new HttpRefusal(500, 'Internal Server Error')
}

// A body with wrong types cannot be understood (`unreadable`); a well-formed body that breaks a rule is refused.
const UNREADABLE = new Set(['type', 'additionalProperties', 'anyOf', 'oneOf'])

function invalid(error: FastifyError): Refusal {
  const [first] = error.validation ?? []
  if (!first) return unreadable(error.message)
  if (error.validationContext === 'params') return notFound()
  const parts = first.instancePath.split('/').slice(1)
  const missing = first.params.missingProperty ?? first.params.additionalProperty
  const propertyPath = [...parts, ...(typeof missing === 'string' ? [missing] : [])].join('.')
  const message =
    first.keyword === 'additionalProperties'
      ? 'This field is not known.'
      : first.keyword === 'maxLength'
        ? `This must be ${String(first.params.limit)} characters or fewer.`
        : `This value ${first.message ?? 'is not valid'}.`
  if (error.validationContext !== 'body' || UNREADABLE.has(first.keyword))
    return unreadable(propertyPath ? `${propertyPath}: ${message}` : message)
  return unprocessable(propertyPath, message)
}
