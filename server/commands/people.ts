import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { changeCommand, type Group, group, showCommand, wholeNumber } from './command-line.ts'
import { planInWords } from '#contract/plans.ts'
import { day, minute, startOfDay } from '../settings/days.ts'
import { type Change, doneSoFar, type Shown } from './frame.ts'
import { counted, table, tableOr } from '../print/table.ts'
import { dayIn, formatPounds } from '../format.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import type { Shop } from '../shop.ts'
import { refused } from '../http/http-errors.ts'
import { defaultCreditEnd, giveCredits } from '../features/membership/owner-actions.ts'
import { exportView, ownData } from '../features/account/data-export.ts'
import { correctAddress } from '../features/account/change-email.ts'
import {
  blockPerson,
  confirmPerson,
  refuseBlocked,
  refuseConfirmed,
  refuseDesk,
  refuseNotBlocked,
  findPeople,
  logOutPerson,
  accountSummary,
  findPerson,
  unblockPerson,
} from '../features/account/support.ts'
import type { Person } from '../features/account/queries.ts'
import { closeAccount, previewDeletion } from '../features/account/delete-account.ts'

const CREDITS_AT_MOST = 12

export const peopleCommand: Group = ({ show, change }) =>
  group('people', [
    showCommand('find')
      .description('Finds customers by a part of a name or address, or by an order number')
      .argument('<words...>')
      .action((words, options) => show(options, (shop) => find(shop, words.join(' ')))),
    showCommand('show')
      .description('Shows what the shop knows about a customer; never what they listen to')
      .argument('<address>')
      .action((address, options) => show(options, (shop) => showPerson(shop, address))),
    changeCommand('export')
      .description(
        'Writes all of their data to a file, which includes places and notes: send it to them and delete it',
      )
      .argument('<address>')
      .option('--to <file>', 'The file, which must not exist')
      .action((address, options) => change(options, toPerson(address, exporting, options.to))),
    changeCommand('confirm')
      .description('Marks their address as confirmed, if the email never arrived')
      .argument('<address>')
      .action((address, options) => change(options, toPerson(address, confirming))),
    changeCommand('correct-address')
      .description('Replaces a mistyped address; the new one gets an email to confirm it')
      .argument('<address>')
      .argument('<new-address>')
      .action((address, corrected, options) =>
        change(options, toPerson(address, correcting, corrected.trim())),
      ),
    changeCommand('credit')
      .description('Gives free audiobooks')
      .argument('<address>')
      .option('--count <number>', 'How many', wholeNumber('--count', 1, CREDITS_AT_MOST), 1)
      .option('--until <day>', 'The last day to choose one, like 2027-01-31; by default two months from now')
      .action((address, options) => change(options, toPerson(address, crediting, options))),
    changeCommand('log-out')
      .description('Ends their sessions; each device removes its data at its next contact')
      .argument('<address>')
      .action((address, options) => change(options, toPerson(address, loggingOut))),
    changeCommand('note')
      .description(
        'Adds the reason as a note to the logbook, such as “is deaf in one ear: write, don’t ring”; show prints it below their orders',
      )
      .argument('<address>')
      .action((address, options) => change(options, toPerson(address, noting))),
    changeCommand('block')
      .description(
        'Ends their sessions and refuses log-ins until unblock; orders and memberships don’t change',
      )
      .argument('<address>')
      .action((address, options) => change(options, toPerson(address, blocking))),
    changeCommand('unblock')
      .description('Lets them log in again')
      .argument('<address>')
      .action((address, options) => change(options, toPerson(address, unblocking))),
    changeCommand('close')
      .description('Deletes the account for good; their orders stay, without a name')
      .argument('<address>')
      .action((address, options) => change(options, toPerson(address, closing))),
  ])

type PersonChange = Omit<Change, 'about' | 'userId'>

const toPerson =
  <More extends unknown[]>(
    address: string,
    change: (shop: Shop, person: Person, ...more: More) => Promise<PersonChange>,
    ...more: More
  ) =>
  async (shop: Shop): Promise<Change> => {
    const person = await findPerson(shop.db, address)
    return { about: `account ${person.id}`, userId: person.id, ...(await change(shop, person, ...more)) }
  }

async function confirming(shop: Shop, person: Person): Promise<PersonChange> {
  refuseConfirmed(person)
  return {
    will: [`${person.email} counts as confirmed from now on. No email is sent.`],
    what: 'confirmed the address',
    carryOut: async () => {
      await confirmPerson(shop, person)
      return said(`${person.email} is confirmed.`)
    },
  }
}

