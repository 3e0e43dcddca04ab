import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'

export const nationalities = pgTable('nationalities', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  title: text().notNull().unique(),
})

/** Authors, narrators, translators: one row a person, named in `book_people` by what they did. */
export const people = pgTable(
  'people',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** Lower-case full name: the same name imported twice is one person. */
    nameKey: text('name_key').notNull().unique(),
    /** Their address; null until `server/features/people` has given them one, and never changed after. */
    slug: text().unique(),
    nationalityId: integer('nationality_id').references(() => nationalities.id),
  },
  (table) => [index('people_nationality').on(table.nationalityId)],
)
