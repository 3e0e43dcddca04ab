import type { Db } from '../../db/open.ts'
import { noteSecurity } from '../../auth/security-log.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { publish } from '../feed/service.ts'
import { benefitsOf } from '../membership/service.ts'
import { selectBoughtLines } from '../orders/queries.ts'
import { stateWords } from '../orders/service.ts'
import { selectFormerAddresses, confirmAddress, selectPendingAddress } from './email-queries.ts'
import {
  selectLiveSessions,
  countWaitingMails,
  type Person,
  selectPeople,
  selectPerson,
  revokeSessions,
  updateBlocked,
} from './queries.ts'
import { selectOwnLibrary } from './data-export-queries.ts'
import { countUsableCredits } from '../membership/credit-queries.ts'

const FOUND_AT_MOST = 50

export const findPeople = (db: Db, words: string): Promise<Person[]> =>
  selectPeople(db, words.trim(), FOUND_AT_MOST)

/** @throws 404 with a message that says how to search */
export async function findPerson(db: Db, who: string): Promise<Person> {
  const person = await selectPerson(db, who)
  if (!person)
    throw notFound(`Nobody has the account ${who}. Look for them: npm run people -- find PART-OF-NAME`)
  return person
}

export async function accountSummary({ db, now, clock }: Shop, person: Person) {
  const { id, email } = person
  const [benefits, credits, library, lines, sessions, formerEmails, pendingEmail, waitingMails] =
    await Promise.all([
      benefitsOf(db, id, clock.now()),
      countUsableCredits(db, id, clock.now()),
      selectOwnLibrary(db, id),
      selectBoughtLines(db, id),
      selectLiveSessions(db, id, now()),
      selectFormerAddresses(db, id),
      selectPendingAddress(db, id, now()),
      countWaitingMails(db, email),
    ])
  return {
    person,
    membership: benefits.current,
    memberships: benefits.subscriptions,
    credits,
    library,
    orders: [...Map.groupBy(lines, ({ number }) => number).values()].map((of) => {
      const { number, createdAt, totalMinor, refundedMinor, state } = of[0]!
      return {
        number,
        createdAt,
        totalMinor,
        refundedMinor,
        isPaid: state === 'paid',
        state: stateWords(of[0]!),
        titles: of.map(({ title }) => title),
      }
    }),
    sessions,
    formerEmails,
    pendingEmail,
    waitingMails,
  }
}

/** A bookshop's account changes and closes with its bookshop. */
export function refuseDesk({ outlet }: Pick<Person, 'outlet'>, remedy: string): void {
  if (outlet) throw refused(`This is the desk of ${outlet}: ${remedy}`)
}

export function refuseConfirmed({ confirmedAt }: Person): void {
  if (confirmedAt) throw refused('This address is confirmed already.')
}

/** For a user who called, or wrote from the address. */
export async function confirmPerson(shop: Shop, person: Person): Promise<void> {
  refuseConfirmed(person)
  const { id } = person
  await shop.db.transaction(async (tx) => {
    await confirmAddress(tx, id, shop.now())
    await publish(tx, id, { type: 'membership' }, shop.clock.now())
  })
  noteSecurity(shop, 'address_confirmed', { userId: id })
}

export function refuseBlocked({ blockedAt }: Person): void {
  if (blockedAt) throw refused('This account is blocked already.')
}

export function refuseNotBlocked({ blockedAt }: Person): void {
  if (!blockedAt) throw refused('This account isn’t blocked.')
}

/** Until `unblockPerson`. Orders and memberships don't change. */
export async function blockPerson(shop: Shop, person: Person): Promise<number> {
  refuseBlocked(person)
  const { id } = person
  const ended = await shop.db.transaction(async (tx) => {
    await updateBlocked(tx, id, shop.now())
    return revokeSessions(tx, id, {}, shop.now())
  })
  noteSecurity(shop, 'blocked', { userId: id })
  return ended.length
}

export async function unblockPerson(shop: Shop, person: Person): Promise<void> {
  refuseNotBlocked(person)
  const { id } = person
  await updateBlocked(shop.db, id, null)
  noteSecurity(shop, 'unblocked', { userId: id })
}

/** Each device removes the account's data at its next request. Returns how many sessions ended. */
export async function logOutPerson(shop: Shop, { id }: Person): Promise<number> {
  const ended = await shop.db.transaction((tx) => revokeSessions(tx, id, { removesData: true }, shop.now()))
  noteSecurity(shop, 'logged_out', { userId: id })
  return ended.length
}
