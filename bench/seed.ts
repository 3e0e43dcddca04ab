import { sql } from 'drizzle-orm'
import type { Database } from '../server/db/open.ts'
import { refreshSearch } from '../server/features/search/refresh.ts'
import { readRecords, type Records } from './records.ts'

const STYLES = 6
const CATEGORIES = 6
const LOCATIONS = 5
const NATIONALITIES = 8
const TAGS = 400
const PUBLISHERS = 200
/** Hashes of non-existent files, which make every title deliverable. */
const [SOUND, TEXT] = ['a', 'b'].map((letter) => letter.repeat(64))
/** Rows per statement; short enough that other queries are not delayed. */
const BATCH = 10_000

/**
 * Fills an empty catalogue with `count` titles, the same ones every time. Two thirds are audiobooks. Each has people,
 * locations, tags, and one short chapter or an e-book without a file. Names come from the real catalogues if available
 * (variants of them beyond their number), otherwise they are made of syllables. The distribution is that of a shop: few
 * new titles, some styles with many titles, every fifteenth title unpublished.
 */
export async function seedCatalogue(db: Database, count: number): Promise<void> {
  await seedLookups(db)
  await db.execute(sql`insert into media_files (sha256, extension, bytes, duration_ms)
    values (${SOUND}, 'mp3', 480000, 60000), (${TEXT}, 'epub', 200000, null)`)
  await seedNames(db, count)
  for (let from = 1; from <= count; from += BATCH)
    await seedBooks(db, from, Math.min(count, from + BATCH - 1))
  // The seed sets ids explicitly, so advance the sequence past them.
  await db.execute(sql`select setval(pg_get_serial_sequence('books', 'id'), (select max(id) from books))`)
  await db.execute(sql`drop table names`)
  await refreshSearch(db)
  // For the planner's statistics, and for the visibility map that index-only scans need.
  await db.execute(sql`vacuum analyze`)
}

async function seedLookups(db: Database): Promise<void> {
  await db.execute(
    sql`insert into styles (title) select 'Style ' || n from generate_series(1, ${STYLES}::int) n`,
  )
  await db.execute(
    sql`insert into categories (name, weight) select 'Category ' || n, n from generate_series(1, ${CATEGORIES}::int) n`,
  )
  await db.execute(
    sql`insert into locations (title) select 'Location ' || n from generate_series(1, ${LOCATIONS}::int) n`,
  )
  await db.execute(
    sql`insert into nationalities (title) select 'Nationality ' || n from generate_series(1, ${NATIONALITIES}::int) n`,
  )
  await db.execute(sql`insert into tags (title) select 'tag ' || n from generate_series(1, ${TAGS}::int) n`)
  await db.execute(sql`
    insert into publishers (slug, name) select 'publisher-' || n, 'Publisher ' || n
    from generate_series(1, ${PUBLISHERS}::int) n`)
}

async function seedNames(db: Database, count: number): Promise<void> {
  await db.execute(sql`create table names (n int primary key, title text not null, person_id int not null)`)
  const records = readRecords()
  if (records) return keepRecords(db, records, count)

  const people = Math.ceil(count / 3)
  await db.execute(sql`
    insert into people (first_name, last_name, name_key, nationality_id)
    select ${spoken(2, 11)}, ${spoken(3, 12)}, 'person ' || n, ${within(NATIONALITIES, 1)}
    from generate_series(1, ${people}::int) n`)
  await db.execute(sql`
    insert into names select n, 'The ' || ${spoken(2, 13)} || ' ' || ${spoken(2, 14)} || ' of ' || ${spoken(3, 15)},
      1 + (n * 7) % ${people}::int
    from generate_series(1, ${count}::int) n`)
}

