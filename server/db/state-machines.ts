import type { orders, payments, refunds } from './schema/orders.ts'
import type { withdrawalStatements } from './schema/withdrawals.ts'
import type { gifts, membershipGifts } from './schema/gifts.ts'
import type { subscriptions } from './schema/membership.ts'

/** A trigger (`check_transition`) refuses other changes; `server/state-machines.test.ts` compares the tables. */
export interface StateMachine<State extends string> {
  readonly table: string
  readonly column: string
  /** Writing the same state again is not a change. */
  readonly next: { readonly [From in State]: readonly State[] }
}

export const mayChange = <State extends string>(
  { next }: StateMachine<State>,
  from: State,
  to: State,
): boolean => from === to || next[from].includes(to)

export function statesBefore<State extends string>({ next }: StateMachine<State>, to: State): State[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are the keys of the table
  return (Object.keys(next) as State[]).filter((from) => next[from].includes(to))
}

/** @throws if the change is not in the table */
export function requireChange<State extends string>(
  machine: StateMachine<State>,
  from: State,
  to: State,
): void {
  if (!mayChange(machine, from, to)) throw new Error(`${machine.table}: ${from} can't become ${to}`)
}

/** An abandoned order becomes paid if its payment succeeds after all. Refunds and disputes leave it paid. */
export const ORDER_STATES: StateMachine<(typeof orders.$inferSelect)['state']> = {
  table: 'orders',
  column: 'state',
  next: {
    awaiting_payment: ['paid', 'abandoned'],
    abandoned: ['paid'],
    paid: [],
  },
}

/** Free orders and invoices are paid without `created`. The database derives the state. */
export const PAYMENT_STATES: StateMachine<(typeof payments.$inferSelect)['state']> = {
  table: 'payments',
  column: 'state',
  next: {
    waiting: ['created', 'paid'],
    created: ['paid'],
    paid: [],
  },
}

/** No refund becomes `asked` again, so none is sent twice. */
export const REFUND_STATES: StateMachine<(typeof refunds.$inferSelect)['state']> = {
  table: 'refunds',
  column: 'state',
  next: {
    asked: ['sent', 'done', 'refused', 'failed'],
    /** `refused` if the shop got the keys of another account meanwhile. */
    sent: ['done', 'refused', 'failed'],
    refused: ['sent', 'done', 'failed'],
    failed: ['sent', 'done', 'refused'],
    /** The bank may return the money later. `sent` if the provider lists a refund late that a crashed server made. */
    done: ['sent', 'failed'],
  },
}

/** `open`: the shop could not carry it out, so the owner has to; again, if it was settled by mistake. The database derives the state from the times. */
export const STATEMENT_STATES: StateMachine<(typeof withdrawalStatements.$inferSelect)['state']> = {
  table: 'withdrawal_statements',
  column: 'state',
  next: {
    stated: ['open', 'settled'],
    open: ['settled'],
    settled: ['open'],
  },
}

/** The database derives the state from the times in the row. A revoked gift returns if its money does. */
export const TITLE_GIFT_STATES: StateMachine<(typeof gifts.$inferSelect)['state']> = {
  table: 'gifts',
  column: 'state',
  next: {
    given: ['claimed', 'taken_back', 'revoked'],
    claimed: ['revoked'],
    taken_back: ['revoked'],
    revoked: ['given', 'claimed', 'taken_back'],
  },
}

/** The database derives the state. After a dispute a gift is what it was, or what its membership became. */
export const MEMBERSHIP_GIFT_STATES: StateMachine<(typeof membershipGifts.$inferSelect)['state']> = {
  table: 'membership_gifts',
  column: 'state',
  next: {
    scheduled: ['sent', 'claimed', 'lapsed', 'taken_back', 'suspended', 'revoked'],
    sent: ['claimed', 'lapsed', 'taken_back', 'suspended', 'revoked'],
    claimed: ['begun', 'suspended', 'revoked'],
    begun: ['suspended', 'revoked'],
    lapsed: ['suspended', 'revoked'],
    taken_back: ['suspended', 'revoked'],
    suspended: ['scheduled', 'sent', 'claimed', 'begun', 'lapsed', 'taken_back', 'revoked'],
    revoked: [],
  },
}

/** The provider moves freely between these, and we may miss steps in between. */
const STARTED = ['trialing', 'active', 'past_due', 'unpaid', 'paused'] as const

/** An expired join may still become active, if it was paid after all. */
export const SUBSCRIPTION_STATES: StateMachine<(typeof subscriptions.$inferSelect)['status']> = {
  table: 'subscriptions',
  column: 'status',
  next: {
    /** Only a join that was never paid can expire. */
    incomplete: [...STARTED, 'incomplete_expired', 'canceled'],
    incomplete_expired: [...STARTED, 'canceled'],
    trialing: ['active', 'past_due', 'unpaid', 'paused', 'canceled'],
    active: ['trialing', 'past_due', 'unpaid', 'paused', 'canceled'],
    past_due: ['trialing', 'active', 'unpaid', 'paused', 'canceled'],
    unpaid: ['trialing', 'active', 'past_due', 'paused', 'canceled'],
    paused: ['trialing', 'active', 'past_due', 'unpaid', 'canceled'],
    canceled: [],
  },
}

/** `recorded`: the provider still has to end it. `ended`: only refunds are left. The database derives the state. */
export const WITHDRAWAL_STATES: StateMachine<(typeof subscriptions.$inferSelect)['withdrawal']> = {
  table: 'subscriptions',
  column: 'withdrawal',
  next: {
    none: ['recorded', 'ended'],
    recorded: ['ended'],
    ended: [],
  },
}
