import { type SQL, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  type PgColumn,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import type { PlanId } from '#contract/plans.ts'
import { businessTime } from './instants.ts'

/** Numbers the provider queries about memberships: each query takes a number before it starts. */
export const settlements = pgSequence('settlements')

/** The indexes below contain the same list. */
export const UNENDED_STATES = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'] as const

type Renewing = Record<
  'gift' | 'paymentType' | 'canceledAt' | 'withdrawnAt' | 'status' | 'trialEndsAt' | 'periodEnd',
  PgColumn
>

/** Sorts memberships that aren't charged again after all others. */
export const NEVER = sql`'9999-01-01T00:00:00Z'::timestamptz`

/** When it is charged next, or never, as in the index `subscriptions_next`. */
export const nextCharge = (of: Renewing): SQL => sql`coalesce(case when not ${of.gift}
  and ${of.paymentType} is not null and ${of.canceledAt} is null and ${of.withdrawnAt} is null
  and ${of.status} in ('active', 'trialing') then case when ${of.status} = 'trialing'
    then coalesce(${of.trialEndsAt}, ${of.periodEnd}) else ${of.periodEnd} end end, ${NEVER})`

/** A membership of an account, with the payment provider's states (OP-78). */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    plan: integer().$type<PlanId>().notNull(),
    status: text({ enum: [...UNENDED_STATES, 'incomplete_expired', 'canceled'] }).notNull(),
    /** The provider's `sub_…`; null for gifts and for memberships that a discount code paid in full. */
    providerId: text('provider_id').unique(),
    /** Stored before it is created at the provider, so that the same join requested twice creates one subscription. */
    joinKey: uuid('join_key').notNull().defaultRandom(),
    /** Only written by the previous release. */
    clientSecret: text('client_secret'),
    /** Another join replaced it; until `endedAt`, the provider is asked to end it (`sync-subscription.ts`). */
    supersededAt: businessTime('superseded_at'),
    setUpId: text('set_up_id'),
    orderedAt: businessTime('ordered_at').notNull().defaultNow(),
    periodStart: businessTime('period_start').notNull(),
    periodEnd: businessTime('period_end').notNull(),
    /** Benefits end at this time, regardless of the status. */
    validUntil: businessTime('valid_until').notNull(),
    canceledAt: businessTime('canceled_at'),
    paymentFailedAt: businessTime('payment_failed_at'),
    /** Start of the monthly periods for credits, in UTC. */
    anchor: businessTime('anchor').notNull().defaultNow(),
    trialEndsAt: businessTime('trial_ends_at'),
    pendingPlan: integer('pending_plan').$type<PlanId>(),
    pendingAt: businessTime('pending_at'),
    /** Something else ended the membership; on resuming, the member is asked whether the change still applies. */
    droppedPlan: integer('dropped_plan').$type<PlanId>(),
    droppedAt: businessTime('dropped_at'),
    /** The next charge in pence, as the provider last reported it; null if nothing renews. */
    nextMinor: integer('next_minor'),
    /** The price of each period in pence, fixed at joining; null if it is not paid again. */
    priceMinor: integer('price_minor'),
    /** When the member asked for it to start within the withdrawal period. */
    startNowAt: businessTime('start_now_at'),
    withdrawnAt: businessTime('withdrawn_at'),
    withdrawal: text({ enum: ['none', 'recorded', 'ended'] })
      .notNull()
      .generatedAlwaysAs(
        sql`case when withdrawn_at is null then 'none' when status = 'canceled' then 'ended' else 'recorded' end`,
      ),
    /** The question after cancelling was answered; the answer itself is stored without a name (`leavingAnswers`). */
    leavingSaid: boolean('leaving_said').notNull().default(false),
    suspendedAt: businessTime('suspended_at'),
    endedAt: businessTime('ended_at'),
    /** For a closed account: when the provider had deleted the customer. */
    forgottenAt: businessTime('forgotten_at'),
    /** The nightly sync starts with the oldest. */
    checkedAt: businessTime('checked_at'),
    /** A state at the provider that cannot follow ours; a person has to decide. */
    contradictedBy: text('contradicted_by'),
    contradictedAt: businessTime('contradicted_at'),
    /** The query (`settlements`) that last wrote this row; results of older queries are not stored. */
    settlement: bigint('settled_by', { mode: 'number' }),
    /** What `nextMinor` was calculated for; the provider is asked again if that changes. */
    quotedFor: text('quoted_for'),
    couponCode: text('coupon_code'),
    /** While the payment is pending: until then no one else can take this use of the code. */
    couponReservedUntil: businessTime('coupon_reserved_until'),
    gift: boolean().notNull().default(false),
    paymentType: text('payment_type', { enum: ['card', 'paypal'] }),
    cardLast4: text('card_last4'),
    percentDiscount: integer('percent_discount'),
    discountDuration: text('discount_duration', { enum: ['once', 'repeating', 'forever'] }),
    discountDurationMonths: integer('discount_duration_months'),
    /** The member asked to save the card for other purchases, and it has not been saved yet. */
    savesCard: boolean('saves_card').notNull().default(false),
    /** The bag that the buyer agreed to pay for with the same card after joining. */
    cartId: uuid('cart_id'),
  },
  (table) => [
    index('subscriptions_user').on(table.userId, table.orderedAt.desc()),
    index('subscriptions_unchecked')
      .on(table.checkedAt.asc().nullsFirst(), table.id)
      .where(
        sql`${table.providerId} is not null and ${table.status} in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused')`,
      ),
    // At most one own membership, reserved before the provider is asked. A gift may run at the same time.
    uniqueIndex('subscriptions_one_place')
      .on(table.userId)
      .where(
        sql`not ${table.gift} and ${table.status} in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused')`,
      ),
    index('subscriptions_withdrawing')
      .on(table.id)
      .where(sql`${table.withdrawnAt} is not null and ${table.status} <> 'canceled'`),
    index('subscriptions_unforgotten')
      .on(table.id)
      .where(
        sql`${table.userId} is null and ${table.providerId} is not null and ${table.forgottenAt} is null`,
      ),
    index('subscriptions_coupon')
      .on(table.couponCode)
      .where(sql`${table.couponCode} is not null`),
    index('subscriptions_contradicted')
      .on(table.contradictedAt)
      .where(sql`${table.contradictedAt} is not null`),
    index('subscriptions_superseded')
      .on(table.userId)
      .where(sql`${table.supersededAt} is not null and ${table.endedAt} is null`),
    // The office's list of members, the next charge first.
    index('subscriptions_next').on(nextCharge(table), table.userId).concurrently(),
    index('subscriptions_ordered').on(table.orderedAt, table.userId).concurrently(),
  ],
)

