import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { IANAZone } from 'luxon'
import { BadSetting } from './bad-setting.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'
import { isDemo } from './demo-mode.ts'
import { OwnersDetails } from './owners-details.ts'
import { paymentSettings, type PaymentSettings } from './payment-settings.ts'
import { type MediaSettings, mediaSettings } from './media-settings.ts'
import { errorCode } from '../log/error-code.ts'
import { LOG_LEVELS, type LogLevel } from '../log/log.ts'

export interface Config {
  readonly host: string
  readonly port: number
  /** A Unix socket to listen on as well, for a proxy on this machine. */
  readonly socket: string | undefined
  /** Used in emails, links and return addresses; no trailing slash. */
  readonly publicUrl: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** Bypasses the pooler of `databaseUrl`, for queries that need their own session; undefined without a pooler. */
  readonly databaseDirectUrl: string | undefined
  /** Maximum connections of this server, not counting the one that listens for notifications. */
  readonly databaseConnections: number
  /** `web` answers requests and `jobs` runs scheduled work; most shops do both in one process. */
  readonly role: Role
  readonly demo: boolean
  /** Whether `DEMO` was set explicitly, to either value. */
  readonly demoIsSaid: boolean
  readonly production: boolean
  /** Newest first; older ones are still accepted (docs/operations/backup-and-restore.md). */
  readonly appKeys: readonly [string, ...string[]]
  /** Hashes printed codes; it never changes. */
  readonly codeKey: string
  readonly countryHeader: string
  /** Addresses or networks whose `X-Forwarded-For` and country header are trusted. */
  readonly trustedProxies: readonly string[]
  readonly media: MediaSettings
  /** The owner's details. `shopZone`, `mailFrom` and `replyTo` are getters that follow their changes. */
  readonly details: OwnersDetails
  /** Time zone of the shop's calendar: defines today and the end of a month. */
  readonly shopZone: string
  readonly dev: boolean
  readonly payments: PaymentSettings | undefined
  /** `smtps://user:password@host`. Without one, the demo uses its mailbox and any other shop queues. */
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  readonly replyTo: string | undefined
  readonly backupTo: string | undefined
  readonly backupPassphrase: string | undefined
  readonly logLevel: LogLevel
  /** How long the server keeps answering after SIGTERM while its readiness check fails, so that proxies notice. */
  readonly drainSeconds: number
  /** Bearer token for `/metrics`, which otherwise answers only requests from this machine. */
  readonly metricsToken: string | undefined
}

export type Role = 'all' | 'web' | 'jobs'

type Environment = Record<string, string | undefined>

/** Where a shop's data are. Does not read the keys, which `readConfig` would create if missing. */
export const readPlace = (env: Environment = process.env): Pick<Config, 'dataDir' | 'databaseUrl'> => ({
  dataDir: resolve(env.DATA_DIR ?? './var'),
  databaseUrl: env.DATABASE_URL || undefined,
})

export const readMedia = (env: Environment = process.env): Pick<Config, 'dataDir' | 'media'> => ({
  dataDir: readPlace(env).dataDir,
  media: mediaSettings(env),
})

export const readBackupSettings = (
  env: Environment = process.env,
): Pick<Config, 'backupTo' | 'backupPassphrase'> => ({
  backupTo: env.BACKUP_TO ? resolve(env.BACKUP_TO) : undefined,
  backupPassphrase: env.BACKUP_PASSPHRASE || undefined,
})

