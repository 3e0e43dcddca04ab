import type { Problem, RefusalReason, Violation } from '#contract/problem.ts'

/**
 * The failure of a call.
 *
 * `refused`: the server understood and refused (4xx). `server`: it answered 5xx. `offline`: our server didn't
 * answer: no network, a time-out, or a captive portal answering in its place (trap 22).
 */
export class NetProblem extends Error {
  override readonly name = 'NetProblem'
  readonly kind: 'refused' | 'offline' | 'server'
  /** 0 without an answer. */
  readonly status: number
  /** The server's own message, ready to show; or an empty string. */
  readonly description: string
  /** Decide by this, never by the description's words. */
  readonly reason: RefusalReason | undefined
  readonly violations: readonly Violation[]
  readonly retryAfterSeconds: number | undefined
  /** `/errors/404`; an empty string without an answer. */
  readonly type: string

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
    this.reason = body.reason
    this.violations = body.violations ?? []
    this.retryAfterSeconds = retryAfterSeconds
    this.type = body.type ?? ''
  }

  /** No answer, or only a proxy's: it tells us nothing about the session or the request (docs/product.md, Failures). */
  get unreachable() {
    return this.kind === 'offline' || this.status === 502 || this.status === 503 || this.status === 504
  }
}

/** 408, 425 and 429 mean "try again later"; they refuse neither the request nor the token. */
export const isTryLater = (status: number): boolean => status === 408 || status === 425 || status === 429
