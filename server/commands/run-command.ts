import '../event-handlers.ts'
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { BusinessClock } from '../clock.ts'
import { type Config, readConfig } from '../settings/config.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { loadDetails } from '../db/shop-details-queries.ts'
import { selectClockOffset } from '../db/shared-clock.ts'
import { DatabaseInUse } from '../db/errors.ts'
import { type Database, databaseOf, joinDatabase, type OpenDatabase } from '../db/open.ts'
import { openLog } from '../log/log.ts'
import { Metrics } from '../metrics/metrics.ts'
import { openMedia } from '../integrations/media/open-media.ts'
import { openProvider } from '../integrations/stripe/provider.ts'
import { PaymentsUnavailable } from '../integrations/stripe/problems.ts'
import type { Shop } from '../shop.ts'
import { PublicAnswers } from '../http/response-cache.ts'
import { DiskSpace } from '../http/disk-space.ts'
import { Refusal } from '../http/http-errors.ts'
import { paymentsOfRunningDemo } from './payments-of-demo.ts'
import { addressOfRunningShop } from '../settings/running-address.ts'

type Typed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: Options }>
>

/** The result is what `ask` returns, or a message to print. */
export const reading =
  <Options extends ParseArgsOptionsConfig, Asked>(
    usage: string,
    options: Options,
    ask: (typed: Typed<Options>) => Asked | string,
  ) =>
  (argv: readonly string[]): Asked | string => {
    if (argv.some((word) => HELP.includes(word))) return usage
    let typed
    try {
      typed = parseArgs({ args: [...argv], allowPositionals: true, options })
    } catch (error) {
      return `${error instanceof Error ? error.message : String(error)}\n\n${usage}`
    }
    return ask(typed)
  }

/** The usage was asked for, so it is an answer and not an error. */
class Help extends Error {}

const HELP = ['--help', '-h']

/** Throws the usage if it was asked for. For commands without `reading`. */
export function answerHelp(usage: string): void {
  if (process.argv.slice(2).some((word) => HELP.includes(word))) throw new Help(usage)
}

/** The command, before anything is opened. */
export function typed<Asked>(read: (argv: readonly string[]) => Asked | string): Exclude<Asked, string> {
  const asked = read(process.argv.slice(2))
  if (typeof asked === 'string') {
    answerHelp(asked)
    throw new BadSetting(asked)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- text was thrown
  return asked as Exclude<Asked, string>
}

/**
 * Runs a command next to the server. Errors that the person who typed it can fix are printed without a stack; other
 * errors are printed with their stack.
 *
 * @param work returns the exit code
 * @param explained errors of this command whose message says what to do
 */
export async function command(
  work: () => Promise<number | void>,
  explained: readonly (new (...given: never[]) => Error)[] = [],
): Promise<void> {
  try {
    process.exitCode = (await work()) ?? 0
  } catch (error) {
    if (error instanceof Help) {
      console.log(error.message)
      return
    }
    if (
      !(error instanceof Error) ||
      ![BadSetting, DatabaseInUse, PaymentsUnavailable, Refusal, ...explained].some(
        (kind) => error instanceof kind,
      )
    )
      throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

export const withDatabase = <Result>(
  work: (opened: { readonly db: Database; readonly config: Config }) => Promise<Result>,
): Promise<Result> =>
  open(readConfig(environmentOfRunningShop(), []), (database, config) => work({ db: database.db, config }))

/** The environment, with the running shop’s address for the links that a command prints. */
function environmentOfRunningShop(): Readonly<Record<string, string | undefined>> {
  const { dataDir } = readConfig(process.env, [])
  return { ...process.env, ...addressOfRunningShop(process.env, dataDir) }
}

/** A shop without an HTTP server, in which a command can call services. The running server is notified of changes. */
export function withShop<Result>(work: (shop: Shop) => Promise<Result>): Promise<Result> {
  const { dataDir } = readConfig(process.env, [])
  const environment = { ...paymentsOfRunningDemo(process.env, dataDir), ...environmentOfRunningShop() }
  return open(readConfig(environment, []), async (database, config) => {
    const now = () => new Date()
    const clock = new BusinessClock(now)
    clock.aheadMs = await selectClockOffset(database.db)
    // The log goes to stderr, the command's output to stdout.
    const log = openLog('error', process.stderr)
    return work({
      config,
      database,
      db: database.db,
      now,
      clock,
      answers: new PublicAnswers({ maxBytes: 1_000_000, countryOf: () => '' }),
      log,
      metrics: new Metrics(),
      disk: new DiskSpace(config.dataDir, log),
      ending: new AbortController().signal,
      media: openMedia(config),
      ...openProvider(config.payments),
    })
  })
}

async function open<Result>(
  config: Config,
  work: (database: OpenDatabase, config: Config) => Promise<Result>,
): Promise<Result> {
  const database = await joinDatabase({ ...databaseOf(config), log: console })
  try {
    await loadDetails(database.db, config.details)
    return await work(database, config)
  } finally {
    await database.close()
  }
}