async function loggingOut(shop: Shop, person: Person): Promise<PersonChange> {
  return {
    will: [
      `${person.email} is logged out on every device, and their sound stops within a minute.`,
      'At its next contact each device removes their downloads and data, with any changes that haven’t reached the shop. The account keeps everything else.',
    ],
    what: 'logged out everywhere',
    carryOut: async () => {
      const ended = await logOutPerson(shop, person)
      return said(`${counted(ended, 'log-in')} ended.`, { ended })
    },
  }
}

async function noting(_shop: Shop, person: Person): Promise<PersonChange> {
  return {
    will: [
      `The note is added to the logbook, below what the shop knows about ${person.email}. They never see it.`,
    ],
    what: 'a note',
    carryOut: async () => said('The note is stored.'),
  }
}

async function blocking(shop: Shop, person: Person): Promise<PersonChange> {
  refuseBlocked(person)
  return {
    will: [
      `${person.email} is logged out on every device and can’t log in until you unblock the account.`,
      'Orders, library and memberships don’t change: a membership still renews, unless you end it with npm run members -- end.',
    ],
    what: 'blocked the account',
    carryOut: async () => {
      const ended = await blockPerson(shop, person)
      return said(`${person.email} is blocked. ${counted(ended, 'log-in')} ended.`, { ended })
    },
  }
}

async function unblocking(shop: Shop, person: Person): Promise<PersonChange> {
  refuseNotBlocked(person)
  return {
    will: [`${person.email} can log in again.`],
    what: 'unblocked the account',
    carryOut: async () => {
      await unblockPerson(shop, person)
      return said(`${person.email} is no longer blocked.`)
    },
  }
}

const said = (line: string, json: unknown = {}): Shown => ({ lines: [line], json })

async function find({ db, config: { shopZone } }: Shop, words: string): Promise<Shown> {
  const people = await findPeople(db, words)
  return {
    lines: tableOr(
      `Nobody is found by “${words}”.`,
      people.map((one) => [one.email, nameOf(one), `since ${day(one.createdAt, shopZone)}`, notesOn(one)]),
    ),
    json: people,
  }
}

const nameOf = ({ firstName, lastName }: Person): string => `${firstName} ${lastName}`.trim()

const notesOn = ({ confirmedAt, blockedAt, outlet }: Person): string =>
  [
    ...(outlet ? [`the desk of ${outlet}`] : []),
    ...(confirmedAt ? [] : ['address not confirmed']),
    ...(blockedAt ? ['blocked'] : []),
  ].join(', ')

async function showPerson(shop: Shop, who: string): Promise<Shown> {
  const found = await accountSummary(shop, await findPerson(shop.db, who))
  const { person, membership, credits, library, orders, sessions, formerEmails, pendingEmail } = found
  const done = await doneSoFar(shop, { userId: person.id })
  const zone = shop.config.shopZone
  const lines = [
    `${nameOf(person)} <${person.email}>`,
    `  Since ${day(person.createdAt, zone)}${person.countryCode ? `, ${person.countryCode}` : ''}, ${person.confirmedAt ? 'address confirmed' : 'address not confirmed'}`,
    ...(pendingEmail ? [`  Is changing to ${pendingEmail}`] : []),
    ...(formerEmails.length > 0 ? [`  Was ${formerEmails.join(', ')} before`] : []),
    ...(person.outlet ? [`  The desk of ${person.outlet}`] : []),
    ...(person.blockedAt ? [`  Blocked since ${day(person.blockedAt, zone)}`] : []),
    `  Membership: ${membership ? `${planInWords(shop.config.details.plans[membership.plan])}, ${membership.status}, until ${day(membership.validUntil, zone)}` : 'none'}; ${counted(credits, 'free audiobook')} to choose`,
    `  Logged in on ${counted(sessions.length, 'device')}${sessions[0] ? `, last seen ${minute(sessions[0].usedAt, zone)}` : ''}`,
    ...(found.waitingMails > 0
      ? [`  ${counted(found.waitingMails, 'mail')} to them still to be sent: npm run mails -- waiting`]
      : []),
    '',
    `Library, ${counted(library.length, 'title')}`,
    ...table(
      library.map((title) => [`  ${day(title.addedAt, zone)}`, title.source, title.title, formatOf(title)]),
    ),
    '',
    `Orders, ${orders.length}`,
    ...table(
      orders.map(({ titles, ...order }) => [
        `  ${order.number}`,
        day(order.createdAt, zone),
        formatPounds(order.totalMinor),
        order.state,
        titles.join(', '),
      ]),
    ),
    ...done.lines,
  ]
  return { lines, json: { ...found, logbook: done.json } }
}

