import { MINUTE_MS } from '#contract/durations.ts'
import { formatPounds } from '../format.ts'
import { wrongPrices } from '../features/billing/rules.ts'
import { unsettledMisfits } from '../features/orders/rules.ts'
import { refusedRefunds } from '../features/refunds/rules.ts'
import { causedBy } from '../log/cause.ts'
import { takesPayments } from '../outside/stripe/payments.ts'
import type { Shop } from '../shop.ts'
import {
  selectContradictions,
  selectDisputes,
  selectDone,
  selectFailingJobs,
  selectGivenUpMails,
  selectUncheckedOrders,
} from './todo-rows.ts'

export const TODO_KINDS = [
  'payment',
  'refund',
  'dispute',
  'membership',
  'order',
  'price',
  'job',
  'mail',
] as const

/** One thing that the shop cannot settle by itself. */
export interface Todo {
  readonly kind: (typeof TODO_KINDS)[number]
  /** Names it: `npm run todo -- done KEY`. */
  readonly key: string
  /** Null for what has no beginning. */
  readonly since: Date | null
  readonly what: string
  readonly remedy: string
}

export type TodoList = () => Promise<Todo[]>
/** Names of plans. */
export type WrongPrices = () => Promise<readonly string[]>

/** What fails now and then mends itself. */
const TIMES = 3
const AT_MOST = 100
/** The provider is asked for its prices so often. */
const PRICES_HOLD_MS = 10 * MINUTE_MS

/** All that needs a person at this moment, found anew each time: what is settled is not in it any more. */
export function todoList({ db }: Pick<Shop, 'db'>, prices: WrongPrices): TodoList {
  return async () => {
    const done = await selectDone(db)
    const found = [
      ...(await misfits(db)),
      ...(await stuckRefunds(db)),
      ...(await disputes(db)),
      ...(await contradictions(db)),
      ...(await uncheckedOrders(db)),
      ...priceTodo(await prices()),
      ...(await failingJobs(db)),
      ...(await givenUpMails(db)),
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
      : 'Somebody paid for an order that this shop does not have.',
    remedy: `Look at ${intentId} at your payment provider and pay it back there; this leaves the list when all of it went back.`,
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
      remedy: `Look at ${refund.paymentId ?? refund.invoiceId ?? 'the payment'} at your payment provider. Pay it back there or by bank transfer, and write to the buyer; the shop goes on asking once a day.`,
    }))
}

async function disputes(db: Db): Promise<Todo[]> {
  return (await selectDisputes(db)).map(({ id, number, intentId, since }) => ({
    kind: 'dispute',
    key: `dispute:${id}`,
    since,
    what: `The buyer of order ${number} asks their bank for the money back.`,
    remedy: `Answer at your payment provider within the days that it names (${intentId ?? 'its payment'}); until the bank decides, the buyer cannot use what they bought.`,
  }))
}

async function contradictions(db: Db): Promise<Todo[]> {
  return (await selectContradictions(db)).map(({ id, providerId, status, contradictedBy, since }) => ({
    kind: 'membership',
    key: `membership:${id}`,
    since,
    what: `A membership is ${status} here and ${contradictedBy} at your payment provider, which cannot follow.`,
    remedy: `Look at ${providerId ?? id} there. If it should not run, cancel it there and pay back what was charged; this leaves the list when both agree.`,
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
    remedy: `Look for "job":"${name}" in the log. It is tried again by itself, and leaves the list when it succeeds.`,
  }))
}

async function givenUpMails(db: Db): Promise<Todo[]> {
  return (await selectGivenUpMails(db)).map(({ id, kind, key, problem, since }) => ({
    kind: 'mail',
    key: `mail:${id}`,
    since,
    what: `A mail was given up: ${kind.replaceAll('_', ' ')} (${key}). ${
      problem === 'unreachable' ? 'The mail server never took it.' : `The mail server said ${problem}.`
    }`,
    remedy: `npm run mails -- show ${id} says whom it was for. Mend the address or the mail server and send it again, or put it away: npm run todo -- done mail:${id}`,
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
          what: `Nobody can join ${plans.join(', ')}: the price at your payment provider is missing, or another than yours.`,
          remedy: 'npm run payments:set-up makes it right.',
        },
      ]

/**
 * The plans whose price was wrong when the provider was asked last. Nobody waits for it: who asks for figures while the provider
 * hangs has the others at once.
 */
export function pricesAsked(shop: Pick<Shop, 'billing' | 'payments' | 'config'>): WrongPrices {
  let askedAt = -Infinity
  let known: readonly string[] = []
  return async () => {
    if (takesPayments(shop.payments) && performance.now() - askedAt > PRICES_HOLD_MS) {
      askedAt = performance.now()
      // No request of somebody's, whose time would count.
      void causedBy({ job: 'prices' }, () => wrongPrices(shop)).then(
        (wrong) => (known = wrong),
        () => undefined,
      )
    }
    return known
  }
}

/** For the console when the shop opens: the first of them, and where the others are. */
export function todoInWords(found: readonly Todo[]): string {
  const [first, second, third] = found
  if (!first) return ''
  const lines = [first, second, third].flatMap((each) => (each ? `  ${each.what}` : []))
  const count = found.length === 1 ? 'One thing needs you' : `${found.length} things need you`
  return [`${count}. npm run todo says what to do:`, ...lines].join('\n')
}
