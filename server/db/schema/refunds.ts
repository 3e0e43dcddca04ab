import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Money that is to go back to who paid it. The row exists before the provider is asked, and stays until the provider has sent it. */
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
    /** What it is for: the same thing is asked back once. */
    key: text().notNull().unique(),
    /** What was sold; null for a charge that never became an order. */
    orderId: uuid('order_id'),
    /** Of a membership: the provider's `in_…`. */
    invoiceId: text('invoice_id'),
    /** The provider's `pi_…`; null until an invoice was asked which one paid it. */
    paymentId: text('payment_id'),
    amountMinor: integer('amount_minor').notNull(),
    /** The lines of the order that it pays back, where somebody chose them; they leave the shelf once the money has gone. */
    lineIds: uuid('line_ids').array(),
    /** A goodwill refund: its lines stay where they are. */
    keepsLines: boolean('keeps_lines').notNull().default(false),
    /**
     * `asked` here, and perhaps there. `sent`: the provider has taken it, and its bank has not. `refused` and `failed` (after it
     * was sent) are still owed, and are asked for again.
     */
    state: text({ enum: ['asked', 'sent', 'done', 'refused', 'failed'] }).notNull(),
    /** The provider's `re_…`; null while there is none that may succeed. */
    providerId: text('provider_id').unique(),
    /** Why it was refused or failed, in the provider's word. */
    problem: text(),
    /** How often it was refused or failed. */
    attempts: integer().notNull().default(0),
    /** Null where nothing is left to be done. */
    nextTryAt: timestamp('next_try_at', { withTimezone: true }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
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
