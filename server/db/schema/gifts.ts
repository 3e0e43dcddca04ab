import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import { orderLines } from './orders.ts'
import { businessTime } from './instants.ts'

/** A gift of a title. Its code and its token are stored as hashes. */
export const gifts = pgTable(
  'gifts',
  {
    id: uuid().primaryKey().defaultRandom(),
    orderLineId: uuid('order_line_id')
      .unique()
      .references(() => orderLines.id, { onDelete: 'set null' }),
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id),
    giverId: uuid('giver_id').references(() => users.id, { onDelete: 'set null' }),
    giverName: text('giver_name').notNull(),
    /** The account with this email address can claim it. */
    email: text().notNull(),
    message: text(),
    tokenHash: text('token_hash').notNull().unique(),
    codeHash: text('code_hash').notNull().unique(),
    /** The number of the current link; each new link replaces the previous ones. */
    edition: integer().notNull().default(1),
    /** The time at which the email with this link was queued; null for older gifts. */
    sentAt: businessTime('sent_at'),
    failedAt: businessTime('failed_at'),
    givenAt: businessTime('given_at').notNull().defaultNow(),
    claimedAt: businessTime('claimed_at'),
    claimedBy: uuid('claimed_by').references(() => users.id, { onDelete: 'set null' }),
    entryId: uuid('entry_id'),
    /** The giver took the gift back; `revokedAt` is the time of the refund. */
    takenBackAt: businessTime('taken_back_at'),
    revokedAt: businessTime('revoked_at'),
    /** `features/gifts/title-gift-state.ts` */
    state: text({ enum: ['given', 'claimed', 'taken_back', 'revoked'] })
      .notNull()
      .generatedAlwaysAs(
        sql`case when revoked_at is not null then 'revoked' when taken_back_at is not null then 'taken_back'
          when claimed_at is not null then 'claimed' else 'given' end`,
      ),
  },
  (table) => [
    index('gifts_email').on(sql`lower(${table.email})`),
    index('gifts_giver').on(table.giverId),
    index('gifts_claimer').on(table.claimedBy),
    index('gifts_unclaimed')
      .on(table.givenAt)
      .where(sql`${table.claimedAt} is null and ${table.revokedAt} is null`),
  ],
)
