import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'

export const nationalities = pgTable('nationalities', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  title: text().notNull().unique(),
})

export const people = pgTable(
  'people',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** Full name in lower case: the same name imported twice is one person. */
    nameKey: text('name_key').notNull().unique(),
    /** The path of their page; null until `server/features/people` sets it, and never changed afterwards. */
    slug: text().unique(),
    /** Two sentences by the owner. */
    about: text(),
    /** Set in the office: null follows the folder, and an empty text says nothing. */
    aboutByOffice: text('about_by_office'),
    nationalityId: integer('nationality_id').references(() => nationalities.id),
  },
  (table) => [index('people_nationality').on(table.nationalityId)],
)
