import { planInWords, type Plans } from '#contract/plans.ts'
import type { OwnMembership, WholePerson } from '#contract/office/people.ts'
import { selectEntries } from '../../db/logbook-queries.ts'
import { formatPounds } from '../../format.ts'
import { notFound } from '../../http/http-errors.ts'
import { type MailRow, selectMailsTo, selectSent } from '../../integrations/mail/queries.ts'
import { selectOwnPlaces } from '../../features/account/data-export-queries.ts'
import { type Person, selectPerson, selectUser } from '../../features/account/queries.ts'
import { shownUntil } from '../../features/account/service.ts'
import { accountSummary } from '../../features/account/support.ts'
import { readableMail, textOfMail } from '../../features/mails/repeat.ts'
import { selectNextCredit } from '../../features/membership/credit-queries.ts'
import { isOngoing } from '../../features/membership/entitlement.ts'
import { whyNotCancelled } from '../../features/membership/owner-actions.ts'
import { detailsOf } from '../../features/membership/service.ts'
import type { SubscriptionRow } from '../../features/membership/queries.ts'
import { selectPaymentAttempts } from '../../features/orders/queries.ts'
import type { Shop } from '../../shop.ts'
import {
  type OfficePerson,
  selectDisputedOrders,
  selectNote,
  selectOwnedTitles,
  selectPresents,
  selectRefusedRefunds,
} from './queries.ts'

export const listedPerson = ({ id, name, email, country, bookshop, ...row }: OfficePerson, plans: Plans) => ({
  id,
  name: name || email,
  email,
  country,
  since: row.createdAt.toISOString(),
  isConfirmed: row.confirmedAt !== null,
  bookshop,
  plan: row.plan === null ? null : planInWords(plans[row.plan]),
  memberState: row.memberState,
  titles: row.titles,
  problems: row.problems,
})

/** @throws 404 */
export async function personById(shop: Shop, id: string): Promise<Person> {
  const person = await selectPerson(shop.db, id)
  if (!person) throw notFound()
  return person
}

export const fullName = ({ firstName, lastName, email }: Person): string =>
  `${firstName} ${lastName}`.trim() || email

/** Null unless they allow it now. */
export async function listeningShownUntil({ db, now }: Shop, id: string): Promise<Date | null> {
  const row = await selectUser(db, id)
  return row ? shownUntil(row, now()) : null
}

const PLACES_SHOWN = 50

export const listeningOf = async ({ db }: Shop, id: string) =>
  (await selectOwnPlaces(db, id)).slice(0, PLACES_SHOWN).map(({ title, chapter, seconds, heardAt }) => ({
    title,
    chapter,
    seconds,
    at: heardAt.toISOString(),
  }))

const EMAILS_SHOWN = 100

/** Never what they listen to. @throws 404 */
export async function wholePerson(shop: Shop, id: string): Promise<WholePerson> {
  const { db } = shop
  const person = await personById(shop, id)
  const now = shop.clock.now()
  const [summary, titles, presents, mails, note, activity, refunds, disputes, credit] = await Promise.all([
    accountSummary(shop, person),
    selectOwnedTitles(db, id),
    selectPresents(db, id),
    selectMailsTo(db, person.email, EMAILS_SHOWN),
    selectNote(db, id),
    selectEntries(db, { userId: id }, 50),
    selectRefusedRefunds(db, id),
    selectDisputedOrders(db, id),
    selectNextCredit(db, id, now),
  ])
  const memberships = await Promise.all(
    summary.memberships
      .filter(({ status }) => status !== 'incomplete' && status !== 'incomplete_expired')
      .slice(0, 10)
      .map((row) => ownMembership(shop, id, row)),
  )
  const { plans } = shop.config.details
  return {
    id,
    name: fullName(person),
    firstName: person.firstName || fullName(person),
    email: person.email,
    country: person.countryCode,
    since: person.createdAt.toISOString(),
    isConfirmed: person.confirmedAt !== null,
    blockedSince: person.blockedAt?.toISOString() ?? null,
    bookshop: person.outlet,
    pendingEmail: summary.pendingEmail,
    formerEmails: summary.formerEmails,
    problems: [
      ...refunds.map(({ number, owedMinor }) => ({
        what: `We owe them ${formatPounds(owedMinor)}: the refund was refused by the provider.`,
        order: number,
      })),
      ...disputes.map(({ number }) => ({ what: 'They asked their bank for the money.', order: number })),
    ],
    memberships,
    credits: summary.credits,
    creditsUntil: credit?.until.toISOString() ?? null,
    titles: titles.map(({ format, slug, title, coverId, at, order, ...how }) => ({
      format,
      slug,
      title,
      cover: coverId && `/media/covers/${coverId.slice(0, 2)}/${coverId}-330.webp`,
      came: cameBy(how),
      order: how.source === 'purchase' ? order : null,
      at: at.toISOString(),
    })),
    orders: summary.orders.map(({ number, createdAt, totalMinor, refundedMinor, state, titles: bought }) => ({
      number,
      at: createdAt.toISOString(),
      titles: bought.join(', '),
      totalMinor,
      refundedMinor,
      state,
    })),
    paidMinor: summary.orders.reduce(
      (sum, { isPaid, totalMinor, refundedMinor }) => sum + (isPaid ? totalMinor - refundedMinor : 0),
      0,
    ),
    presents: presents.map(({ at, title, plan, who, isGiven, state }) => ({
      at: at.toISOString(),
      what: title ?? (plan === null ? 'A membership' : planInWords(plans[plan])),
      who,
      isGiven,
      state: PRESENT_STATES[state] ?? state,
    })),
    emails: mails.map(({ mail, subject }) => ({
      id: mail.id,
      at: mail.queuedAt.toISOString(),
      subject: subject ?? kindWords(mail.kind),
      state: mail.sentAt ? 'sent' : mail.failedAt ? 'failed' : 'waiting',
    })),
    devices: summary.sessions.map(({ name, browser, usedAt, viewedBy }) => ({
      name: name ?? browser ?? 'Unknown browser',
      lastSeenAt: usedAt.toISOString(),
      viewedBy,
    })),
    listeningUntil: (await listeningShownUntil(shop, id))?.toISOString() ?? null,
    note: note ? { text: note.text, by: note.writtenBy, at: note.writtenAt.toISOString() } : null,
    activity: activity.map(({ at, by, what, because }) => ({ at: at.toISOString(), by, what, because })),
  }
}

