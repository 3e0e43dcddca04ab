import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { selectUnsettledMismatches } from '../features/orders/queries.ts'
import { undecidedChoices } from '../features/orders/undecided-refunds.ts'
import { formatPounds } from '../format.ts'
import { WEBHOOK_PATH } from '../integrations/stripe/events.ts'
import { takesPayments } from '../integrations/stripe/payments.ts'
import { broken, type CheckedShop, counted, fine, found, look, type Result } from './check.ts'
import {
  selectContradictions,
  selectDisputes,
  selectUncheckedOrders,
  selectUnknownEvents,
} from './queries.ts'
import { selectStuckRefunds } from '../features/refunds/queries.ts'
import { selectOpenStatements } from '../features/withdrawals/queries.ts'

/** By then the webhook and the job that reads the provider's event list have both had a chance. */
const SETTLED_AFTER_MS = 10 * MINUTE_MS
const EVENTS = 100
/** Occasional failures that recover: listed after this many in a row. */
const FAILURES = 3
const AT_MOST = 100

export const checkPaymentKeys = ({ payments }: CheckedShop): Result =>
  takesPayments(payments)
    ? fine('The keys of the payment provider are set.')
    : look(
        'Nothing can be paid for yet: set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.',
      )

export async function checkProvider(shop: CheckedShop): Promise<Result> {
  const { payments, config, now } = shop
  if (!takesPayments(payments)) return checkPaymentKeys(shop)
  try {
    for await (const _ of payments.listPayments({ since: new Date(now().getTime() - MINUTE_MS) })) break
  } catch {
    return broken(
      'The payment provider does not answer, or does not take STRIPE_SECRET_KEY.',
      'Look at its status page and at its keys.',
    )
  }
  return payments.live || config.demo
    ? fine('The payment provider answers.')
    : look('The payment provider answers; with these test keys no money moves.')
}

export async function checkPrices({ config, payments, wrongPrices }: CheckedShop): Promise<Result> {
  if (!config.details.has('membership')) return fine('The shop has no memberships to compare prices of.')
  if (!takesPayments(payments)) return fine('There is no payment provider to compare with.')
  let wrong
  try {
    wrong = await wrongPrices()
  } catch {
    return broken('The prices could not be asked for, because the payment provider did not answer.')
  }
  if (wrong.length === 0) return fine('Memberships cost the same here and at the payment provider.')
  return broken(
    `Nobody can join ${wrong.join(', ')}: the price at your payment provider is missing or differs from yours.`,
    'Run npm run payments:set-up, which corrects it.',
  )
}

export async function checkWebhooks({ payments, config, db, now }: CheckedShop): Promise<Result> {
  if (!takesPayments(payments)) return fine('There is no payment provider that reports anything.')
  const ids: string[] = []
  try {
    const until = new Date(now().getTime() - SETTLED_AFTER_MS)
    for await (const { id } of payments.listEvents({ since: new Date(until.getTime() - 2 * DAY_MS), until }))
      if (ids.push(id) === EVENTS) break
  } catch {
    return broken('The events could not be asked for, because the payment provider did not answer.')
  }
  const unknown = await selectUnknownEvents(db, ids)
  const last = `Of the provider’s last ${counted(ids.length, 'event', 'events')}`
  if (unknown > 0)
    return broken(
      `${last} ${unknown} did not arrive.`,
      `Is the shop running, and does the provider send to ${config.publicUrl}${WEBHOOK_PATH}?`,
    )
  return fine(ids.length === 0 ? 'The provider had nothing to report for two days.' : `${last} all arrived.`)
}

export async function checkAmountMismatches({ db }: CheckedShop): Promise<Result> {
  const mismatches = await selectUnsettledMismatches(db, AT_MOST)
  return found(
    mismatches.map(({ intentId, orderNumber, since }) => ({
      severity: 'broken',
      subject: intentId,
      since,
      what: orderNumber
        ? `Somebody paid for order ${orderNumber}, but not the sum that it costs.`
        : 'Somebody paid for an order that this shop doesn’t have.',
      remedy: `Look at ${intentId} at your payment provider and refund it there; this leaves the list when everything is refunded.`,
    })),
  )
}

