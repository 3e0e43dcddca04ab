import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import type { PlanId } from '#contract/plans.ts'

/** Counts how often the provider was asked about memberships: whoever asks takes a number first. */
export const settlements = pgSequence('settlements')

/** Neither over nor begun in vain. The indexes below say the same. */
export const RUNNING_STATES = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'] as const

/** A membership of one account, in the payment provider's words (OP-78). */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    plan: integer().$type<PlanId>().notNull(),
    status: text({ enum: [...RUNNING_STATES, 'incomplete_expired', 'canceled'] }).notNull(),
    /** The provider's `sub_…`; null for gifts and for what a code paid whole. */
    providerId: text('provider_id').unique(),
    /** Kept until it is begun: the same join asked for twice makes one subscription. */
    joinKey: uuid('join_key').notNull().defaultRandom(),
    /** Written by the release before this one alone. */
    clientSecret: text('client_secret'),
    /**
     * Another join took its place. Until `endedAt` says that nobody can pay it any more, the provider is asked to end it
     * (`features/billing/superseded.ts`).
     */
    supersededAt: timestamp('superseded_at', { withTimezone: true }),
    /** The `seti_…` that a new card is kept with. */
    setUpId: text('set_up_id'),
    orderedAt: timestamp('ordered_at', { withTimezone: true }).notNull().defaultNow(),
    periodStart: timestamp('period_start', { withTimezone: true }).notNull(),
    periodEnd: timestamp('period_end', { withTimezone: true }).notNull(),
    /** Benefits end here, whatever the status says. */
    validUntil: timestamp('valid_until', { withTimezone: true }).notNull(),
    canceledAt: timestamp('canceled_at', { withTimezone: true }),
    /** When the first charge failed since the last one that went through. */
    paymentFailedAt: timestamp('payment_failed_at', { withTimezone: true }),
    /** Months of credits are counted from here, in UTC. */
    anchor: timestamp({ withTimezone: true }).notNull().defaultNow(),
    trialEndsAt: timestamp('trial_ends_at', { withTimezone: true }),
    /** A change that waits: what it becomes, and when. */
    pendingPlan: integer('pending_plan').$type<PlanId>(),
    pendingAt: timestamp('pending_at', { withTimezone: true }),
    /** A change that waited when something else ended it: whoever resumes, or was refused by a bank, is asked whether it still counts. */
    droppedPlan: integer('dropped_plan').$type<PlanId>(),
    droppedAt: timestamp('dropped_at', { withTimezone: true }),
    /** What the next charge takes, in pence, as the provider said last; null where nothing renews. */
    nextMinor: integer('next_minor'),
    /** What it costs each period, in pence: the price at which it was joined; null for one that nobody pays again. */
    priceMinor: integer('price_minor'),
    /** When the member asked for it to start within the days of withdrawal. */
    startNowAt: timestamp('start_now_at', { withTimezone: true }),
    withdrawnAt: timestamp('withdrawn_at', { withTimezone: true }),
    /** The question after cancelling was answered; what was said stands elsewhere, without a name. */
    leavingSaid: boolean('leaving_said').notNull().default(false),
    /** A dispute took the benefits away until it is won. */
    suspendedAt: timestamp('suspended_at', { withTimezone: true }),
    endedAt: timestamp('ended_at', { withTimezone: true }),
    /** Of an account that was closed: when the provider had forgotten who paid. */
    forgottenAt: timestamp('forgotten_at', { withTimezone: true }),
    /** When the provider was asked about it last, so that the nightly look begins with the longest unasked. */
    checkedAt: timestamp('checked_at', { withTimezone: true }),
    /** A state that the provider says and that cannot follow the one here: a person has to look (`features/billing/settle.ts`). */
    contradictedBy: text('contradicted_by'),
    contradictedAt: timestamp('contradicted_at', { withTimezone: true }),
    /** Which asking the row was last made by (`settlements`): an older answer is not written over it. */
    settlement: bigint('settled_by', { mode: 'number' }),
    /** What `nextMinor` was reckoned for; the provider is asked again when it is something else. */
    quotedFor: text('quoted_for'),
    couponCode: text('coupon_code'),
    /** While it waits for its payment: until then nobody else can have this use of the code. */
    couponReservedUntil: timestamp('coupon_reserved_until', { withTimezone: true }),
    gift: boolean().notNull().default(false),
    paymentType: text('payment_type', { enum: ['card', 'paypal'] }),
    cardLast4: text('card_last4'),
    percentDiscount: integer('percent_discount'),
    discountDuration: text('discount_duration', { enum: ['once', 'repeating', 'forever'] }),
    discountDurationMonths: integer('discount_duration_months'),
  },
  (table) => [
    index('subscriptions_user').on(table.userId, table.orderedAt.desc()),
    index('subscriptions_unchecked')
      .on(table.checkedAt.asc().nullsFirst(), table.id)
      .where(
        sql`${table.providerId} is not null and ${table.status} in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused')`,
      ),
    // One place for a membership of one's own, taken before the provider is asked. A membership that was given runs
    // beside it.
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
  ],
)

