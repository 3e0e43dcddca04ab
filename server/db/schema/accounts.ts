import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

/** Bookshops, and the terms on which each sells cards now; what was sold keeps the terms of its day. */
export const outlets = pgTable('outlets', {
  id: uuid().primaryKey().defaultRandom(),
  /** For the owner's commands. */
  slug: text().unique(),
  name: text().notNull(),
  /** Off a card's price. */
  discountPercent: integer('discount_percent').notNull().default(60),
  /** Of what its readers pay for titles later, without VAT. */
  commissionPercent: integer('commission_percent').notNull().default(10),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  closedAt: timestamp('closed_at', { withTimezone: true }),
})

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** As typed; compared by its lower-case form. */
    email: text().notNull(),
    passwordHash: text('password_hash').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    address1: text(),
    address2: text(),
    city: text(),
    county: text(),
    countryCode: text('country_code'),
    postCode: text('post_code'),
    newsletter: boolean().notNull().default(false),
    promotions: boolean().notNull().default(false),
    confirmedAt: timestamp('confirmed_at', { withTimezone: true }),
    outletId: uuid('outlet_id').references(() => outlets.id),
    /** The owner blocked the account: nobody can log in. */
    blockedAt: timestamp('blocked_at', { withTimezone: true }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('users_email').on(sql`lower(${table.email})`),
    index('users_outlet')
      .on(table.outletId)
      .where(sql`${table.outletId} is not null`),
  ],
)

/**
 * The browsers an account has been used in. Each makes itself an id once; two accounts that share a browser have a row
 * each. A name survives logging out, because the history of places mentions it.
 */
export const devices = pgTable(
  'devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid().notNull(),
    /** What it says it is: `Chrome on Android`. */
    browser: text().notNull(),
    /** What its listener calls it; null until they do. */
    name: text(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** At its last log-in or refresh. */
    seenAt: timestamp('seen_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] }), index('devices_seen').on(table.seenAt)],
)

/**
 * One log-in on one device, and the family of refresh tokens that came from it. Only the newest token works. For a few
 * seconds the one before it still returns the same successor (two tabs, a lost answer); using any older one ends the
 * family.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Null once the account is deleted: the session stays until `endsAt`, so that its device learns to remove the data. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Null for a session from before devices were known, until its next refresh. */
    deviceId: uuid('device_id'),
    /** SHA-256 of the token that opens the session now, and of the one it replaced. */
    tokenHash: text('token_hash').notNull(),
    previousHash: text('previous_hash'),
    rotatedAt: timestamp('rotated_at', { withTimezone: true }).notNull().defaultNow(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** Slides with use; `endsAt` does not. */
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    endsAt: timestamp('ends_at', { withTimezone: true }).notNull(),
    revokedAt: timestamp('revoked_at', { withTimezone: true }),
    /** True if another device ended the session: its own device must remove the account’s data. */
    removesData: boolean('removes_data').notNull().default(false),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_ends').on(table.endsAt)],
)

/**
 * An e-mail carries this to prove that its reader owns the address: a token in a link, and a code to type where the
 * link would open in a different browser from the one that is waiting (an installed app). Using either uses up both.
 */
export const accountTokens = pgTable(
  'account_tokens',
  {
    /** For a new password this is also the request's id, which the browser that asked is told. */
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text({ enum: ['confirm', 'reset', 'change', 'undo'] }).notNull(),
    /** For a change, the new address; for undoing one, the address it had before. */
    email: text(),
    /** SHA-256 of the token. The code is short, so it is hashed with a key of the application. */
    tokenHash: text('token_hash').notNull().unique(),
    codeHash: text('code_hash').notNull(),
    wrongCodes: integer('wrong_codes').notNull().default(0),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    usedAt: timestamp('used_at', { withTimezone: true }),
  },
  (table) => [
    index('account_tokens_user').on(table.userId, table.purpose),
    index('account_tokens_email')
      .on(sql`lower(${table.email})`)
      .where(sql`${table.email} is not null`),
  ],
)

/** Confirmed addresses that an account used to have. Gifts sent to them are still its own. */
export const formerAddresses = pgTable(
  'former_addresses',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** In lower case. */
    email: text().notNull(),
    givenUpAt: timestamp('given_up_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.email] })],
)

/** Attempts within a window, by what is limited and by whom; survives a restart. */
export const rateLimits = pgTable('rate_limits', {
  key: text().primaryKey(),
  hits: integer().notNull(),
  windowEndsAt: timestamp('window_ends_at', { withTimezone: true }).notNull(),
})
