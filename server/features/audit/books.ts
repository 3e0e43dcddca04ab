import { PLANS } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import type { Config } from '../../settings/config.ts'
import {
  type Finding,
  type AuditedAccounts,
  type AuditedOrders,
  type Mismatch,
  selectOrdersWithoutPayment,
  selectRunningMonths,
  selectSpentForNothing,
  selectTakenWithoutCredit,
  selectUndeliveredLines,
  selectUnpaidTitles,
  selectUnrecordedRefunds,
  selectUnrecordedTrials,
  selectWrongSums,
} from './queries.ts'

interface Comparison<Of> {
  readonly kind: string
  readonly select: (db: Db, of: Of) => Promise<readonly Mismatch[]>
  readonly what: (mismatch: Mismatch) => string
  readonly remedy: (mismatch: Mismatch) => string
}

const lookAtPerson = ({ userId }: Mismatch) => `npm run people -- show ${userId} shows the account.`
const lookAtOrder = ({ about }: Mismatch) => `npm run orders -- show ${about} shows it.`

const OF_ORDERS: readonly Comparison<AuditedOrders>[] = [
  {
    kind: 'order-not-delivered',
    select: selectUndeliveredLines,
    what: ({ about }) => `Something of order ${about} was paid for and not delivered.`,
    remedy: (of) =>
      `${lookAtOrder(of)} npm run orders -- deliver ${of.about} --because … brings what is missing, or npm run orders -- refund ${of.about} --because … pays it back.`,
  },
  {
    kind: 'order-sum',
    select: selectWrongSums,
    what: ({ about }) => `The lines of order ${about} don’t add up to its total or its VAT.`,
    remedy: (of) =>
      `${lookAtOrder(of)} Compare it with the payment at your provider before you file your VAT; restore its lines from a backup if they were changed.`,
  },
  {
    kind: 'order-without-payment',
    select: selectOrdersWithoutPayment,
    what: ({ about }) => `Order ${about} is paid here, and no payment belongs to it.`,
    remedy: (of) =>
      `${lookAtOrder(of)} Search your provider for its number. Without a payment nobody paid: write to the buyer, or take back what it brought.`,
  },
  {
    kind: 'refund-unrecorded',
    select: selectUnrecordedRefunds,
    what: ({ about }) => `More money of order ${about} went back than the order says.`,
    remedy: (of) => `${lookAtOrder(of)} Compare it with the refunds of its payment at your provider.`,
  },
]

const OF_ACCOUNTS: readonly Comparison<AuditedAccounts>[] = [
  {
    kind: 'library-without-order',
    select: selectUnpaidTitles,
    what: ({ about }) => `“${about}” is in a library, and no order, gift or card brought it there.`,
    remedy: (of) =>
      `${lookAtPerson(of)} If they should have it, sell it again for nothing; if not, its entry of library_entries (${of.id}) has to go.`,
  },
  {
    kind: 'audiobook-spent-for-nothing',
    select: selectSpentForNothing,
    what: ({ about }) => `A free audiobook was spent on “${about}”, which is not in the library.`,
    remedy: (of) =>
      `${lookAtPerson(of)} npm run people -- credit ${of.userId} --because … gives them another one, if they should have it.`,
  },
  {
    kind: 'audiobook-not-spent',
    select: selectTakenWithoutCredit,
    what: ({ about }) => `“${about}” was chosen as a free audiobook, and none was spent for it.`,
    remedy: (of) =>
      `${lookAtPerson(of)} Either an audiobook was given back by hand, or the title came twice for one: take the title back, or put this away.`,
  },
  {
    kind: 'trial-unrecorded',
    select: selectUnrecordedTrials,
    what: ({ about }) =>
      `A free trial (${about}) began without being recorded: the same card may have had one before.`,
    remedy: (of) =>
      `${lookAtPerson(of)} Compare the card with earlier trials at your provider, and end the trial there if it had one.`,
  },
]

export async function compareBooks(
  db: Db,
  { details }: Pick<Config, 'details'>,
  of: AuditedOrders,
): Promise<Finding[]> {
  const found = await compareList(db, of, OF_ORDERS)
  if (!('userIds' in of)) return found
  return [...found, ...(await compareList(db, of, OF_ACCOUNTS)), ...(await compareMonths(db, details, of))]
}

async function compareList<Of>(db: Db, of: Of, comparisons: readonly Comparison<Of>[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { kind, select, what, remedy } of comparisons)
    for (const mismatch of await select(db, of))
      findings.push({
        key: `${kind}:${mismatch.id}`,
        userId: mismatch.userId,
        orderId: mismatch.userId === null ? (mismatch.orderId ?? null) : null,
        what: what(mismatch),
        remedy: remedy(mismatch),
      })
  return findings
}

async function compareMonths(db: Db, { plans }: Config['details'], of: AuditedAccounts): Promise<Finding[]> {
  const findings: Finding[] = []
  const known = plans as Readonly<Record<number, (typeof PLANS)[keyof typeof PLANS]>>
  for (const month of await selectRunningMonths(db, of)) {
    const promised = known[month.plan]?.creditsPerMonth ?? 0
    if (month.granted === promised) continue
    findings.push({
      key: `audiobooks-of-month:${month.id}`,
      userId: month.userId,
      orderId: null,
      what: `A membership’s month brought ${month.granted} free audiobooks instead of ${promised}.`,
      remedy: `${lookAtPerson(month)} If some are missing: npm run people -- credit ${month.userId} --because …`,
    })
  }
  return findings
}
