import { Command, CommanderError, type CommandUnknownOpts, Help } from '@commander-js/extra-typings'
import { BadSetting } from '../settings/bad-setting.ts'
import type { Frame } from './frame.ts'

export type Group = (frame: Frame) => CommandUnknownOpts

export function group(name: string, commands: readonly CommandUnknownOpts[]) {
  const made = new Command(name)
  for (const command of commands) made.addCommand(command)
  return made
}

export const showCommand = (name: string) => new Command(name).option('--json', 'Prints JSON, for scripts')

/** A command that shows what it will do, asks, and writes who and why into the logbook (`frame.change`). */
export const changeCommand = (name: string) =>
  showCommand(name)
    .option('--because <reason>', 'The reason, which is stored in the logbook')
    .option('--as <name>', 'Your name in the logbook; by default your user name on this machine')
    .option('--yes', 'Does not ask for confirmation')
    .option('--dry-run', 'Prints what would change, and changes nothing')

export const SHARED_OPTIONS: readonly string[] = ['--because', '--as', '--yes', '--dry-run', '--json']

/** @throws {BadSetting} if the arguments are wrong; the message contains the usage */
export async function parse(
  command: CommandUnknownOpts,
  argv: readonly string[],
  frame: Pick<Frame, 'exitCode' | 'typed'>,
): Promise<number> {
  let errors = ''
  prepare(command, (text) => void (errors += text))
  command.hook('preAction', (_, action) => {
    frame.typed = pathOf(action).join(' ')
    refuseOptionAsValue(action, argv)
  })
  try {
    await command.parseAsync(argv, { from: 'user' })
    return frame.exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    throw new BadSetting(errors.trimEnd())
  }
}

/** Commander's settings are not inherited by commands that are added. */
function prepare(command: CommandUnknownOpts, writeErr: (text: string) => void): void {
  command
    .exitOverride()
    .showHelpAfterError()
    // `console.log` ignores a closed pipe, as in `npm run help | head`.
    .configureOutput({ writeErr, writeOut: (text) => console.log(text.trimEnd()) })
    .configureHelp(HELP)
    .helpOption('-h, --help', 'Prints this help')
  if (command.parent) command.helpCommand(false)
  for (const each of command.commands) prepare(each, writeErr)
}

/** Commander would take `--yes` as the reason in `--because --yes`. */
function refuseOptionAsValue(command: CommandUnknownOpts, argv: readonly string[]): void {
  for (const { required, long, flags } of command.options) {
    const at = required && long ? argv.indexOf(long) : -1
    if (at >= 0 && /^-./.test(argv[at + 1] ?? '')) command.error(`error: option '${flags}' argument missing`)
  }
}

const HELP: Partial<Help> = {
  commandUsage: usageOf,
  subcommandTerm: (command) => [command.name(), ...argumentsOf(command)].join(' '),
  visibleOptions: optionsOf,
}

export function optionsOf(command: CommandUnknownOpts) {
  const all = new Help().visibleOptions(command)
  const isShared = ({ long }: { long?: string | undefined }) => SHARED_OPTIONS.includes(long ?? '')
  return [...all.filter((option) => !isShared(option)), ...all.filter(isShared)]
}

const WITH_SCRIPT = ['database migrate', 'database move', 'media move', 'media sweep', 'payments set-up']

/** `npm run orders -- refund <number> --because <reason> [options]`. */
export function usageOf(command: CommandUnknownOpts): string {
  const path = pathOf(command)
  const isScript = WITH_SCRIPT.includes(path.join(' '))
  const [script = 'murmur', ...verbs] = isScript ? [path.join(':')] : path
  const options = command.options.filter(({ hidden }) => !hidden)
  // `todo` and `import` do something without a further command, and have options.
  const isGroup = command.commands.length > 0 && options.length === 0
  const words = [
    ...verbs,
    ...(isGroup ? ['<command>'] : []),
    ...argumentsOf(command),
    ...options.flatMap(({ flags, mandatory, long }) => (mandatory || long === '--because' ? [flags] : [])),
    ...(options.length > 0 ? ['[options]'] : []),
  ]
  return [`npm run ${script}`, ...(words.length > 0 ? ['--', ...words] : [])].join(' ')
}

const argumentsOf = ({ registeredArguments }: CommandUnknownOpts): string[] =>
  registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  })

function pathOf(command: CommandUnknownOpts): string[] {
  const path = [command.name()]
  for (let above = command.parent; above; above = above.parent) path.unshift(above.name())
  return path.filter((name) => name !== PROGRAM)
}

export const PROGRAM = 'murmur'

// Parsers of arguments and options. Each gets the name to use in its message.

export const wholeNumber =
  (what: string, least: number, most: number) =>
  (said: string): number => {
    const number = /^\d+$/.test(said) ? Number(said) : NaN
    if (!(number >= least && number <= most))
      throw new BadSetting(`${what} is a whole number from ${least} to ${most}, not “${said}”.`)
    return number
  }

/** Pounds as typed, in pence. */
export const pence =
  (what: string, { example, least = 1, most = 9999_99 }: PenceLimits) =>
  (said: string): number => {
    const minor = /^\d{1,5}(\.\d{1,2})?$/.test(said) ? Math.round(Number(said) * 100) : NaN
    if (!(minor >= least && minor <= most))
      throw new BadSetting(`${what} is an amount in pounds, like ${example}, not “${said}”.`)
    return minor
  }

interface PenceLimits {
  readonly example: string
  readonly least?: number
  readonly most?: number
}
