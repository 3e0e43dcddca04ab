import { Option } from '@commander-js/extra-typings'
import { monthsInWords, planInWords, type PlanId } from '#contract/plans.ts'
import { changeCommand, type Group, group, showCommand, wholeNumber } from './command-line.ts'
import { day } from '../settings/days.ts'
import { type Change, doneSoFar, type Shown } from './frame.ts'
import { counted, table } from '../print/table.ts'
import { formatPounds } from '../format.ts'
import type { Shop } from '../shop.ts'
import { refused } from '../http/http-errors.ts'
import type { Person } from '../features/account/queries.ts'
import { findPerson } from '../features/account/support.ts'
import { cancelMembership } from '../features/membership/change-plan.ts'
import {
  endMembership,
  giveMonths,
  membershipToEnd,
  whyNotCancelled,
} from '../features/membership/owner-actions.ts'
import { benefitsOf, detailsOf, invoicesOf } from '../features/membership/service.ts'
import { hasEnded, isOngoing, renews } from '../features/membership/entitlement.ts'
import type { SubscriptionRow } from '../features/membership/queries.ts'

const GIVEN = { supporter: 6, reader: 4, avid: 1 } as const satisfies Readonly<Record<string, PlanId>>
const MONTHS_AT_MOST = 24

export const membersCommand: Group = ({ show, change }) =>
  group('members', [
    showCommand('show')
      .description('Shows their memberships, charges and next payment')
      .argument('<address>')
      .action((address, options) => show(options, (shop) => showMember(shop, address))),
    changeCommand('end')
      .description(
        'Cancels it at the end of the paid period. Refunds nothing; for that use npm run orders -- refund',
      )
      .argument('<address>')
      .option('--at-once', 'Ends it now')
      .action((address, options) => change(options, (shop) => end(shop, address, options.atOnce === true))),
    changeCommand('give')
      .description('Gives free months that never renew; they begin when the current membership ends')
      .argument('<address>')
      .argument('<months>', 'How many', wholeNumber('MONTHS', 1, MONTHS_AT_MOST))
      .addOption(
        new Option('--plan <plan>')
          .choices(['supporter', 'reader', 'avid'] as const)
          .default('reader' as const),
      )
      .action((address, months, options) =>
        change(options, (shop) => give(shop, address, months, GIVEN[options.plan])),
      ),
  ])

async function showMember(shop: Shop, who: string): Promise<Shown> {
  const person = await findPerson(shop.db, who)
  const { config, db, clock } = shop
  const { subscriptions } = await benefitsOf(db, person.id, clock.now())
  const [done, ...known] = await Promise.all([
    doneSoFar(shop, { userId: person.id }),
    ...subscriptions.map(async ({ id }) => ({
      ...(await detailsOf(shop, person.id, id, clock.now())),
      charges: await invoicesOf(db, person.id, id),
    })),
  ])
  const zone = config.shopZone
  const lines = known.flatMap(({ row, next, creditsLeft, failedPayment, withdrawal, charges }) => [
    `${planInWords(config.details.plans[row.plan])}, ${stateOf(row)}, ${day(row.orderedAt, zone)} to ${day(row.validUntil, zone)}${row.gift ? ', given' : ''}`,
    ...(next
      ? [
          `  Next ${formatPounds(next.amountMinor)} on ${day(next.at, zone)}${row.cardLast4 ? `, card ending in ${row.cardLast4}` : ''}`,
        ]
      : []),
    ...(failedPayment
      ? [
          `  A payment failed on ${day(failedPayment.since, zone)}; benefits until ${day(failedPayment.benefitsUntil, zone)}`,
        ]
      : []),
    ...(hasEnded(row.status) ? [] : [`  ${counted(creditsLeft, 'free audiobook')} to choose`]),
    ...(withdrawal
      ? [`  May withdraw until ${day(withdrawal.until, zone)}, for ${formatPounds(withdrawal.amountMinor)}`]
      : []),
    ...(row.providerId ? [`  At the provider: ${row.providerId}`] : []),
    ...table(
      charges.map((charge) => [
        `  ${charge.orderNumber}`,
        day(charge.paidAt ?? charge.from, zone),
        formatPounds(charge.paidMinor),
        charge.refundedMinor > 0 ? `${formatPounds(charge.refundedMinor)} paid back` : '',
      ]),
    ),
    '',
  ])
  return {
    lines: [
      ...(lines.length > 0 ? lines.slice(0, -1) : [`${person.email} has no membership, and had none.`]),
      ...done.lines,
    ],
    json: { person, memberships: known, logbook: done.json },
  }
}

