import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import { mediaFolder } from '#server/integrations/media/open-media.ts'
import { testDatabase } from '#tests/support/database.ts'
import { mp3, OwnersFolder } from '../fixtures/owners-folder.ts'
import { importTitles } from '../run.ts'
import type { RowReport } from './entry.ts'
import { type CatalogueResult, importCatalogue } from './run.ts'
import type { OfAll } from './words.ts'

const NOW = new Date('2026-03-02T08:00:00Z')
const ISBN = '9780306406157'

let database: OpenDatabase
let owner: OwnersFolder

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(() => {
  owner = new OwnersFolder()
})
afterEach(async () => {
  owner.remove()
  await database.db.execute(sql`
    truncate books, people, publishers, languages, tags, locations, styles, categories, picture_steps cascade`)
})
afterAll(() => database.close())

interface Ran extends CatalogueResult {
  readonly reports: readonly RowReport[]
  readonly notes: readonly string[]
  /** `line outcome kind` of each row. */
  readonly short: readonly string[]
}

async function run(
  content: string | Buffer,
  { name = 'list.csv', dryRun = false, ...ofAll }: { name?: string; dryRun?: boolean } & OfAll = {},
): Promise<Ran> {
  owner.put(name, content)
  const reports: RowReport[] = []
  const notes: string[] = []
  const result = await importCatalogue(
    {
      db: database.db,
      now: () => NOW,
      dryRun,
      ...ofAll,
      onRow: (report) => void reports.push(report),
      onFile: (note) => notes.push(note),
    },
    join(owner.path, name),
  )
  const short = reports.map(({ line, outcome, reason }) =>
    [line, outcome, reason?.kind].filter((part) => part !== undefined).join(' '),
  )
  return { ...result, reports, notes, short }
}

const rows = async (query: string) => (await database.db.execute(sql.raw(query))).rows
const books = () =>
  rows(`select format, slug, title, isbn, price_minor, published, length_minutes, pages,
    to_char(first_published, 'YYYY-MM-DD') as first_published from books order by id`)

/** Every row that a second run could touch, with its row version. */
const everything = async () =>
  Promise.all(
    ['books', 'book_people', 'people', 'tags', 'book_tags', 'picture_steps'].map((table) =>
      rows(`select t.*, t.xmin::text as version from ${table} t order by t::text`),
    ),
  )

const TRAPS = `title,author,isbn,price,format,narrators,published
Peat,Niall Garvey,978-0-306-40615-7,12.00,audiobook,Edda Marlow,yes
Peat again,Niall Garvey,0306406152,12.00,audiobook,Edda Marlow,yes
Marram,Edda Marlow,9.78E+12,12.00,audiobook,,yes
Wrack,Edda Marlow,9780306406158,9.50,audiobook,,yes
Shingle,Edda Marlow,080442957X,9.50,e-book,,no
Tern,Edda Marlow,,,e-book,,
,Edda Marlow,,5.00,e-book,,
Tern,Edda Marlow,,5.00,e-book,,
Too,many,,5.00,e-book,,yes,"cells, for the header"
Dear,Edda Marlow,,five,e-book,,
`

