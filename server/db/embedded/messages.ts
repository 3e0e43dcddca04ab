/** Messages from the server to its database process. */
export type Order =
  | {
      kind: 'start'
      dataDir: string
      /** Absent where unix sockets are missing; then `host` is a loopback address. */
      socketFolder?: string
      host: string
      /** 0 for any free one. */
      port: number
      password: string
      patienceMs: number
      idleInTransactionMs: number
    }
  | { kind: 'ping' }
  | { kind: 'stop' }

/** Messages from the database process to its server. */
export type Report =
  | { kind: 'ready'; port: number }
  /** The folder was new; it is now a database, and this process ends. */
  | { kind: 'created' }
  | { kind: 'in-use' }
  | { kind: 'pong' }