const stateOf = ({ status, canceledAt, suspendedAt, withdrawnAt }: SubscriptionRow): string => {
  if (withdrawnAt) return 'withdrawn'
  if (suspendedAt) return 'suspended by a dispute'
  if (hasEnded(status)) return 'over'
  return canceledAt ? 'cancelled, runs on' : status.replace('_', ' ')
}

async function end(shop: Shop, who: string, isAtOnce: boolean): Promise<Change> {
  const person = await findPerson(shop.db, who)
  const row = await membershipToEnd(shop, person)
  const name = planInWords(shop.config.details.plans[row.plan])
  const until = day(row.validUntil, shop.config.shopZone)
  const of = { about: `account ${person.id}`, userId: person.id }
  if (isAtOnce)
    return {
      ...of,
      what: `ended ${name} at once`,
      will: [
        `${name} ends now, with the free audiobooks that were not chosen. Titles that were chosen stay.`,
        'No money goes back: npm run orders -- refund pays a charge back.',
      ],
      carryOut: async () => {
        await endMembership(shop, person.id, row.id)
        return { lines: ['It has ended.'], json: {} }
      },
    }
  const reason = whyNotCancelled(row, shop.config.shopZone)
  if (reason !== null) throw refused(`${reason} With --at-once it ends now.`)
  return {
    ...of,
    what: `cancelled ${name}`,
    will: [
      `${name} ends on ${until}, when what is paid for is over. Nothing more is charged.`,
      'They are told by mail, and can take it back until then.',
    ],
    carryOut: async () => {
      const after = await cancelMembership(shop, person.id, row.id)
      return {
        lines: [`It ends on ${day(after.validUntil, shop.config.shopZone)}.`],
        json: { until: after.validUntil },
      }
    },
  }
}

async function give(shop: Shop, who: string, months: number, id: PlanId): Promise<Change> {
  const plan = shop.config.details.plans[id]
  const person = await findPerson(shop.db, who)
  const what = monthsInWords(plan, months)
  return {
    about: `account ${person.id}`,
    userId: person.id,
    what: `gave ${what}`,
    will: [
      `${nameOf(person)} gets ${what}, for nothing. It never renews.`,
      ...(await whenItBegins(shop, person)),
      ...(plan.creditsPerMonth > 0
        ? [`It brings ${counted(plan.creditsPerMonth, 'free audiobook')} each month.`]
        : []),
    ],
    carryOut: async () => {
      const hasBegun = await giveMonths(shop, { userId: person.id, plan: id, months })
      return {
        lines: [hasBegun ? 'It has started.' : 'It waits until the membership before it has ended.'],
        json: { hasBegun },
      }
    },
  }
}

async function whenItBegins({ db, clock, config }: Shop, { id }: Person): Promise<string[]> {
  const now = clock.now()
  const { subscriptions, current } = await benefitsOf(db, id, now)
  if (!subscriptions.some((row) => isOngoing(row, now))) return ['It starts at once, and they get an email.']
  const isRenewing = current !== null && renews(current)
  return [
    `They are a member: it starts when that has ended${current && !isRenewing ? `, on ${day(current.validUntil, config.shopZone)}` : ''}, and they get an email then.`,
    ...(isRenewing ? ['Theirs renews. A free audiobook reaches them sooner: npm run people -- credit'] : []),
  ]
}

const nameOf = ({ firstName, lastName }: Person): string => `${firstName} ${lastName}`.trim()