describe('a catalogue in CSV', () => {
  test('trap 34: each row has a result and a reason, and a bad row does not stop the others', async () => {
    const { short, rows: count, broken } = await run(TRAPS)
    expect(short).toEqual([
      '2 created',
      '3 refused duplicate',
      '4 refused ISBN that a spreadsheet cut off',
      '5 refused ISBN with a wrong check digit',
      '6 created',
      '7 created',
      '8 refused no title',
      '9 refused duplicate',
      '10 refused cells that do not fit the header',
      '11 refused not a price',
    ])
    expect([count, broken]).toEqual([10, undefined])
    const shared = { pages: null, length_minutes: null, first_published: null }
    expect(await books()).toEqual([
      {
        ...shared,
        format: 'audio_book',
        slug: 'peat',
        title: 'Peat',
        isbn: ISBN,
        price_minor: 1200,
        published: true,
      },
      {
        ...shared,
        format: 'e_book',
        slug: 'shingle',
        title: 'Shingle',
        isbn: '9780804429573',
        price_minor: 950,
        published: false,
      },
      {
        ...shared,
        format: 'e_book',
        slug: 'tern',
        title: 'Tern',
        isbn: null,
        price_minor: 0,
        published: false,
      },
    ])
  })

  test('trap 34: a second run changes nothing, and a changed row changes only its own book', async () => {
    await run(TRAPS)
    const before = await everything()
    const again = await run(TRAPS)
    expect(again.reports.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'refused')).toEqual([
      'same',
      'same',
      'same',
    ])
    expect(await everything()).toEqual(before)

    const { short } = await run(TRAPS.replace('Tern,Edda Marlow,,,', 'Tern,Edda Marlow,,4.20,'))
    expect(short.filter((line) => !line.includes('refused'))).toEqual(['2 same', '6 same', '7 changed'])
    expect(await rows(`select price_minor, published from books where slug = 'tern'`)).toEqual([
      { price_minor: 420, published: true },
    ])
  })

  test('trap 34: a dry run writes nothing and reports the same as a real run', async () => {
    const dry = await run(TRAPS, { dryRun: true })
    expect((await everything()).flat()).toEqual([])
    const real = await run(TRAPS)
    expect(dry.reports).toEqual(real.reports)
  })

  test('trap 34: accepts a byte order mark, semicolons, tabs and the encodings of spreadsheets', async () => {
    const text = 'Title;Author;Price;Format\nLa forêt d’été;Chloé Brontë;12,50;e-book\n'
    const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
    const files: Record<string, Buffer> = {
      'bom.csv': Buffer.from(`\ufeff${text}`),
      'wide.csv': wide,
      'wide-be.csv': Buffer.from(wide).swap16(),
      'tabs.csv': Buffer.from(text.replaceAll(';', '\t')),
      'told.csv': Buffer.from(`sep=;\r\n${text}`),
      'packed.csv.gz': gzipSync(text),
    }
    for (const [index, [name, content]] of Object.entries(files).entries()) {
      const { short, reports } = await run(content, { name })
      expect(short, name).toEqual([`${name === 'told.csv' ? 3 : 2} ${index === 0 ? 'created' : 'same'}`])
      expect(
        reports[0]!.notes.map(({ kind }) => kind),
        name,
      ).toEqual(['nothing to deliver'])
    }
    const western = Buffer.from(text.replace('’', '\u0092'), 'latin1')
    const { reports } = await run(western, { name: 'western.csv' })
    expect(reports).toMatchObject([
      { outcome: 'same', notes: [{ kind: 'not UTF-8' }, { kind: 'nothing to deliver' }] },
    ])
    expect(await books()).toMatchObject([
      { title: 'La forêt d’été', slug: 'la-foret-dete', price_minor: 1250 },
    ])
  })

  test('reads lengths, dates and column names of other catalogues, and notes what it guessed', async () => {
    const { reports, notes } = await run(
      `Book Title,Subtitle,Duration,Publication date,Format,Price,Shelf mark
A,One,1:30:20,2021-03-01,audiobook,1.00,x
B,,5 h 20 m,01/03/2021,audiobook,£2.00,x
C,,90,44256,audiobook,3,x
D,,,31/02/2021,audiobook,4,x
`,
    )
    expect(notes).toEqual(['Unknown columns, not imported: Shelf mark.'])
    expect(reports.map(({ notes: [note], reason }) => note?.kind ?? reason?.kind)).toEqual([
      'nothing to deliver',
      'date read as day/month',
      'date that a spreadsheet turned into a number',
      'not a date',
    ])
    expect(await books()).toMatchObject([
      { title: 'A: One', length_minutes: 90, first_published: '2021-03-01', price_minor: 100 },
      { title: 'B', length_minutes: 320, first_published: '2021-03-01', price_minor: 200 },
      { title: 'C', length_minutes: 90, first_published: '2021-03-01', price_minor: 300 },
    ])
  })

  test('different works with the same title get different slugs and keep them', async () => {
    const list = `gutenberg_id,title,author
10,Poems,"Keats, John, 1795-1821"
11,Poems,"Clare, John, 1793-1864"
12,Poems,"Clare, John, 1793-1864"
13,Поэма,"Gogol, Nikolai"
`
    const { reports } = await run(list)
    expect(reports.map(({ slug }) => slug)).toEqual(['poems', 'poems-clare', 'poems-clare-2', 'gutenberg-13'])
    const [header, ...works] = list.trimEnd().split('\n')
    const again = await run([header, ...works.toReversed()].join('\n'))
    expect(again.reports.map(({ slug, outcome }) => `${slug} ${outcome}`)).toEqual([
      'gutenberg-13 same',
      'poems-clare-2 same',
      'poems-clare same',
      'poems same',
    ])
  })

  test('links the two formats of a title', async () => {
    await run('librivox_id,title,author_first,author_last\n1,Peat,Niall,Garvey\n')
    await run('gutenberg_id,title,author\n1,Peat,"Garvey, Niall"\n2,Peat,"Other, Any"\n')
    expect(
      await rows(`select b.source_id, o.source_id as other from books b left join books o on o.id = b.counterpart_id
        order by b.source_id`),
    ).toEqual([
      { source_id: 'gutenberg:1', other: 'librivox:1' },
      { source_id: 'gutenberg:2', other: null },
      { source_id: 'librivox:1', other: 'gutenberg:1' },
    ])
  })

  test('does not change a title that came from a folder of its own', async () => {
    owner.put('peat/1.mp3', mp3({ album: 'Peat', artist: 'Niall Garvey' }))
    const importing = { db: database.db, media: mediaFolder(owner.path), now: () => NOW }
    await importTitles(importing, [join(owner.path, 'peat')])
    const before = await rows(`select *, xmin::text as version from books`)
    const { short } = await run('title,author,price,format\nPeat,Niall Garvey,1.00,audiobook\n')
    expect(short).toEqual(['2 refused duplicate of a title from a folder'])
    expect(await rows(`select *, xmin::text as version from books`)).toEqual(before)
  })

  test('a name with reversing characters is refused with its row', async () => {
    const evil = 'The \u202elive'
    const ran = await run(
      [
        'format,title,authors,narrators,translator,publisher,series',
        `audiobook,A,${evil},,,,`,
        `audiobook,B,Ida Frost,${evil},,,`,
        `audiobook,C,Ida Frost,,${evil},,`,
        `audiobook,D,Ida Frost,,,${evil},`,
        `audiobook,E,Ida Frost,,,,${evil}`,
        'audiobook,F,علی\u200cرضا,,,,',
      ].join('\n'),
    )
    expect(ran.short).toEqual([
      ...[2, 3, 4, 5, 6].map((line) => `${line} refused a name with hidden characters`),
      '7 created',
    ])
  })

  test('the search finds imported titles, and every instance is notified', async () => {
    let heard = 0
    const stop = await database.listen('catalogue_changed', () => void heard++)
    await run('title,author,price,format\nMarram,Edda Marlow,1.00,audiobook\n')
    expect(await rows(`select slug from books where search_text @@ 'marram'::tsquery`)).toEqual([
      { slug: 'marram' },
    ])
    await expect.poll(() => heard).toBeGreaterThan(0)
    await stop()
  })

  test('a row that the database refuses does not take the rest of its batch with it', async () => {
    await database.db.execute(sql`alter table books add constraint no_wrack check (title <> 'Wrack')`)
    try {
      const { short } = await run('title,price,format\nPeat,1,e-book\nWrack,1,e-book\nTern,1,e-book\n')
      expect(short).toEqual(['2 created', '3 refused refused by the database', '4 created'])
      expect(await books()).toMatchObject([{ slug: 'peat' }, { slug: 'tern' }])
    } finally {
      await database.db.execute(sql`alter table books drop constraint no_wrack`)
    }
  })
})

