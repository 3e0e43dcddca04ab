/** One request of a load; a generator sends its list in turn, from the beginning again at its end. */
export interface LoadRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /**
   * JSON text. `{event}` becomes a new id, `{before}` the id that this request sent the last time (or null), and
   * `{round}` how often the list has been sent.
   */
  readonly body?: string
}

export interface Load {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  readonly requests: readonly LoadRequest[]
  /** Ends with the list, where it is not sent again from its beginning. */
  readonly once?: boolean
  /** Milliseconds a connection rests between an answer and its next request; none where it is absent. */
  readonly restMs?: number
}

/** What one load found. Times are from sending a request to the last byte of its answer. */
export interface Findings {
  /** Answers below 400. */
  readonly answers: number
  readonly perSecond: number
  readonly bytesPerSecond: number
  readonly medianMs: number
  readonly p95Ms: number
  /** Answers from 400 on, by status. */
  readonly refused: Readonly<Record<string, number>>
  /** Of each answer below 400, where the load was one that is sent once. */
  readonly timesMs?: readonly number[]
}
