import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/**
 * Mail to be sent. A row is written in the same transaction as what it reports, so that it exists exactly if that
 * happened; a sender picks it up from here.
 */
export const mails = pgTable(
  'mails',
  {
    /** Also the Message-ID, so that a mail sent again after a crash is known as the same one. */
    id: uuid().primaryKey().defaultRandom(),
    /** What it is about, `order_confirmed:{order}`: asking for it twice makes one mail. */
    key: text().notNull().unique(),
    kind: text().notNull(),
    recipient: text().notNull(),
    /** What its text needs. Emptied once it was sent: it may hold a token that opens an account. */
    data: jsonb().notNull(),
    queuedAt: timestamp('queued_at', { withTimezone: true }).notNull().defaultNow(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: timestamp('next_attempt_at', { withTimezone: true }).notNull().defaultNow(),
    sentAt: timestamp('sent_at', { withTimezone: true }),
    /** Refused for good: it is not tried again. */
    failedAt: timestamp('failed_at', { withTimezone: true }),
    /** Why it was given up: the mail server's code, or `unreachable`, as while it waits for one that answers. Null for one that nobody wants any more. */
    problem: text(),
  },
  (table) => [
    index('mails_due')
      .on(table.nextAttemptAt)
      .where(sql`${table.sentAt} is null and ${table.failedAt} is null`),
    index('mails_queued').on(table.queuedAt),
  ],
)

/**
 * Emails as they were sent, so that the owner can read what a customer read. Links and codes that open something are
 * hidden. Deleted after 90 days and with the account.
 */
export const sentMails = pgTable(
  'sent_mails',
  {
    mailId: uuid('mail_id')
      .primaryKey()
      .references(() => mails.id, { onDelete: 'cascade' }),
    /** Lower-case address. */
    recipient: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    sentAt: timestamp('sent_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [index('sent_mails_recipient').on(table.recipient), index('sent_mails_sent').on(table.sentAt)],
)