describe('a broken file', () => {
  test('is reported in one sentence, and the rows before the fault stay', async () => {
    const many = `title,price,format\n${Array.from({ length: 1_500 }, (_, n) => `Title ${n} ${(n * 7919) % 104729},1.00,e-book`).join('\n')}\n`
    const packed = gzipSync(many)
    const cut = await run(packed.subarray(0, packed.length - 2_000), { name: 'cut.csv.gz' })
    expect(cut.broken).toMatch(/ends in the middle of what gzip packed/)
    expect(cut.rows).toBeGreaterThan(500)
    expect(cut.rows).toBeLessThan(1_500)
    expect(await rows('select count(*)::int as count from books')).toEqual([
      { count: cut.reports.filter(({ outcome }) => outcome === 'created').length },
    ])
  })

  test('keeps the rows before a quote that is never closed, in a small file too', async () => {
    const { broken, reports } = await run(
      'title,price,format\nPeat,1.00,e-book\nTern,"2.00,e-book\nBees,3.00,e-book\n',
    )
    expect(reports.map(({ name, outcome }) => [name, outcome])).toEqual([['Peat', 'created']])
    expect(broken).toMatch('The row on line 3 opens a quote that is never closed')
  })

  test('is distinguished from a catalogue', async () => {
    const said = async (content: string | Buffer, name: string) => (await run(content, { name })).broken
    expect(await said('', 'a.csv')).toBe('The file is empty.')
    expect(await said(Buffer.from('PK\u0003\u0004rest'), 'b.csv')).toMatch('save it as “CSV UTF-8”')
    expect(await said(Buffer.from([1, 2, 3, 0, 0, 0, 9, 9, 200, 1, 1, 1]), 'c.csv')).toMatch('not text')
    expect(await said('<html><body>\n</body></html>', 'd.csv')).toMatch('no “title” column')
    expect(await said('title,price\nPeat,"1.00\nTern,2.00\n', 'e.csv')).toMatch(
      'line 2 opens a quote that is never closed',
    )
    expect(await said(Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), 'f.csv')).toMatch(/gzip|cannot be read/)
  })
})

