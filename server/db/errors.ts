import { BadSetting } from '../settings/bad-setting.ts'

export class DatabaseInUse extends Error {
  constructor(dataDir: string, processId?: number) {
    const who = processId ? `another Murmur (process ${processId})` : 'another Murmur'
    super(
      `The data folder ${dataDir} is in use by ${who}: stop that one first, or set DATA_DIR to another folder.`,
    )
    this.name = 'DatabaseInUse'
  }
}

export function asSetting(error: unknown): unknown {
  // node-postgres has no code for this one.
  if (error instanceof Error && /password must be a string/.test(error.message))
    return new BadSetting(
      'DATABASE_URL cannot be used: the database asks for a password, and there is none in it. Write postgresql://USER:PASSWORD@HOST/NAME.',
    )
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const [, remedy] = REMEDIES.find(([codes]) => codes.test(code)) ?? []
  return remedy ? new BadSetting(`DATABASE_URL cannot be used (${code}): ${remedy}`) : error
}

const REMEDIES: readonly (readonly [codes: RegExp, remedy: string])[] = [
  [
    /^(ECONNREFUSED|ENOENT|ETIMEDOUT|EHOSTUNREACH|57P03)$/,
    'nothing answers there. Is PostgreSQL running, and are host and port right?',
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'its host has no address. Is its name right?'],
  [/^28/, 'the database does not let this user in. Are user and password right?'],
  [/^3D000$/, 'there is no such database. Make it first: createdb --owner USER NAME'],
  [/^42501$/, 'this user may not make tables there. Make it the owner of the database.'],
]

/** The same request may succeed in a moment: PostgreSQL is restarting, or all connections are in use. */
export function isUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : ''
    if (SYSTEM_CODES.has(code) || SQL_STATES.test(code)) return true
    // The socket of an embedded PostgreSQL that is restarting, as opposed to a missing file of our own.
    if (code === 'ENOENT' && 'syscall' in cause && cause.syscall === 'connect') return true
    if (!code && DRIVER_MESSAGES.test(cause.message)) return true
  }
  return false
}

export function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && FULL_CODES.has(String(cause.code))) return true
  return false
}

const FULL_CODES = new Set(['53100', 'ENOSPC', 'EDQUOT'])

const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])

// SQLSTATE: connection exceptions, too many connections, shutdown, crash, starting up.
const SQL_STATES = /^(08...|53300|57P01|57P02|57P03)$/

// node-postgres has no codes for these.
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after)/