/** Each of the provider's invoices becomes exactly one order. */
export const subscriptionInvoices = pgTable(
  'subscription_invoices',
  {
    invoiceId: text('invoice_id').primaryKey(),
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    orderId: uuid('order_id').notNull().unique(),
    periodStart: businessTime('period_start').notNull(),
    periodEnd: businessTime('period_end').notNull(),
  },
  (table) => [index('subscription_invoices_subscription').on(table.subscriptionId)],
)

export const customers = pgTable('customers', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  customerId: text('customer_id').notNull().unique(),
  /** Email and name that the provider was last told; a difference is sent again. */
  syncedEmail: text('told_email'),
  syncedName: text('told_name'),
})

/** Cards that a buyer asked to save. The provider has the card; without a row here it is never offered. */
export const savedCards = pgTable(
  'saved_cards',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The provider's `pm_…`, attached to the account's customer. */
    methodId: text('method_id').notNull(),
    brand: text().notNull(),
    last4: text().notNull(),
    /** The first moment after the card expires. */
    expiresAt: businessTime('expires_at').notNull(),
    /** When it was saved, or last paid. */
    usedAt: businessTime('used_at').notNull(),
  },
  // The same card, saved again, replaces its earlier row.
  (table) => [uniqueIndex('saved_cards_card').on(table.userId, table.brand, table.last4, table.expiresAt)],
)

/** A return with another secret is not accepted. */
export const membershipSecrets = pgTable(
  'membership_secrets',
  {
    id: text().primaryKey(),
    /** Only written by the previous release. */
    clientSecret: text('client_secret'),
    secretHash: text('secret_hash'),
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
  },
  (table) => [index('membership_secrets_subscription').on(table.subscriptionId)],
)

/** Why members leave, without who they are: a plan, a day, an answer. */
export const leavingAnswers = pgTable('leaving_answers', {
  id: uuid().primaryKey().defaultRandom(),
  plan: integer().$type<PlanId>().notNull(),
  day: date().notNull(),
  reason: text().notNull(),
})

/** Accounts and cards that had a trial, stored as hashes. */
export const trials = pgTable(
  'trials',
  {
    hash: text().notNull(),
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id, { onDelete: 'set null' }),
    begunAt: businessTime('begun_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.hash] }), index('trials_subscription').on(table.subscriptionId)],
)

/** Free audiobooks of an account, usable until they expire. Each one is spent on one title, once (OP-15). */
export const credits = pgTable(
  'credits',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The credits of a whole period are granted when it is paid; those of later months are not usable yet. */
    usableFrom: businessTime('usable_from')
      .notNull()
      .default(sql`'epoch'`),
    usableUntil: businessTime('usable_until').notNull(),
    /** Not usable before this time, if the member recently withdrew from another membership. */
    heldUntil: businessTime('held_until'),
    /** The membership that granted it, and its number within the month; null if the owner granted it. */
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id, { onDelete: 'set null' }),
    ordinal: integer(),
    revokedAt: businessTime('revoked_at'),
    spentAt: businessTime('spent_at'),
    bookId: integer('book_id').references(() => books.id),
  },
  (table) => [
    index('credits_user').on(table.userId, table.usableUntil),
    index('credits_lapsing')
      .on(table.usableUntil, table.userId)
      .where(sql`${table.spentAt} is null and ${table.revokedAt} is null`),
    // A month's credits exist once, however often they are granted.
    uniqueIndex('credits_month_once').on(table.subscriptionId, table.usableFrom, table.ordinal),
    uniqueIndex('credits_book_once').on(table.userId, table.bookId),
  ],
)