export async function checkRefusedRefunds({ db }: CheckedShop): Promise<Result> {
  const refunds = await selectStuckRefunds(db, AT_MOST)
  return found(
    refunds
      .filter(({ refund }) => refund.attempts >= FAILURES)
      .map(({ refund, orderNumber }) => ({
        severity: 'broken',
        subject: refund.id,
        since: refund.createdAt,
        what: `${formatPounds(refund.amountMinor)} ${orderNumber ? `of order ${orderNumber} ` : ''}could not be paid back, ${refund.attempts} times: ${refund.problem ?? 'no reason was given'}.`,
        remedy: `Look at ${refund.paymentId ?? refund.invoiceId ?? 'the payment'} at your payment provider. Refund it there or by bank transfer, and write to the buyer; the shop tries again once a day.`,
      })),
  )
}

export async function checkUndecidedRefunds({ db }: CheckedShop): Promise<Result> {
  const choices = await undecidedChoices(db, AT_MOST)
  return found(
    choices.map(({ refund, orderNumber, lines }) => ({
      severity: 'broken',
      subject: refund.id,
      since: refund.foundAt,
      what: `${formatPounds(refund.amountMinor)} of order ${orderNumber} went back at your payment provider, and ${lines.length} of its lines cost that: ${lines.map(({ place, title }) => `${place}, ${title}`).join('; ')}.`,
      remedy: `Say which one it was for, and its title leaves the library: ${lines.map(({ place }) => `npm run orders -- assign ${orderNumber} --line ${place} --because WHY`).join(', or ')}. If it was for none of them: npm run todo -- done refund:${refund.id}`,
    })),
  )
}

export async function checkDisputes({ db }: CheckedShop): Promise<Result> {
  const disputes = await selectDisputes(db, AT_MOST)
  return found(
    disputes.map(({ id, number, intentId, since }) => ({
      severity: 'broken',
      subject: id,
      since,
      what: `The buyer of order ${number} asks their bank for the money back.`,
      remedy: `Answer at your payment provider within the days that it names (${intentId ?? 'its payment'}); until the bank decides, the buyer can’t use what they bought.`,
    })),
  )
}

export async function checkWithdrawals({ db }: CheckedShop): Promise<Result> {
  const statements = await selectOpenStatements(db, AT_MOST)
  return found(
    statements.map(({ id, userId, problem, statedAt }) => ({
      severity: 'broken',
      subject: id,
      since: statedAt,
      userId,
      what: `A customer has withdrawn from a contract, and the shop could not carry it out. ${problem ?? ''}`.trim(),
      remedy: `npm run withdrawals -- show ${id.slice(0, 8)} says who and from what. Within 14 days, refund it with npm run orders -- refund or tell the customer why you can’t. Then: npm run withdrawals -- settle ${id.slice(0, 8)} --because WHY`,
    })),
  )
}

export async function checkContradictions({ db }: CheckedShop): Promise<Result> {
  const memberships = await selectContradictions(db, AT_MOST)
  return found(
    memberships.map(({ id, userId, providerId, status, contradictedBy, since }) => ({
      severity: 'broken',
      subject: id,
      since,
      userId,
      what: `A membership is ${status} here and ${contradictedBy} at your payment provider, which contradicts it.`,
      remedy: `Look at ${providerId ?? id} there. If it shouldn’t run, cancel it there and refund what was charged; this leaves the list when both agree.`,
    })),
  )
}

export async function checkUncheckedOrders({ db }: CheckedShop): Promise<Result> {
  const orders = await selectUncheckedOrders(db, FAILURES, AT_MOST)
  return found(
    orders.map(({ id, number, intentId, failures, since }) => ({
      severity: 'broken',
      subject: id,
      since,
      what: `Order ${number} could not be compared with its payment, ${failures} times.`,
      remedy: `Look at ${intentId ?? 'its payment'} at your payment provider: was it paid? The log says why under this order: ${id}.`,
    })),
  )
}