/** Called once, and the only reader of `process.env` for a server. @throws {BadSetting} */
export function readConfig(
  env: Environment = process.env,
  argv: readonly string[] = process.argv.slice(2),
): Config {
  const host = env.HOST || '127.0.0.1'
  const port = portOf(env.PORT || '3000')
  const { dataDir, databaseUrl } = readPlace(env)
  const production = env.NODE_ENV === 'production'
  const publicUrl = publicUrlOf(env.PUBLIC_URL || `http://localhost:${port}`)
  const demo = isDemo(env)
  const details = new OwnersDetails(demo)
  const zone = shopZoneOf(env.SHOP_ZONE || 'Europe/London')
  const payments = paymentSettings(env)
  details.takesPayments = payments !== undefined

  return {
    details,
    host,
    port,
    socket: socketOf(env.SOCKET),
    publicUrl,
    dataDir,
    databaseUrl,
    databaseDirectUrl: env.DATABASE_DIRECT_URL || undefined,
    databaseConnections: connectionsOf(env.DATABASE_POOL || '10'),
    role: roleOf(env.ROLE || 'all'),
    media: mediaSettings(env),
    demo,
    demoIsSaid: Boolean(env.DEMO),
    production,
    appKeys: appKeysOf(env.APP_KEYS, databaseUrl, dataDir),
    codeKey: codeKeyOf(env.CODE_KEY?.trim(), databaseUrl, dataDir),
    countryHeader: (env.COUNTRY_HEADER ?? 'CF-IPCountry').toLowerCase(),
    trustedProxies: (env.TRUSTED_PROXIES ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
    get shopZone() {
      return details.file.zone ?? zone
    },
    dev: argv.includes('--dev'),
    smtpUrl: smtpUrlOf(env.SMTP_URL),
    get mailFrom() {
      const sender = details.file.mail?.sender
      return (
        (sender ? undefined : env.MAIL_FROM) ||
        `${mailbox(details.name)} <${sender ?? `hello@${new URL(publicUrl).hostname}`}>`
      )
    },
    get replyTo() {
      return details.file.mail?.replyTo
    },
    payments,
    ...readBackupSettings(env),
    logLevel: logLevelOf(env.LOG_LEVEL || (demo ? 'warn' : 'info')),
    drainSeconds: drainSecondsOf(env.DRAIN_SECONDS || '0'),
    metricsToken: metricsTokenOf(env.METRICS_TOKEN?.trim()),
  }
}

function portOf(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new BadSetting(`PORT must be a number from 0 to 65535, not '${text}'.`)
  return port
}

function socketOf(path: string | undefined): string | undefined {
  if (!path) return undefined
  // The operating system's maximum length of a socket path.
  if (!path.startsWith('/') || Buffer.byteLength(path) > 107)
    throw new BadSetting(
      `SOCKET must be a path such as /run/murmur/0.sock, of at most 107 characters, not '${path}'.`,
    )
  return path
}

function connectionsOf(text: string): number {
  const count = Number(text)
  // With a single connection, a request that queries outside its own transaction would wait for itself.
  if (!Number.isInteger(count) || count < 2 || count > 500)
    throw new BadSetting(`DATABASE_POOL must be a number of connections from 2 to 500, not '${text}'.`)
  return count
}

function roleOf(text: string): Role {
  if (text === 'all' || text === 'web' || text === 'jobs') return text
  throw new BadSetting(`ROLE must be all, web or jobs, not '${text}'.`)
}

function drainSecondsOf(text: string): number {
  const seconds = Number(text)
  if (!(seconds >= 0 && seconds <= 600))
    throw new BadSetting(`DRAIN_SECONDS must be a number from 0 to 600, not '${text}'.`)
  return seconds
}

function publicUrlOf(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new BadSetting(`PUBLIC_URL must be an address such as https://shop.example, not '${text}'.`)
  return text.replace(/\/+$/, '')
}

function shopZoneOf(name: string): string {
  if (!IANAZone.isValidZone(name))
    throw new BadSetting(`SHOP_ZONE must be the name of a time zone such as Europe/London, not '${name}'.`)
  return name
}

/** An unquoted name with a comma or a dot would be parsed as several senders, or as none. */
const mailbox = (name: string): string =>
  /^[\p{L}\p{N} ]+$/u.test(name) ? name : `"${name.replaceAll(/["\\]/g, '')}"`

function smtpUrlOf(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text))
    throw new BadSetting('SMTP_URL must be an address such as smtps://user:password@mail.example:465.')
  return text
}

function logLevelOf(text: string): LogLevel {
  const level = LOG_LEVELS.find((each) => each === text)
  if (!level) throw new BadSetting(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not '${text}'.`)
  return level
}

function metricsTokenOf(text: string | undefined): string | undefined {
  if (text && text.length < 16)
    throw new BadSetting('METRICS_TOKEN needs at least 16 characters, for example from: openssl rand -hex 16')
  return text || undefined
}

function appKeysOf(
  given: string | undefined,
  databaseUrl: string | undefined,
  dataDir: string,
): [string, ...string[]] {
  const [newest, ...older] = keysIn(given ?? '')
  if (newest) {
    if ([newest, ...older].some((key) => key.length < 32))
      throw new BadSetting(
        'Each key in APP_KEYS needs at least 32 characters, for example from: openssl rand -hex 32',
      )
    return [newest, ...older]
  }
  // Several instances must share the keys, so a database of its own never goes with keys made here.
  if (databaseUrl) throw keysMissing(dataDir)
  const [made = '', ...before] = keysIn(keyMadeOnFirstStart(dataDir, 'app.key'))
  return [made, ...before]
}

/** After a move or a restore the folder has the keys, and with new ones no code and no log-in would be valid. */
const keysMissing = (dataDir: string): BadSetting =>
  new BadSetting(
    existsSync(join(dataDir, 'code.key'))
      ? `APP_KEYS and CODE_KEY must be set together with DATABASE_URL. This shop has them: set APP_KEYS to what is in ${join(dataDir, 'app.key')}, and CODE_KEY to what is in ${join(dataDir, 'code.key')}.`
      : 'APP_KEYS and CODE_KEY must be set together with DATABASE_URL. For a new shop make each once, and keep them: openssl rand -hex 32',
  )

const keysIn = (text: string): string[] =>
  text
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean)

function codeKeyOf(given: string | undefined, databaseUrl: string | undefined, dataDir: string): string {
  if (given && given.length < 32)
    throw new BadSetting('CODE_KEY needs at least 32 characters, for example from: openssl rand -hex 32')
  if (given) return given
  if (databaseUrl) throw keysMissing(dataDir)
  return keyMadeOnFirstStart(dataDir, 'code.key')
}

function keyMadeOnFirstStart(dataDir: string, name: 'app.key' | 'code.key'): string {
  refuseUnfinishedRestore(dataDir)
  const file = join(dataDir, name)
  try {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      throw new BadSetting(
        `The shop cannot write into DATA_DIR, ${dataDir} (${code}). Start it as the user that owns the folder, or give it the folder: chown -R USER ${dataDir}`,
      )
    if (code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}
