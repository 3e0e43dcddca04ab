import { MINUTE_MS } from '#contract/durations.ts'
import { formatPounds } from '../format.ts'
import { openFindings } from '../features/audit/service.ts'
import { wrongPrices } from '../features/membership/join-eligibility.ts'
import { unsettledMisfits } from '../features/orders/payment-attempts.ts'
import { undecidedChoices } from '../features/orders/undecided-refunds.ts'
import { refusedRefunds } from '../features/refunds/service.ts'
import { openStatements } from '../features/withdrawals/service.ts'
import { untrustedProxiesOf } from '../rate-limiting/untrusted-proxy.ts'
import { causedBy } from '../log/log-context.ts'
import { withDeadline } from '../integrations/stripe/deadline.ts'
import { takesPayments } from '../integrations/stripe/payments.ts'
import type { Shop } from '../shop.ts'
import {
  selectContradictions,
  selectDisputes,
  selectDone,
  selectFailingJobs,
  selectGivenUpMails,
  selectUncheckedOrders,
} from './todo-queries.ts'

export const TODO_KINDS = [
  'payment',
  'refund',
  'dispute',
  'withdrawal',
  'membership',
  'order',
  'price',
  'job',
  'mail',
  'proxy',
  'audit',
] as const

export interface Todo {
  readonly kind: (typeof TODO_KINDS)[number]
  /** Identifies it: `npm run todo -- done KEY`. */
  readonly key: string
  /** Null if it has no start. */
  readonly since: Date | null
  readonly what: string
  readonly remedy: string
}

export type TodoList = () => Promise<Todo[]>
/** Names of plans. */
export type WrongPrices = () => Promise<readonly string[]>

/** Occasional failures that recover: listed after this many in a row. */
const TIMES = 3
const AT_MOST = 100
const PRICES_HOLD_MS = 10 * MINUTE_MS

/** Everything that needs a person now, queried each time, so that solved problems disappear. */
export function todoList(
  { db, config, now }: Pick<Shop, 'db' | 'config' | 'now'>,
  prices: WrongPrices,
): TodoList {
  return async () => {
    const done = await selectDone(db)
    const found = [
      ...(await misfits(db)),
      ...(await stuckRefunds(db)),
      ...(await undecidedRefunds(db)),
      ...(await disputes(db)),
      ...(await withdrawals(db)),
      ...(await contradictions(db)),
      ...(await uncheckedOrders(db)),
      ...priceTodo(await prices()),
      ...(await failingJobs(db)),
      ...(await givenUpMails(db)),
      ...(await proxies(db, config, now())),
      ...(await disagreements(db)),
    ]
    return found.filter(({ key, since }) => !(since && done.has(key) && done.get(key)! >= since))
  }
}

type Db = Shop['db']

async function misfits(db: Db): Promise<Todo[]> {
  return (await unsettledMisfits(db, AT_MOST)).map(({ intentId, orderNumber, since }) => ({
    kind: 'payment',
    key: `payment:${intentId}`,
    since,
    what: orderNumber
      ? `Somebody paid for order ${orderNumber}, but not the sum that it costs.`
      : 'Somebody paid for an order that this shop doesn’t have.',
    remedy: `Look at ${intentId} at your payment provider and refund it there; this leaves the list when everything is refunded.`,
  }))
}

async function stuckRefunds(db: Db): Promise<Todo[]> {
  return (await refusedRefunds(db, AT_MOST))
    .filter(({ refund }) => refund.attempts >= TIMES)
    .map(({ refund, orderNumber }) => ({
      kind: 'refund',
      key: `refund:${refund.id}`,
      since: refund.createdAt,
      what: `${formatPounds(refund.amountMinor)} ${orderNumber ? `of order ${orderNumber} ` : ''}could not be paid back, ${refund.attempts} times: ${refund.problem ?? 'no reason was given'}.`,
      remedy: `Look at ${refund.paymentId ?? refund.invoiceId ?? 'the payment'} at your payment provider. Refund it there or by bank transfer, and write to the buyer; the shop tries again once a day.`,
    }))
}

async function undecidedRefunds(db: Db): Promise<Todo[]> {
  return (await undecidedChoices(db, AT_MOST)).map(({ refund, orderNumber, lines }) => ({
    kind: 'refund',
    key: `refund:${refund.id}`,
    since: refund.foundAt,
    what: `${formatPounds(refund.amountMinor)} of order ${orderNumber} went back at your payment provider, and ${lines.length} of its lines cost that: ${lines.map(({ place, title }) => `${place}, ${title}`).join('; ')}.`,
    remedy: `Say which one it was for, and its title leaves the library: ${lines.map(({ place }) => `npm run orders -- assign ${orderNumber} --line ${place} --because WHY`).join(', or ')}. If it was for none of them: npm run todo -- done refund:${refund.id}`,
  }))
}

async function disputes(db: Db): Promise<Todo[]> {
  return (await selectDisputes(db)).map(({ id, number, intentId, since }) => ({
    kind: 'dispute',
    key: `dispute:${id}`,
    since,
    what: `The buyer of order ${number} asks their bank for the money back.`,
    remedy: `Answer at your payment provider within the days that it names (${intentId ?? 'its payment'}); until the bank decides, the buyer can’t use what they bought.`,
  }))
}

