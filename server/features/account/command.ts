import { writeFile } from 'node:fs/promises'
import { planInWords } from '#contract/plans.ts'
import { day, minute, startOfDay } from '../../commands/days.ts'
import {
  type Change,
  doneSoFar,
  type OwnersCommand,
  ownersCommand,
  type Shown,
  textOf,
} from '../../commands/owners-command.ts'
import { counted, table } from '../../commands/table.ts'
import { dayIn, formatPounds } from '../../format.ts'
import { BadSetting } from '../../settings/config.ts'
import type { Shop } from '../../shop.ts'
import { refused } from '../../wire/refusals.ts'
import { giveCredits } from '../membership/rules.ts'
import { exportView } from './export-view.ts'
import { confirmPerson, findPeople, logOutPerson, lookAt, type Person, personOf } from './people.ts'
import { closeAccount, ownData } from './profile-rules.ts'

const USAGE = `Usage: npm run people -- find WORDS
       npm run people -- show ADDRESS
       npm run people -- export ADDRESS --to FILE --because WHY
       npm run people -- confirm ADDRESS --because WHY
       npm run people -- credit ADDRESS [--count 1] [--until 2027-01-31] --because WHY
       npm run people -- log-out ADDRESS --because WHY
       npm run people -- close ADDRESS --because WHY

find     by a part of their name or address, or by an order’s number
show     what the shop knows of somebody; never what they listen to
export   writes all of it into a file, for them alone: their places and notes are in it
confirm  their address is right, although they did not open the mail
credit   gives free audiobooks, which end on that day (in two months without one)
log-out  on every device, at once
close    erases the person at once and for good; their orders stay, without a name`

const MONTHS_OF_A_CREDIT = 2
const CREDITS_AT_MOST = 12
/** Without a count of its own. */
const ONE = '1'

export const PEOPLE: OwnersCommand = {
  name: 'people',
  usage: USAGE,
  options: { to: { type: 'string' }, count: { type: 'string' }, until: { type: 'string' } },
  verbs: {
    find: (shop, { words }) => (words.length === 0 ? undefined : find(shop, words.join(' '))),
    show: (shop, { words: [who] }) => (who ? show(shop, who) : undefined),
    export: (shop, typed) => {
      const file = textOf(typed, 'to')
      return withPerson(shop, typed.words, async (person) => exporting(shop, person, file))
    },
    confirm: (shop, { words }) =>
      withPerson(shop, words, async (person) => ({
        will: [`${person.email} counts as confirmed from now on. Nobody is written to.`],
        what: 'confirmed the address',
        carryOut: async () => {
          await confirmPerson(shop, person)
          return said(`${person.email} is confirmed.`)
        },
      })),
    credit: (shop, typed) =>
      withPerson(shop, typed.words, async (person) =>
        crediting(shop, person, textOf(typed, 'count') ?? ONE, textOf(typed, 'until')),
      ),
    'log-out': (shop, { words }) =>
      withPerson(shop, words, async (person) => ({
        will: [
          `${person.email} is logged out on every device, and their sound stops within a minute. Nothing of theirs is lost.`,
        ],
        what: 'logged out everywhere',
        carryOut: async () => {
          const ended = await logOutPerson(shop, person)
          return said(`${counted(ended, 'log-in')} ended.`, { ended })
        },
      })),
    close: (shop, { words }) => withPerson(shop, words, (person) => closing(shop, person)),
  },
}

function withPerson(
  shop: Shop,
  [who, ...more]: readonly string[],
  change: (person: Person) => Promise<Omit<Change, 'about' | 'userId'>>,
): Promise<Change> | undefined {
  if (!who || more.length > 0) return undefined
  return personOf(shop.db, who).then(async (person) => ({
    about: `account ${person.id}`,
    userId: person.id,
    ...(await change(person)),
  }))
}

const said = (line: string, json: unknown = {}): Shown => ({ lines: [line], json })

