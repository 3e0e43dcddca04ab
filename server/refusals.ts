import type { Problem } from '#contract/problem.ts'

interface Violation {
  readonly propertyPath: string
  readonly message: string
}

/** A refusal that reaches the caller as the one error shape of the wire (`contract/problem.ts`). */
export class Refusal extends Error {
  readonly status: number
  readonly violations: readonly Violation[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    description: string,
    more: { violations?: readonly Violation[]; headers?: Record<string, string> } = {},
  ) {
    super(description)
    this.status = status
    this.violations = more.violations
    this.headers = more.headers ?? {}
  }
}

export const badRequest = (description: string) => new Refusal(400, description)
export const notSignedIn = (description = 'JWT Token not found') =>
  new Refusal(401, description, { headers: { 'www-authenticate': 'Bearer' } })
export const forbidden = (description = 'Access Denied.') => new Refusal(403, description)
export const notFound = (description = 'Not Found') => new Refusal(404, description)
export const unprocessable = (propertyPath: string, message: string) =>
  new Refusal(422, propertyPath ? `${propertyPath}: ${message}` : message, {
    violations: [{ propertyPath, message }],
  })
export const tooMany = (
  retryAfterSeconds: number,
  description = 'Too many attempts. Please wait and try again.',
) =>
  new Refusal(429, description, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  })
export const unavailable = (retryAfterSeconds: number) =>
  new Refusal(503, 'The shop is catching its breath. Please try again in a moment.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })

export function problemOf(refusal: Refusal): Problem {
  const validation = refusal.violations !== undefined
  const title = 'An error occurred'
  return {
    '@context': validation ? '/contexts/ConstraintViolationList' : '/contexts/Error',
    '@id': `/errors/${refusal.status}`,
    '@type': validation ? 'ConstraintViolationList' : 'hydra:Error',
    type: `/errors/${refusal.status}`,
    status: refusal.status,
    code: refusal.status,
    'hydra:title': title,
    'hydra:description': refusal.message,
    title,
    detail: refusal.message,
    description: refusal.message,
    message: refusal.message,
    ...(refusal.violations ? { violations: [...refusal.violations] } : {}),
  }
}
