import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { type Group, parse, PROGRAM } from '../server/commands/command-line.ts'
import type { Frame } from '../server/commands/frame.ts'
import { DatabaseInUse } from '../server/db/errors.ts'
import { Refusal } from '../server/http/http-errors.ts'
import { PaymentsUnavailable } from '../server/integrations/stripe/problems.ts'
import { BadSetting } from '../server/settings/bad-setting.ts'

interface Entry {
  readonly summary: string
  /** Loads only what the commands of this group need. */
  readonly load: () => Promise<Group>
}

/** The groups of commands under the headings of the help. Each has an npm script of the same name. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  'The shop': {
    'new-shop': {
      summary: 'Asks what it is called and looks like; drafts the pages that the law asks for',
      load: async () => (await import('../server/commands/new-shop.ts')).newShopCommand,
    },
    doctor: {
      summary: 'What is wrong, and what to do',
      load: async () => (await import('../server/commands/doctor.ts')).doctorCommand,
    },
    todo: {
      summary: 'What needs a person',
      load: async () => (await import('../server/commands/todo.ts')).todoCommand,
    },
    audit: {
      summary: 'Whether orders, libraries and the payment provider agree',
      load: async () => (await import('../server/commands/audit.ts')).auditCommand,
    },
    office: {
      summary: 'Who runs it in the browser: invite, list, remove, log out',
      load: async () => (await import('../server/commands/office.ts')).officeCommand,
    },
    payments: {
      summary: 'Prices and events at Stripe',
      load: async () => (await import('../server/commands/payments.ts')).paymentsCommand,
    },
  },
  'What it sells': {
    import: {
      summary: 'Books, catalogues (CSV, ONIX), texts, menus and lists',
      load: async () => (await import('../importer/command.ts')).importCommand,
    },
    titles: {
      summary: 'List, find, price, state, texts, free copies, analysis',
      load: async () => {
        const { titlesCommand } = await import('../importer/titles-command.ts')
        const { analyseCommand } = await import('../analysis/command.ts')
        return (frame) => titlesCommand(frame).addCommand(analyseCommand(frame))
      },
    },
    codes: {
      summary: 'Discount codes',
      load: async () => (await import('../server/commands/codes.ts')).codesCommand,
    },
    cards: {
      summary: 'Audiobooks on paper',
      load: async () => (await import('../server/commands/cards.ts')).cardsCommand,
    },
    outlets: {
      summary: 'Bookshops that sell cards',
      load: async () => (await import('../server/commands/outlets.ts')).outletsCommand,
    },
    events: {
      summary: 'Who keeps a seat',
      load: async () => (await import('../server/commands/events.ts')).eventsCommand,
    },
    newsletter: {
      summary: 'Test, send, log, export',
      load: async () => (await import('../server/commands/newsletter.ts')).newsletterCommand,
    },
    sales: {
      summary: 'What was sold, with VAT',
      load: async () => (await import('../server/commands/sales.ts')).salesCommand,
    },
  },
  'Its people': {
    withdrawals: {
      summary: 'Statements of withdrawal that need you',
      load: async () => (await import('../server/commands/withdrawals.ts')).withdrawalsCommand,
    },
    people: {
      summary: 'Find, show, help and erase customers',
      load: async () => (await import('../server/commands/people.ts')).peopleCommand,
    },
    orders: {
      summary: 'Find, refund, send again',
      load: async () => (await import('../server/commands/orders.ts')).ordersCommand,
    },
    members: {
      summary: 'End or give a membership',
      load: async () => (await import('../server/commands/members.ts')).membersCommand,
    },
    mails: {
      summary: 'What waits, what was sent',
      load: async () => (await import('../server/commands/mails.ts')).mailsCommand,
    },
  },
  'Its machine': {
    backup: {
      summary: 'The whole shop in one file',
      load: async () => (await import('../server/commands/backup.ts')).backupCommand,
    },
    restore: {
      summary: 'A shop of a backup',
      load: async () => (await import('../server/commands/restore.ts')).restoreCommand,
    },
    database: {
      summary: 'Its address for psql, its schema, and its move to a PostgreSQL of your own',
      load: async () => (await import('../server/commands/database.ts')).databaseCommand,
    },
    media: {
      summary: 'Files: into an object store, and those that nothing names any more',
      load: async () => {
        const { mediaCommand } = await import('../server/commands/media.ts')
        const { sweepCommand } = await import('../importer/sweep-command.ts')
        return (frame) => mediaCommand(frame).addCommand(sweepCommand(frame))
      },
    },
  },
}

export const GROUP_NAMES: readonly string[] = Object.values(GROUPS).flatMap((groups) => Object.keys(groups))

const AFTER_HELP = `
npm run orders -- show M-100012 is short for npm run murmur -- orders show M-100012, and so for each group.
npm start starts the shop, and npm run upgrade -- RELEASE installs another release.
docs/operations/README.md is the long form.`

/** The program, in which only the groups of `loaded` have their commands. */
export async function murmurProgram(
  frame: Frame | null,
  loaded: readonly string[],
): Promise<CommandUnknownOpts> {
  const program = new Command(PROGRAM)
    .description('The commands for a shop’s owner.')
    .addHelpText('after', AFTER_HELP)
  for (const [heading, groups] of Object.entries(GROUPS))
    for (const [name, { summary, load }] of Object.entries(groups)) {
      const command =
        frame && loaded.includes(name) ? (await load())(frame) : (new Command(name) as CommandUnknownOpts)
      program.addCommand(command.summary(summary).helpGroup(`${heading}:`))
    }
  return program
}

async function main(argv: readonly string[]): Promise<number> {
  const name = (argv[0] === 'help' ? argv[1] : argv[0]) ?? ''
  if (!GROUP_NAMES.includes(name))
    return parse(await murmurProgram(null, []), argv, { exitCode: 0, typed: '' })
  const { Frame } = await import('../server/commands/frame.ts')
  const frame = new Frame()
  return parse(await murmurProgram(frame, [name]), argv, frame)
}

/** Errors that the person who typed the command can fix are printed without a stack. */
const EXPLAINED = [BadSetting, DatabaseInUse, Refusal, PaymentsUnavailable]

if (import.meta.main)
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof Error) || !EXPLAINED.some((kind) => error instanceof kind)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