async function find({ db, config: { shopZone } }: Shop, words: string): Promise<Shown> {
  const people = await findPeople(db, words)
  const lines = table(
    people.map((one) => [one.email, nameOf(one), `since ${day(one.createdAt, shopZone)}`, notesOn(one)]),
  )
  return { lines: lines.length > 0 ? lines : [`Nobody is found by “${words}”.`], json: people }
}

const nameOf = ({ firstName, lastName }: Person): string => `${firstName} ${lastName}`.trim()

const notesOn = ({ confirmedAt, outlet }: Person): string =>
  [...(outlet ? [`the desk of ${outlet}`] : []), ...(confirmedAt ? [] : ['address not confirmed'])].join(', ')

async function show(shop: Shop, who: string): Promise<Shown> {
  const found = await lookAt(shop, await personOf(shop.db, who))
  const { person, membership, credits, library, orders, sessions, formerEmails, pendingEmail } = found
  const done = await doneSoFar(shop, { userId: person.id })
  const zone = shop.config.shopZone
  const lines = [
    `${nameOf(person)} <${person.email}>`,
    `  Since ${day(person.createdAt, zone)}${person.countryCode ? `, ${person.countryCode}` : ''}, ${person.confirmedAt ? 'address confirmed' : 'address not confirmed'}`,
    ...(pendingEmail ? [`  Is changing to ${pendingEmail}`] : []),
    ...(formerEmails.length > 0 ? [`  Was ${formerEmails.join(', ')} before`] : []),
    ...(person.outlet ? [`  The desk of ${person.outlet}`] : []),
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

async function exporting(
  shop: Shop,
  person: Person,
  file: string | undefined,
): Promise<Omit<Change, 'about'>> {
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

async function crediting(
  shop: Shop,
  person: Person,
  countTyped: string,
  untilTyped: string | undefined,
): Promise<Omit<Change, 'about'>> {
  const count = /^\d{1,2}$/.test(countTyped) ? Number(countTyped) : 0
  if (count < 1 || count > CREDITS_AT_MOST)
    throw new BadSetting(`--count is a number from 1 to ${CREDITS_AT_MOST}.`)
  const until =
    untilTyped === undefined ? monthsFrom(shop.clock.now()) : startOfDay(untilTyped, shop.config.shopZone, 1)
  const lastDay = dayIn(shop.config.shopZone, new Date(until.getTime() - 1))
  const audiobooks = count === 1 ? 'a free audiobook' : `${count} free audiobooks`
  return {
    will: [
      `${nameOf(person)} can choose ${audiobooks} until ${lastDay}.`,
      `They are told by mail: “We’ve given you ${audiobooks}.”`,
    ],
    what: `gave ${counted(count, 'free audiobook')} until ${day(new Date(until.getTime() - 1), shop.config.shopZone)}`,
    carryOut: async () => {
      await giveCredits(shop, { userId: person.id, count, until })
      return said(`${person.email} has ${audiobooks} more.`, { count, until })
    },
  }
}

function monthsFrom(now: Date): Date {
  const until = new Date(now)
  until.setUTCMonth(until.getUTCMonth() + MONTHS_OF_A_CREDIT)
  return until
}

async function closing(shop: Shop, person: Person): Promise<Omit<Change, 'about'>> {
  if (person.outlet)
    throw refused(`This is the desk of ${person.outlet}. Close the bookshop first: npm run outlets -- close`)
  const { membership, library, orders } = await lookAt(shop, person)
  return {
    will: [
      `${nameOf(person)} <${person.email}> is erased at once, and it cannot be undone.`,
      `${counted(library.length, 'title')} of theirs and all their places and notes go. ${counted(orders.length, 'order')} stay, without a name.`,
      ...(membership
        ? [
            `Their membership ${planInWords(shop.config.details.plans[membership.plan])} ends. The payment provider charges nothing more.`,
          ]
        : []),
      'Gifts that they gave still arrive. They are told by mail that the account is closed.',
    ],
    what: 'closed the account',
    carryOut: async () => {
      await closeAccount(shop, person.id)
      return said('The account is closed.')
    },
  }
}

// Last, so that all above it is there.
if (import.meta.main) await ownersCommand(PEOPLE)
