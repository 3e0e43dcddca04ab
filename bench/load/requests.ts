/** One request of a load. The generator repeats the list from its beginning. */
export interface LoadRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /**
   * JSON text with placeholders: `{event}` becomes a new id, `{before}` the id that this request sent last (or null),
   * and `{round}` the number of times the list has been sent.
   */
  readonly body?: string
}

export interface Load {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  readonly requests: readonly LoadRequest[]
  readonly once?: boolean
  /** Pause in ms between an answer and the next request of a connection. */
  readonly restMs?: number
}

/**
 * The result of a load. `answers` counts statuses below 400; `refused` counts the others by status. Times are from
 * sending a request to the last byte of its answer.
 */
export interface Findings {
  readonly answers: number
  readonly perSecond: number
  readonly bytesPerSecond: number
  readonly medianMs: number
  readonly p95Ms: number
  readonly refused: Readonly<Record<string, number>>
  /** Times of the answers below 400; only for a load with `once`. */
  readonly timesMs?: readonly number[]
}