/** The charges of a membership: each of the provider's invoices is one order, once. */
export const subscriptionInvoices = pgTable(
  'subscription_invoices',
  {
    /** `in_…` */
    invoiceId: text('invoice_id').primaryKey(),
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    orderId: uuid('order_id').notNull().unique(),
    periodStart: timestamp('period_start', { withTimezone: true }).notNull(),
    periodEnd: timestamp('period_end', { withTimezone: true }).notNull(),
  },
  (table) => [index('subscription_invoices_subscription').on(table.subscriptionId)],
)

/** The customer at the provider: one `cus_…` for an account. */
export const customers = pgTable('customers', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  customerId: text('customer_id').notNull().unique(),
  /** What the provider was told last: who is called something else by now is told again. */
  syncedEmail: text('told_email'),
  syncedName: text('told_name'),
})

/** Secrets that browsers were given to confirm a payment: whoever comes back with another one was never here. */
export const membershipSecrets = pgTable(
  'membership_secrets',
  {
    /** `pi_…` or `seti_…` */
    id: text().primaryKey(),
    /** Written by the release before this one alone. */
    clientSecret: text('client_secret'),
    secretHash: text('secret_hash'),
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
  },
  (table) => [index('membership_secrets_subscription').on(table.subscriptionId)],
)

/** Why people leave, without saying who: a plan, a day, an answer. */
export const leavingAnswers = pgTable('leaving_answers', {
  id: uuid().primaryKey().defaultRandom(),
  plan: integer().$type<PlanId>().notNull(),
  day: date().notNull(),
  reason: text().notNull(),
})

/** The accounts and cards that had a trial; a card is kept as a hash, never as a number. */
export const trials = pgTable(
  'trials',
  {
    /** Of an account, a card, or a PayPal payer. */
    hash: text().notNull(),
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id, { onDelete: 'set null' }),
    begunAt: timestamp('begun_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.hash] }), index('trials_subscription').on(table.subscriptionId)],
)

/** Free audiobooks of an account, usable until they end; one is spent with one title, once (OP-15). */
export const credits = pgTable(
  'credits',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A whole period is granted when it is paid, a month at a time: later months are not usable yet. */
    usableFrom: timestamp('usable_from', { withTimezone: true })
      .notNull()
      .default(sql`'epoch'`),
    usableUntil: timestamp('usable_until', { withTimezone: true }).notNull(),
    /** Not before that, for who withdrew from another membership lately. */
    heldUntil: timestamp('held_until', { withTimezone: true }),
    /** What granted it, and which it is of its month's; null for one of the owner's. */
    subscriptionId: uuid('subscription_id').references(() => subscriptions.id, { onDelete: 'set null' }),
    ordinal: integer(),
    /** Its payment came back, or the member withdrew. */
    revokedAt: timestamp('revoked_at', { withTimezone: true }),
    spentAt: timestamp('spent_at', { withTimezone: true }),
    bookId: integer('book_id').references(() => books.id),
  },
  (table) => [
    index('credits_user').on(table.userId, table.usableUntil),
    index('credits_lapsing')
      .on(table.usableUntil, table.userId)
      .where(sql`${table.spentAt} is null and ${table.revokedAt} is null`),
    // A month's grant exists once, whoever asks for it how often.
    uniqueIndex('credits_month_once').on(table.subscriptionId, table.usableFrom, table.ordinal),
    uniqueIndex('credits_book_once').on(table.userId, table.bookId),
  ],
)
