import { sql } from 'drizzle-orm'
import { bigint, boolean, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { realTime } from './instants.ts'

/** Accounts of the people who run the shop in the office. They are separate from customers' accounts. */
export const staff = pgTable(
  'staff',
  {
    id: uuid().primaryKey().defaultRandom(),
    email: text().notNull(),
    name: text().notNull(),
    role: text({ enum: ['owner', 'editor', 'support', 'bookkeeper'] }).notNull(),
    /** Keys such as J and K work without Ctrl. */
    singleKeys: boolean('single_keys').notNull().default(true),
    createdAt: realTime('created_at').notNull(),
    lastSeenAt: realTime('last_seen_at'),
    /** Kept, because the activity log names them. */
    removedAt: realTime('removed_at'),
  },
  (table) => [
    uniqueIndex('staff_email')
      .on(sql`lower(${table.email})`)
      .where(sql`${table.removedAt} is null`),
  ],
)

const staffId = () =>
  uuid('staff_id')
    .notNull()
    .references(() => staff.id, { onDelete: 'cascade' })

export const staffPasskeys = pgTable(
  'staff_passkeys',
  {
    id: uuid().primaryKey().defaultRandom(),
    staffId: staffId(),
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
  (table) => [index('staff_passkeys_staff').on(table.staffId)],
)

export const staffRecoveryCodes = pgTable(
  'staff_recovery_codes',
  {
    id: uuid().primaryKey().defaultRandom(),
    staffId: staffId(),
    codeHash: text('code_hash').notNull(),
    usedAt: realTime('used_at'),
  },
  (table) => [uniqueIndex('staff_recovery_codes_code').on(table.staffId, table.codeHash)],
)

export const staffSessions = pgTable(
  'staff_sessions',
  {
    id: uuid().primaryKey().defaultRandom(),
    staffId: staffId(),
    /** SHA-256 of the cookie's token. */
    tokenHash: text('token_hash').notNull().unique(),
    createdAt: realTime('created_at').notNull(),
    /** Twelve hours later, fixed. */
    endsAt: realTime('ends_at').notNull(),
    /** When a passkey was last used in it; null after a recovery code. */
    confirmedAt: realTime('confirmed_at'),
    endedAt: realTime('ended_at'),
  },
  (table) => [index('staff_sessions_staff').on(table.staffId), index('staff_sessions_ends').on(table.endsAt)],
)

export const staffInvitations = pgTable(
  'staff_invitations',
  {
    id: uuid().primaryKey().defaultRandom(),
    email: text().notNull(),
    role: text({ enum: ['owner', 'editor', 'support', 'bookkeeper'] }).notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    invitedBy: text('invited_by').notNull(),
    /** Only a browser on the server's machine may accept it: the demo prints its link. */
    thisMachineOnly: boolean('this_machine_only').notNull().default(false),
    createdAt: realTime('created_at').notNull(),
    expiresAt: realTime('expires_at').notNull(),
    usedAt: realTime('used_at'),
    withdrawnAt: realTime('withdrawn_at'),
  },
  (table) => [index('staff_invitations_expires').on(table.expiresAt)],
)

/** Challenges of WebAuthn that were not answered yet. Each can be answered once. */
export const staffChallenges = pgTable(
  'staff_challenges',
  {
    id: uuid().primaryKey().defaultRandom(),
    challenge: text().notNull(),
    purpose: text({ enum: ['sign-in', 'confirm', 'add', 'accept'] }).notNull(),
    /** The account or the invitation that it is for; null to sign in. */
    subjectId: uuid('subject_id'),
    expiresAt: realTime('expires_at').notNull(),
  },
  (table) => [index('staff_challenges_expires').on(table.expiresAt)],
)

/** Saved views of the office's lists: the filters, columns and order from a list's address. */
export const staffViews = pgTable(
  'staff_views',
  {
    id: uuid().primaryKey().defaultRandom(),
    staffId: staffId(),
    list: text().notNull(),
    name: text().notNull(),
    search: jsonb().$type<Readonly<Record<string, string>>>().notNull(),
    createdAt: realTime('created_at').notNull(),
  },
  (table) => [index('staff_views_staff').on(table.staffId, table.list)],
)