async function keepRecords(db: Database, { titles, authors }: Records, count: number): Promise<void> {
  for (let from = 0; from < authors.length; from += BATCH) {
    const some = JSON.stringify(authors.slice(from, from + BATCH))
    await db.execute(sql`
      insert into people (first_name, last_name, name_key, nationality_id)
      select each ->> 'first', each ->> 'last', 'person ' || n, ${within(NATIONALITIES, 1)}
      from (select value as each, ${from}::int + ordinality::int as n
        from jsonb_array_elements(${some}::jsonb) with ordinality) named order by n`)
  }
  for (let from = 0; from < Math.min(count, titles.length); from += BATCH) {
    const some = JSON.stringify(titles.slice(from, Math.min(count, from + BATCH)))
    await db.execute(sql`
      insert into names select ${from}::int + ordinality::int, value ->> 'title', 1 + (value ->> 'author')::int
      from jsonb_array_elements(${some}::jsonb) with ordinality`)
  }
  await db.execute(sql`
    insert into names select n, title || ' and the ' || ${spoken(3, 15)}, person_id
    from (select n + ${titles.length}::int as n, title, person_id from names) again
    where n between ${titles.length + 1}::int and ${count}::int`)
}

async function seedBooks(db: Database, from: number, to: number): Promise<void> {
  const numbers = sql`generate_series(${from}::int, ${to}::int) generated (n)`
  await db.execute(sql`
    insert into covers (id, placeholder, width, height)
    select md5(n::text), repeat('3b2a1c', 16), 900, 900 from ${numbers}`)
  await db.execute(sql`
    insert into books (id, format, slug, title, price_minor, published, edition, second_edition,
      available_as_card, summary, cover_id, cover_alt, first_published, length_minutes, pages, publisher_id,
      category_id, style_id, file_id, listed_at)
    select n, case when n % 3 = 0 then 'e_book' else 'audio_book' end, 'title-number-' || n,
      (select title from names where names.n = generated.n), 499 + (n * 37) % 1500, n % 15 <> 0, n % 97 = 0, n % 101 = 0, n % 89 = 0,
      repeat('A sentence of the summary. ', 20), md5(n::text), 'Cover of number ' || n,
      date '1990-01-01' + (n * 13) % 12000, case when n % 3 <> 0 then 40 + (n * 31) % 700 end,
      case when n % 3 = 0 then 60 + (n * 29) % 1100 end, ${within(PUBLISHERS, 2)}, ${within(CATEGORIES, 3)},
      ${within(STYLES, 4)}, case when n % 3 = 0 then ${TEXT} end, timestamptz '2010-01-01' + n * interval '1 hour'
    from ${numbers}`)
  await db.execute(sql`
    insert into chapters (book_id, number, title, duration_ms, sound_id)
    select n, 1, 'Chapter 1', 60000, ${SOUND} from ${numbers} where n % 3 <> 0`)
  const person = sql`(select max(id) from people)`
  await db.execute(sql`
    insert into book_people (book_id, role, position, person_id)
    select n, 'author', 0, person_id from names where n between ${from}::int and ${to}::int
    union all select n, 'author', 1, 1 + (n * 11) % ${person} from ${numbers} where n % 5 = 0
    union all select n, 'narrator', 0, 1 + (n * 13) % ${person} from ${numbers} where n % 3 <> 0`)
  await db.execute(
    sql`insert into book_locations select n, ${within(LOCATIONS, 5)} from ${numbers} where n % 2 = 0`,
  )
  await db.execute(sql`
    insert into book_tags select distinct n, ${within(TAGS, 6)} from ${numbers}
    union select n, ${within(TAGS, 7)} from ${numbers}`)
}

const SYLLABLES =
  'ba bel cor dan el fen gar hol in jor kes lan mar nor ol pen ques ren sal tor un vel wes yar zen thi mo ste ril cha do win'

/** SQL for a word with this number of syllables, by `n`. The words can be pronounced, searched and misspelt. */
function spoken(syllables: number, salt: number) {
  const each = Array.from(
    { length: syllables },
    (_, place) => sql`(string_to_array(${SYLLABLES}, ' '))[${within(32, salt * 10 + place)}]`,
  )
  return sql`initcap(${sql.join(each, sql` || `)})`
}

/** SQL for a number from 1 to `size`, by `n`: evenly distributed, different for each `salt`, the same in every run. */
const within = (size: number, salt: number) =>
  sql`(1 + abs(hashint4(n # ${salt}::int)::bigint) % ${size}::int)::int`
