import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { businessTime, realTime } from './instants.ts'

/** Bookshops, and their current terms for selling cards. Earlier sales keep the terms of their day. */
export const outlets = pgTable('outlets', {
  id: uuid().primaryKey().defaultRandom(),
  slug: text().unique(),
  name: text().notNull(),
  discountPercent: integer('discount_percent').notNull().default(60),
  /** Per cent of its readers' later purchases, without VAT. */
  commissionPercent: integer('commission_percent').notNull().default(10),
  createdAt: realTime('created_at').notNull().defaultNow(),
  closedAt: businessTime('closed_at'),
})

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey().defaultRandom(),
    email: text().notNull(),
    /** Null until the password of an account that a wallet made is chosen. */
    passwordHash: text('password_hash'),
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
    /** Covers to choose from in the month’s email, and the reminder before a free audiobook expires. */
    choiceEmails: boolean('choice_emails').notNull().default(true),
    confirmedAt: realTime('confirmed_at'),
    outletId: uuid('outlet_id').references(() => outlets.id),
    blockedAt: realTime('blocked_at'),
    /** Until then the office shows what they listened to: their own choice, for a day at a time. */
    listeningShownUntil: realTime('listening_shown_until'),
    createdAt: realTime('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('users_email').on(sql`lower(${table.email})`),
    // The office's list of people, the newest first.
    index('users_created').on(table.createdAt, table.id).concurrently(),
    // The office's lists of people and of members by name.
    index('users_name')
      .on(sql`lower(btrim(${table.firstName} || ' ' || ${table.lastName}))`, table.id)
      .concurrently(),
    // The office's search for members by words.
    index('users_words')
      .using(
        'gin',
        sql`lower(${table.firstName} || ' ' || ${table.lastName} || ' ' || ${table.email}) gin_trgm_ops`,
      )
      .concurrently(),
    index('users_outlet')
      .on(table.outletId)
      .where(sql`${table.outletId} is not null`),
  ],
)

/** What the team wrote about a customer, who gets it with a copy of their data. */
export const customerNotes = pgTable('customer_notes', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  text: text().notNull(),
  writtenBy: text('written_by').notNull(),
  writtenAt: realTime('written_at').notNull(),
})

/** Each browser creates its id once. Names survive logging out, because the listening history shows them. */
export const devices = pgTable(
  'devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid().notNull(),
    browser: text().notNull(),
    name: text(),
    createdAt: realTime('created_at').notNull().defaultNow(),
    seenAt: realTime('seen_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] }), index('devices_seen').on(table.seenAt)],
)

/**
 * Only the newest refresh token works. For a few seconds the previous one returns the same successor (two tabs);
 * any older one ends the session.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Null after the account is deleted: its device must still learn to remove the data. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Null for a session from before devices were recorded, until its next refresh. */
    deviceId: uuid('device_id'),
    /** SHA-256 of the current token, and of the one that it replaced. */
    tokenHash: text('token_hash').notNull(),
    previousHash: text('previous_hash'),
    rotatedAt: realTime('rotated_at').notNull().defaultNow(),
    createdAt: realTime('created_at').notNull().defaultNow(),
    /** Extended with use, up to `endsAt`, which is fixed. */
    expiresAt: realTime('expires_at').notNull(),
    endsAt: realTime('ends_at').notNull(),
    revokedAt: realTime('revoked_at'),
    /** True if another device ended the session: its own device must remove the account’s data. */
    removesData: boolean('removes_data').notNull().default(false),
    /** When the password was last asked for and given again; logging in counts, too (`createdAt`). */
    provedAt: realTime('proved_at'),
    /** A member of staff who sees the shop as this user: read only, half an hour, never refreshed. */
    viewedBy: text('viewed_by'),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_ends').on(table.endsAt)],
)

/** A token for a link and a code to type in another browser (an installed app). Using either uses up both. */
export const accountTokens = pgTable(
  'account_tokens',
  {
    /** For a new password this is also the request's id, which the requesting browser knows. */
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text({ enum: ['confirm', 'reset', 'change', 'undo'] }).notNull(),
    email: text(),
    /** SHA-256 of the token. The code is short, so its hash is keyed with an application key. */
    tokenHash: text('token_hash').notNull().unique(),
    codeHash: text('code_hash').notNull(),
    wrongCodes: integer('wrong_codes').notNull().default(0),
    createdAt: realTime('created_at').notNull().defaultNow(),
    expiresAt: realTime('expires_at').notNull(),
    usedAt: realTime('used_at'),
  },
  (table) => [
    index('account_tokens_user').on(table.userId, table.purpose),
    index('account_tokens_email')
      .on(sql`lower(${table.email})`)
      .where(sql`${table.email} is not null`),
  ],
)

/** Confirmed addresses that an account had before. Gifts sent to them still belong to it. */
export const formerAddresses = pgTable(
  'former_addresses',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    givenUpAt: realTime('given_up_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.email] })],
)

/** Attempts within a window, by limit and by who made them. In the database, so that they survive a restart. */
export const rateLimits = pgTable('rate_limits', {
  key: text().primaryKey(),
  hits: integer().notNull(),
  windowEndsAt: realTime('window_ends_at').notNull(),
})

/** Passkeys with which a customer logs in instead of a password. */
export const userPasskeys = pgTable(
  'user_passkeys',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, as base64url. */
    publicKey: text('public_key').notNull(),
    /** Never goes down; 0 for authenticators without a counter. */
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull(),
    isSynced: boolean('is_synced').notNull(),
    name: text().notNull(),
    createdAt: realTime('created_at').notNull(),
    lastUsedAt: realTime('last_used_at'),
  },
  (table) => [index('user_passkeys_user').on(table.userId)],
)

/** Challenges of WebAuthn that were not answered yet. Each can be answered once. */
export const userChallenges = pgTable(
  'user_challenges',
  {
    id: uuid().primaryKey().defaultRandom(),
    challenge: text().notNull(),
    purpose: text({ enum: ['log-in', 'prove', 'add'] }).notNull(),
    /** Null to log in. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: realTime('expires_at').notNull(),
  },
  (table) => [
    index('user_challenges_expires').on(table.expiresAt),
    index('user_challenges_user').on(table.userId),
  ],
)
