import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { businessTime } from './instants.ts'

/** Made on `/withdraw` (Directive (EU) 2023/2673, Article 11a). Stored before anything else; its text never changes. */
export const withdrawalStatements = pgTable(
  'withdrawal_statements',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Hash of the input, so that pressing the button again stores one statement. */
    fingerprint: text().notNull().unique(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    name: text().notNull(),
    email: text().notNull(),
    /** An order number, or the contract in the customer’s words. */
    contract: text().notNull(),
    /** The part that is withdrawn from; null for the whole contract. */
    scope: text(),
    statedAt: businessTime('stated_at').notNull(),
    checkedAt: businessTime('checked_at'),
    problem: text(),
    settledAt: businessTime('settled_at'),
    state: text({ enum: ['stated', 'open', 'settled'] })
      .notNull()
      .generatedAlwaysAs(
        sql`case when settled_at is not null then 'settled' when checked_at is not null then 'open' else 'stated' end`,
      ),
  },
  (table) => [
    index('withdrawal_statements_open')
      .on(table.statedAt)
      .where(sql`${table.settledAt} is null`),
    index('withdrawal_statements_email').on(table.email),
    index('withdrawal_statements_user').on(table.userId),
  ],
)
