import { planInWords, PLANS, type PlanId } from '#contract/plans.ts'
import { daysAfter } from './months.ts'
import type { BusinessTime } from '../../clock.ts'
import { inPages } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import { forEachDue } from '../../due-work/for-each-due.ts'
import { coversToChoose, type MailCover } from '../../integrations/mail/cover-queries.ts'
import { deliveryStatesOf } from '../../integrations/mail/queries.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { type BegunMonth, selectBegunMonths, selectNextMonth } from './credit-queries.ts'
import { nextPaymentOf } from './next-payment.ts'
import { selectAnySubscription, selectMember } from './queries.ts'
import { selectSuggestions } from './suggestion-queries.ts'

/** The reminder that a free audiobook expires takes over (`credits.ts`). */
export const REMINDED_DAYS_BEFORE = 7

/** Monthly plans have the renewal's email instead. */
const WITHOUT_MONTHLY_RENEWAL: readonly PlanId[] = Object.values(PLANS).flatMap(({ id, monthly }) =>
  monthly ? [] : [id],
)

/** Three covers to choose from; none if the member doesn't want them. */
export async function coversForMember(
  db: Db,
  userId: string,
  { choiceEmails }: { readonly choiceEmails: boolean },
): Promise<MailCover[]> {
  if (!choiceEmails) return []
  const suggestions = await selectSuggestions(db, userId)
  return coversToChoose(
    db,
    suggestions.map(({ bookId }) => bookId),
  )
}

/**
 * Queues the email at the start of a month of a yearly plan or a gift. Its key contains the member and the calendar
 * month, so repeated and simultaneous runs queue it once.
 */
export async function mailBegunMonths(
  shop: Pick<Shop, 'db' | 'clock' | 'log' | 'config'>,
  signal?: AbortSignal,
): Promise<void> {
  const { db, log } = shop
  const now = shop.clock.now()
  await forEachDue(notEmailed(db, now), (month) => mailMonth(shop, month), {
    log,
    signal,
    problem: 'a member was not written to at the start of their month',
    about: ({ userId }) => ({ user: userId }),
  })
}

export const nextMonthToMail = ({ db }: Pick<Shop, 'db'>, now: BusinessTime): Promise<Date | null> =>
  selectNextMonth(db, WITHOUT_MONTHLY_RENEWAL, now)

async function* notEmailed(db: Db, now: BusinessTime): AsyncGenerator<BegunMonth> {
  const span = { now, until: daysAfter(now, REMINDED_DAYS_BEFORE), plans: WITHOUT_MONTHLY_RENEWAL }
  const pages = inPages(
    (page) => selectBegunMonths(db, span, page),
    ({ userId }) => userId,
  )
  for await (const page of pages) {
    const emailed = await deliveryStatesOf(db, page.map(keyOf))
    yield* page.filter((month) => !emailed.has(keyOf(month)))
  }
}

const keyOf = ({ userId, from }: BegunMonth): string =>
  `membership_month:${userId}:${from.toISOString().slice(0, 7)}`

async function mailMonth({ db, config }: Pick<Shop, 'db' | 'config'>, month: BegunMonth): Promise<void> {
  const { plans } = config.details
  const [member, row] = await Promise.all([
    selectMember(db, month.userId),
    selectAnySubscription(db, month.subscriptionId),
  ])
  if (!member || !row) return
  const next = nextPaymentOf(row, plans)
  // A member who wants no covers, or has chosen already, is still told what will be charged.
  const isAsked = member.choiceEmails && month.left > 0
  if (!isAsked && next === null) return
  await queueMail(db, {
    to: member.email,
    kind: 'membership_month',
    key: keyOf(month),
    data: {
      firstName: member.firstName,
      plan: planInWords(plans[row.plan]),
      left: month.left,
      lastDay: new Date(month.until.getTime() - 1).toISOString(),
      next: next && { at: next.at.toISOString(), amountMinor: next.amountMinor },
      validUntil: row.validUntil.toISOString(),
      covers: isAsked ? await coversForMember(db, month.userId, member) : [],
    },
  })
}
