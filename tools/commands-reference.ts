import { writeFileSync } from 'node:fs'
import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { optionsOf, SHARED_OPTIONS, usageOf } from '../server/commands/command-line.ts'
import { Frame } from '../server/commands/frame.ts'
import { GROUP_NAMES, murmurProgram } from './murmur.ts'

export const REFERENCE = 'docs/operations/commands.md'

/** The text of the reference of all commands, from the same source as their `--help`. */
export async function commandsReference(): Promise<string> {
  const program = await murmurProgram(new Frame(), GROUP_NAMES)
  const chapters = Map.groupBy(program.commands, (group) => group.helpGroup())
  return [
    '# Commands',
    '<!-- Written by `node tools/commands-reference.ts` from the commands themselves. -->',
    '`npm run people -- find Nell` is short for `npm run murmur -- people find Nell`, and so for each command. All of them answer `--help`. `<name>` is required, `[name]` is not, and `...` can be several.',
    'Commands that change something print what they will do, ask for confirmation, and write who and why into the logbook. Their usage contains `--because`, and they have these options:',
    sharedOptionsOf(program),
    ...[...chapters].flatMap(([heading, groups]) => [
      `## ${heading.replace(/:$/, '')}`,
      ...groups.flatMap((group) => groupText(group)),
    ]),
  ]
    .join('\n\n')
    .concat('\n')
}

function sharedOptionsOf(program: CommandUnknownOpts): string {
  const change = program.commands.flatMap(({ commands }) => commands).find(isChange)
  return listOf(optionsOf(change!).filter(isShared))
}

const isShared = ({ long }: Option): boolean => SHARED_OPTIONS.includes(long ?? '')
const isChange = ({ options }: CommandUnknownOpts): boolean =>
  options.some(({ long }) => long === '--because')

function groupText(group: CommandUnknownOpts): string[] {
  const isCommand = group.commands.length === 0 || group.options.length > 0
  return [
    `### ${group.name()}`,
    `${group.summary()}.`,
    ...(isCommand ? commandText(group) : group.description() ? [group.description()] : []),
    ...group.commands.flatMap(commandText),
  ]
}

function commandText(command: CommandUnknownOpts): string[] {
  const own = optionsOf(command).filter(
    (option) =>
      option.long !== '--help' && !(isShared(option) && (isChange(command) || option.long === '--json')),
  )
  const isJson = !isChange(command) && command.options.some(({ long }) => long === '--json')
  const described = command.registeredArguments.filter(({ description }) => description)
  const items = [
    ...described.map((argument) => `- \`${argument.name()}\`: ${argument.description}`),
    ...(own.length > 0 ? [listOf(own)] : []),
    ...(isJson ? ['- `--json`'] : []),
  ]
  return [
    `\`\`\`\n${usageOf(command)}\n\`\`\``,
    command.description().replace(/\.?$/, '.'),
    ...(items.length > 0 ? [items.join('\n')] : []),
  ]
}

const listOf = (options: readonly Option[]): string =>
  options
    .map(({ flags, description, argChoices, defaultValue }) => {
      const choices = argChoices ? [`one of ${argChoices.join(', ')}`] : []
      const usual = defaultValue === undefined ? [] : [`by default ${String(defaultValue)}`]
      return `- \`${flags}\`: ${[...(description ? [description] : []), ...choices, ...usual].join('; ')}`
    })
    .join('\n')

if (import.meta.main) writeFileSync(REFERENCE, await commandsReference())
