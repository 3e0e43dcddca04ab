import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { realTime } from './instants.ts'

/** Written in the same transaction as the change that it reports, so it exists exactly if the change does. */
export const mails = pgTable(
  'mails',
  {
    /** Also the Message-ID, so that an email sent again after a crash is recognised as a duplicate. */
    id: uuid().primaryKey().defaultRandom(),
    /** What it is about: `order_confirmed:{order}`. The unique key prevents a second email. */
    key: text().notNull().unique(),
    kind: text().notNull(),
    recipient: text().notNull(),
    /** Erased once sent, because it may contain a token that opens an account. */
    data: jsonb().notNull(),
    queuedAt: realTime('queued_at').notNull().defaultNow(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: realTime('next_attempt_at').notNull().defaultNow(),
    sentAt: realTime('sent_at'),
    failedAt: realTime('failed_at'),
    /** Why it was given up: the mail server's code, or `unreachable`, also while it waits. Null for a cancelled one. */
    problem: text(),
  },
  (table) => [
    index('mails_due')
      .on(table.nextAttemptAt)
      .where(sql`${table.sentAt} is null and ${table.failedAt} is null`),
    index('mails_queued').on(table.queuedAt),
  ],
)

/** What a customer read, without links and codes that open something. Deleted after 90 days and with the account. */
export const sentMails = pgTable(
  'sent_mails',
  {
    mailId: uuid('mail_id')
      .primaryKey()
      .references(() => mails.id, { onDelete: 'cascade' }),
    recipient: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    sentAt: realTime('sent_at').notNull().defaultNow(),
  },
  (table) => [index('sent_mails_recipient').on(table.recipient), index('sent_mails_sent').on(table.sentAt)],
)