const formatOf = ({ format }: { format: string }): string =>
  format === 'audio_book' ? 'audiobook' : 'e-book'

async function exporting(shop: Shop, person: Person, file: string | undefined): Promise<PersonChange> {
  if (!file) throw new BadSetting('Say where to write it, with --to FILE.')
  return {
    will: [
      `All that the shop keeps about ${person.email} is written to ${file}. It holds their places and notes, so send it to them and delete it.`,
    ],
    what: 'exported all that is kept',
    carryOut: async () => {
      const all = exportView(await ownData(shop, person.id))
      await writeFile(file, `${JSON.stringify(all, null, 2)}\n`, { flag: 'wx', mode: 0o600 }).catch(
        (error: Error) => {
          throw refused(`${file} could not be written: ${error.message}`)
        },
      )
      return said(`Written to ${file}, which nobody else on this machine can read.`, { file })
    },
  }
}

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/

async function correcting(shop: Shop, person: Person, email: string): Promise<PersonChange> {
  if (!ADDRESS.test(email)) throw new BadSetting(`${email} is not an email address.`)
  refuseDesk(person, 'npm run outlets -- change SLUG --email ADDRESS')
  return {
    will: person.confirmedAt
      ? [
          `${person.email} was confirmed, so it stays until somebody opens the link that we send to ${email}, with their password.`,
          `${person.email} gets an email that says so.`,
        ]
      : [
          `The account and its orders get the address ${email} at once. It is asked to confirm the address.`,
          `Links that were sent to ${person.email} no longer work. Send emails that went there again: npm run mails -- to ${person.email}`,
        ],
    what: 'corrected the address',
    carryOut: async () => {
      const outcome = await correctAddress(shop, person.id, email)
      return said(
        outcome === 'replaced'
          ? `The address is ${email} now.`
          : `An email with a link is on its way to ${email}.`,
        { outcome },
      )
    },
  }
}

async function crediting(
  shop: Shop,
  person: Person,
  { count, until: untilTyped }: { readonly count: number; readonly until?: string | undefined },
): Promise<PersonChange> {
  const until =
    untilTyped === undefined ? defaultCreditEnd(shop) : startOfDay(untilTyped, shop.config.shopZone, 1)
  const lastDay = dayIn(shop.config.shopZone, new Date(until.getTime() - 1))
  const audiobooks = count === 1 ? 'a free audiobook' : `${count} free audiobooks`
  return {
    will: [
      `${nameOf(person)} can choose ${audiobooks} until ${lastDay}.`,
      `They are told by mail: “We’ve given you ${audiobooks}.”`,
    ],
    what: `gave ${counted(count, 'free audiobook')} until ${day(new Date(until.getTime() - 1), shop.config.shopZone)}`,
    carryOut: async () => {
      const ids = Array.from({ length: count }, () => randomUUID())
      await giveCredits(shop, { userId: person.id, ids, until })
      return said(`${person.email} has ${audiobooks} more.`, { count, until })
    },
  }
}

async function closing(shop: Shop, person: Person): Promise<PersonChange> {
  refuseDesk(person, 'npm run outlets -- close')
  const { membership, library, orders } = await accountSummary(shop, person)
  const { amountMinor: backMinor } = await previewDeletion(shop, person.id)
  return {
    will: [
      `${nameOf(person)} <${person.email}> is erased at once, and it cannot be undone.`,
      `${counted(library.length, 'title')} of theirs and all their places and notes go. ${counted(orders.length, 'order stays', 'orders stay')}, without a name.`,
      ...(membership
        ? [
            `Their membership ${planInWords(shop.config.details.plans[membership.plan])} ends. The payment provider charges nothing more.`,
          ]
        : []),
      ...(backMinor > 0
        ? [
            `${formatPounds(backMinor)} go back to them, as if they had withdrawn from what was charged in the last 14 days.`,
          ]
        : []),
      'Gifts that they gave still arrive. They are told by mail that the account is closed.',
    ],
    what: 'closed the account',
    carryOut: async () => {
      await closeAccount(shop, person.id, backMinor)
      return said('The account is closed.')
    },
  }
}
