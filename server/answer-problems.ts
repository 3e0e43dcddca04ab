import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import { isUnavailable } from './db/open.ts'
import { badRequest, notFound, problemOf, Refusal, unavailable } from './refusals.ts'

/** Turns whatever was thrown into the one error shape; a stranger's error is logged and answered as 500. */
export function answerProblems(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = refusalOf(error)
    const route = request.routeOptions.url
    // An outage gets one short line for each request; its stack says nothing new.
    if (refusal.status === 503) request.log.warn({ route, code: codeOf(error) }, 'answered 503')
    else if (refusal.status >= 500) request.log.error({ err: error, route }, 'failed')
    return answer(reply, refusal)
  })
}

export function answer(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply
    .code(refusal.status)
    .headers(refusal.headers)
    .header('cache-control', 'no-store')
    .type('application/ld+json; charset=utf-8')
    .send(problemOf(refusal))
}

function codeOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause) return String(cause.code)
  return undefined
}

function refusalOf(error: FastifyError): Refusal {
  if (error instanceof Refusal) return error
  if (isUnavailable(error)) return unavailable(2)
  if (error.validation) return invalid(error)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const supported = '"application/ld+json", "application/json", "application/merge-patch+json"'
    return new Refusal(415, `The content-type is not supported. Supported MIME types are ${supported}.`)
  }
  const status = error.statusCode ?? 500
  if (status === 413) return new Refusal(413, 'The request is too large.')
  if (status === 429) return new Refusal(429, error.message)
  if (status >= 400 && status < 500) return badRequest(error.message)
  return new Refusal(500, 'Internal Server Error')
}

// What cannot be read at all is 400; what can be read but breaks a rule is 422.
const UNREADABLE = new Set(['type', 'additionalProperties', 'anyOf', 'oneOf'])

function invalid(error: FastifyError): Refusal {
  const [first] = error.validation ?? []
  if (!first) return badRequest(error.message)
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
    return badRequest(propertyPath ? `${propertyPath}: ${message}` : message)
  return new Refusal(422, propertyPath ? `${propertyPath}: ${message}` : message, {
    violations: [{ propertyPath, message }],
  })
}
