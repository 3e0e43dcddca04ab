import type { Problem } from '#contract/problem.ts'

export type Violation = NonNullable<Problem['violations']>[number]

/**
 * The end of a call that does not end well.
 *
 * `refused`: the server understood and said no (4xx). `server`: it answered 5xx. `offline`: nobody of ours answered:
 * no network, a time-out, or a captive portal speaking in the server's place (trap 22).
 */
export class NetProblem extends Error {
  override readonly name = 'NetProblem'
  readonly kind: 'refused' | 'offline' | 'server'
  /** 0 where nobody answered. */
  readonly status: number
  /** The server's own sentence, fit to show; empty when it sent none. */
  readonly description: string
  readonly violations: readonly Violation[]
  /** From `Retry-After`, in seconds. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    kind: NetProblem['kind'],
    status: number,
    body: Partial<Problem> = {},
    retryAfterSeconds?: number,
  ) {
    const description = body['hydra:description'] ?? body.description ?? body.message ?? body.detail ?? ''
    super(description || `${kind} ${status}`)
    this.kind = kind
    this.status = status
    this.description = description
    this.violations = body.violations ?? []
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** No answer, or only a proxy's: it tells us nothing about the session or the request (docs/product.md, Failures). */
  get unreachable() {
    return this.kind === 'offline' || this.status === 502 || this.status === 503 || this.status === 504
  }
}

/** 408, 425 and 429 ask for another try later; they refuse neither the request nor the token. */
export const isTryLater = (status: number): boolean => status === 408 || status === 425 || status === 429
