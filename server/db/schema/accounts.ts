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

export const outlets = pgTable('outlets', {
  id: uuid().primaryKey().defaultRandom(),
  name: text().notNull(),
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
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [uniqueIndex('users_email').on(sql`lower(${table.email})`)],
)

/**
 * The browsers an account was used from. Each makes an id of its own, once; two accounts that share a browser have a
 * row each. A name is kept over log-outs: the history of places speaks of it.
 */
export const devices = pgTable(
  'devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid().notNull(),
    /** What it takes itself for: `Chrome on Android`. */
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
 * One log-in on one device: the family of refresh tokens that descend from it. Only the newest token opens
 * it; the one before answers the same successor for a few seconds (two tabs, a lost answer); any older one
 * ends the family.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
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
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_ends').on(table.endsAt)],
)

/**
 * What a mail carries to prove that its reader owns the address: a link's token, and a code to type where the
 * link would open in another browser than the one that waits (an installed app). Both are used up by one use.
 */
export const accountTokens = pgTable(
  'account_tokens',
  {
    /** For a new password also the address of the request, which the asking browser is told. */
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text({ enum: ['confirm', 'reset', 'change', 'undo'] }).notNull(),
    /** Of a change the address that is to be the account’s, of an undoing the one it had. */
    email: text(),
    /** SHA-256 of the token; the code, which is short, under a key of the application. */
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

/** Addresses that an account had, confirmed, and gave up: gifts to them stay its own. */
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
