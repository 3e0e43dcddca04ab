import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { orders } from './orders.ts'
import { realTime } from './instants.ts'

export const auditedAccounts = pgTable('audited_accounts', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  auditedAt: realTime('audited_at').notNull(),
})

/** Orders of guests and of deleted accounts. */
export const auditedOrders = pgTable('audited_orders', {
  orderId: uuid('order_id')
    .primaryKey()
    .references(() => orders.id, { onDelete: 'cascade' }),
  auditedAt: realTime('audited_at').notNull(),
})

/** A row is deleted when an audit no longer finds the inconsistency. */
export const auditFindings = pgTable(
  'audit_findings',
  {
    /** The kind and the row’s id: `library-without-order:{entry}`. */
    key: text().primaryKey(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    orderId: uuid('order_id').references(() => orders.id, { onDelete: 'cascade' }),
    what: text().notNull(),
    remedy: text().notNull(),
    foundAt: realTime('found_at').notNull(),
  },
  (table) => [index('audit_findings_user').on(table.userId), index('audit_findings_order').on(table.orderId)],
)
