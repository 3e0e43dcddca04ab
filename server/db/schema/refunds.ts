import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { businessTime } from './instants.ts'

/** Refunds. A row exists before the provider is asked, and stays until the provider has paid the money back. */
export const refunds = pgTable(
  'refunds',
  {
    id: uuid().primaryKey().defaultRandom(),
    reason: text({
      enum: [
        'withdrawal',
        'gift-withdrawal',
        'gift-taken-back',
        'unneeded',
        'closed-account',
        'double-join',
        'owner',
      ],
    }).notNull(),
    /** What it is for, so that the same thing is refunded once. */
    key: text().notNull().unique(),
    /** Null for a charge that never became an order. */
    orderId: uuid('order_id'),
    /** For a membership: the provider's `in_…`. */
    invoiceId: text('invoice_id'),
    /** The provider's `pi_…`; null until the invoice's payment was looked up. */
    paymentId: text('payment_id'),
    amountMinor: integer('amount_minor').notNull(),
    /** The order lines that it refunds, if they were chosen; their titles leave the library once the money was sent. */
    lineIds: uuid('line_ids').array(),
    /** A goodwill refund: the titles stay in the library. */
    keepsLines: boolean('keeps_lines').notNull().default(false),
    /**
     * `asked`: stored here, perhaps already at the provider. `sent`: accepted by the provider, not yet by the bank.
     * `refused`, and `failed` (after it was sent), are still owed and are requested again.
     */
    state: text({ enum: ['asked', 'sent', 'done', 'refused', 'failed'] }).notNull(),
    /** Null unless the provider has a refund that can succeed. */
    providerId: text('provider_id').unique(),
    problem: text(),
    attempts: integer().notNull().default(0),
    nextTryAt: businessTime('next_try_at'),
    createdAt: businessTime('created_at').notNull(),
    updatedAt: businessTime('updated_at').notNull(),
  },
  (table) => [
    index('refunds_due')
      .on(table.nextTryAt)
      .where(sql`${table.nextTryAt} is not null`),
    index('refunds_payment').on(table.paymentId),
    index('refunds_order').on(table.orderId),
    check('refunds_amount', sql`${table.amountMinor} > 0`),
  ],
)