test('a title without sound or text is not on sale unless its row says so; state, release date and origin are stored', async () => {
  const sold = async () =>
    Object.fromEntries(
      (
        await database.db.execute<{ slug: string; sellable: boolean | null }>(
          sql`select slug, sellable from books`,
        )
      ).rows.map(({ slug, sellable }) => [slug, sellable]),
    )
  const list = `title,format,price,state,without_file,preorder
Bare,e-book,1.00,,,
Sold,e-book,1.00,,yes,
Hidden,e-book,1.00,draft,yes,
Over,e-book,1.00,retired,yes,
Coming,e-book,1.00,,,2027-03-01
Odd,e-book,1.00,sold,,
`
  const { short, reports } = await run(list)
  expect(short.at(-1)).toBe('7 refused not a state')
  expect(reports.map(({ notes }) => notes.map(({ kind }) => kind).join())).toEqual([
    'nothing to deliver',
    '',
    '',
    '',
    '',
    '',
  ])
  expect(await sold()).toEqual({ bare: false, sold: true, hidden: null, over: null, coming: false })
  expect((await run(list)).short.slice(0, 5).every((line) => line.endsWith('same'))).toBe(true)
  await run(list.replace('Bare,e-book,1.00,,,', 'Bare,e-book,1.00,,yes,'))
  expect(await sold()).toMatchObject({ bare: true })
  expect(await rows(`select imported_from from books where slug = 'bare'`)).toEqual([
    { imported_from: 'list.csv#e_book/bare/' },
  ])
})

test('--price sets the price of rows without one and leaves the others; without --price a note reports both', async () => {
  const list = 'title,format,price,without_file\nNamed,e-book,4.50,yes\nUnnamed,e-book,,yes\n'
  const sold = async () => {
    const { rows } = await database.db.execute<{ title: string; price: number; published: boolean }>(
      sql`select title, price_minor as price, published from books order by title`,
    )
    return rows.map(({ title, price, published }) => [title, price, published])
  }
  const silent = await run(list)
  expect(silent.reports[1]!.notes.map(({ text }) => text).join()).toMatch(
    /listed last.*neither sold nor found by search/,
  )
  expect(await sold()).toEqual([
    ['Named', 450, true],
    ['Unnamed', 0, false],
  ])
  const priced = await run(list, { priceMinor: 999 })
  expect(priced.short).toEqual(['2 same', '3 changed'])
  expect(priced.reports[1]!.notes).toEqual([])
  expect(await sold()).toEqual([
    ['Named', 450, true],
    ['Unnamed', 999, true],
  ])
  // The title now has a price set by the owner.
  await run(list, { priceMinor: 0 })
  await run(list)
  expect(await sold()).toEqual([
    ['Named', 450, true],
    ['Unnamed', 999, true],
  ])
})