async function withdrawals(db: Db): Promise<Todo[]> {
  return (await openStatements(db, AT_MOST)).map(({ id, problem, statedAt }) => ({
    kind: 'withdrawal',
    key: `withdrawal:${id}`,
    since: statedAt,
    what: `A customer has withdrawn from a contract, and the shop could not carry it out. ${problem ?? ''}`.trim(),
    remedy: `npm run withdrawals -- show ${id.slice(0, 8)} says who and from what. Within 14 days, refund it with npm run orders -- refund or tell the customer why you can’t. Then: npm run withdrawals -- settle ${id.slice(0, 8)} --because WHY`,
  }))
}

async function contradictions(db: Db): Promise<Todo[]> {
  return (await selectContradictions(db)).map(({ id, providerId, status, contradictedBy, since }) => ({
    kind: 'membership',
    key: `membership:${id}`,
    since,
    what: `A membership is ${status} here and ${contradictedBy} at your payment provider, which contradicts it.`,
    remedy: `Look at ${providerId ?? id} there. If it shouldn’t run, cancel it there and refund what was charged; this leaves the list when both agree.`,
  }))
}

async function uncheckedOrders(db: Db): Promise<Todo[]> {
  return (await selectUncheckedOrders(db, TIMES)).map(({ id, number, intentId, failures, since }) => ({
    kind: 'order',
    key: `order:${id}`,
    since,
    what: `Order ${number} could not be compared with its payment, ${failures} times.`,
    remedy: `Look at ${intentId ?? 'its payment'} at your payment provider: was it paid? The log says why under this order: ${id}.`,
  }))
}

async function failingJobs(db: Db): Promise<Todo[]> {
  return (await selectFailingJobs(db, TIMES)).map(({ name, failures, since, problem }) => ({
    kind: 'job',
    key: `job:${name}`,
    since,
    what: `The job ${name} has failed ${failures} times in a row: ${problem ?? 'no reason was given'}.`,
    remedy: `Look for "job":"${name}" in the log. It is tried again automatically, and leaves the list when it succeeds.`,
  }))
}

async function givenUpMails(db: Db): Promise<Todo[]> {
  return (await selectGivenUpMails(db)).map(({ id, kind, key, problem, since }) => ({
    kind: 'mail',
    key: `mail:${id}`,
    since,
    what: `A mail was given up: ${kind.replaceAll('_', ' ')} (${key}). ${
      problem === 'unreachable' ? 'The mail server never accepted it.' : `The mail server said ${problem}.`
    }`,
    remedy: `npm run mails -- show ${id} shows whom it was for. Correct the address or the mail server and send it again, or remove it from the list: npm run todo -- done mail:${id}`,
  }))
}

async function disagreements(db: Db): Promise<Todo[]> {
  return (await openFindings(db, AT_MOST)).map(({ key, what, remedy, foundAt }) => ({
    kind: 'audit',
    key: `audit:${key}`,
    since: foundAt,
    what,
    remedy: `${remedy} npm run audit checks again at once; this leaves the list when everything agrees.`,
  }))
}

async function proxies(db: Db, config: Shop['config'], now: Date): Promise<Todo[]> {
  return (await untrustedProxiesOf(db, config, now))
    .filter(({ isNamed }) => !isNamed)
    .map(({ address, problem, since, remedy }) => ({
      kind: 'proxy',
      key: `proxy:${address}`,
      since,
      what: `${problem}: all visitors share its address and its limits, so a few busy ones can keep everybody from logging in.`,
      remedy,
    }))
}

const priceTodo = (plans: readonly string[]): Todo[] =>
  plans.length === 0
    ? []
    : [
        {
          kind: 'price',
          key: 'price',
          since: null,
          what: `Nobody can join ${plans.join(', ')}: the price at your payment provider is missing or differs from yours.`,
          remedy: 'npm run payments:set-up corrects it.',
        },
      ]

/**
 * Names of the plans whose price was wrong when the provider was last asked. The list never waits for the provider: if
 * it hangs, the other entries are returned at once.
 */
export function pricesAsked(shop: Pick<Shop, 'billing' | 'payments' | 'config'>): WrongPrices {
  let askedAt = -Infinity
  let known: readonly string[] = []
  return async () => {
    if (takesPayments(shop.payments) && performance.now() - askedAt > PRICES_HOLD_MS) {
      askedAt = performance.now()
      // Not part of the request, whose deadline would apply.
      void causedBy({ job: 'prices' }, () => withDeadline(undefined, () => wrongPrices(shop))).then(
        (wrong) => (known = wrong),
        () => undefined,
      )
    }
    return known
  }
}

export function todoInWords(found: readonly Todo[]): string {
  const [first, second, third] = found
  if (!first) return ''
  const lines = [first, second, third].flatMap((each) => (each ? `  ${each.what}` : []))
  const count = found.length === 1 ? 'One thing needs you' : `${found.length} things need you`
  return [`${count}. npm run todo says what to do:`, ...lines].join('\n')
}