function cameBy({
  source,
  giver,
  card,
}: Pick<Awaited<ReturnType<typeof selectOwnedTitles>>[number], 'source' | 'giver' | 'card'>): string {
  if (source === 'gift') return giver ? `A present from ${giver}` : 'A present'
  if (source === 'card') return card ? `Card ${card}` : 'A card'
  return CAME[source]
}
const PRESENT_STATES: Readonly<Record<string, string>> = {
  given: 'not opened yet',
  scheduled: 'not sent yet',
  sent: 'not opened yet',
  claimed: 'opened',
  begun: 'started',
  lapsed: 'never opened',
  taken_back: 'taken back',
  suspended: 'suspended by a dispute',
  revoked: 'refunded',
}

/** `Order confirmed`, for an email whose subject isn't stored yet. */
const kindWords = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')

const CAME = { purchase: 'Bought', credit: 'Free audiobook', free: 'Free title', owner: 'Given by the shop' }

async function ownMembership(shop: Shop, userId: string, row: SubscriptionRow): Promise<OwnMembership> {
  const now = shop.clock.now()
  const [{ next, failedPayment }, attempts] = await Promise.all([
    detailsOf(shop, userId, row.id, now),
    selectPaymentAttempts(shop.db, row.id),
  ])
  const isRunning = isOngoing(row, now) && row.withdrawnAt === null
  return {
    id: row.id,
    plan: planInWords(shop.config.details.plans[row.plan]),
    state: stateOf(row, isRunning),
    since: row.orderedAt.toISOString(),
    until: row.validUntil.toISOString(),
    next: isRunning && next ? { at: next.at.toISOString(), minor: next.amountMinor } : null,
    paysWith: row.cardLast4 ? `card ending ${row.cardLast4}` : row.paymentType,
    failing: failedPayment && {
      since: failedPayment.since.toISOString(),
      benefitsUntil: failedPayment.benefitsUntil.toISOString(),
      owesMinor: failedPayment.amountMinor,
    },
    attempts: attempts.map(({ triedAt, outcome, reason }) => ({
      at: triedAt.toISOString(),
      what: [ATTEMPTS[outcome], reason].filter(Boolean).join(': '),
    })),
    isRunning,
    whyNotCancelled: whyNotCancelled(row, shop.config.shopZone),
  }
}

const ATTEMPTS = {
  paid: 'Paid',
  refused: 'Refused',
  unanswered: 'The provider did not answer',
  misfit: 'Another amount was paid',
} as const

/** As `membershipsOfAccounts` in SQL. */
function stateOf(
  { suspendedAt, status, canceledAt, gift }: SubscriptionRow,
  isRunning: boolean,
): OwnMembership['state'] {
  if (!isRunning) return 'lapsed'
  if (suspendedAt) return 'suspended'
  if (status === 'past_due' || status === 'unpaid') return 'failing'
  if (canceledAt) return 'leaving'
  if (status === 'trialing') return 'trial'
  return gift ? 'gift' : 'active'
}

/** @throws 404 if it was sent to another address */
export async function mailToPerson(shop: Shop, person: Person, mailId: string): Promise<MailRow> {
  const found = (await selectMailsTo(shop.db, person.email, EMAILS_SHOWN)).find(
    ({ mail }) => mail.id === mailId,
  )
  if (!found) throw notFound()
  return found.mail
}

export async function readPersonsEmail(shop: Shop, id: string, mailId: string) {
  const row = await mailToPerson(shop, await personById(shop, id), mailId)
  const sent = await selectSent(shop.db, row.id)
  if (sent) {
    const [text = ''] = sent.text.split('\n\n--\n')
    return { subject: sent.subject, text, isRebuilt: false }
  }
  const made = await textOfMail(shop, row)
  const read = made && readableMail(made, shop.config)
  if (!read) throw notFound('What it said was true for its day alone, so it can’t be shown any more.')
  return { subject: read.subject, text: read.text, isRebuilt: row.recipient === '' }
}
