import { chmodSync, writeFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { titleShop } from '#tests/support/title-shop.ts'
import { epub, mp3, picture } from './fixtures/owners-folder.ts'
import { reportLines } from './run.ts'

const shop = titleShop({ keepsPictures: true })
const cover = picture('#446688')

/** `title | authors | narrators | series number | publisher | year` of every book. */
const shelf = async () => {
  const { rows } = await shop.database.db.execute<{ line: string }>(sql`
    select concat_ws(' | ', b.title,
      (select string_agg(concat_ws(' ', nullif(p.first_name, ''), p.last_name), ', ' order by bp.position)
       from book_people bp join people p on p.id = bp.person_id where bp.book_id = b.id and bp.role = 'author'),
      (select string_agg(concat_ws(' ', nullif(p.first_name, ''), p.last_name), ', ' order by bp.position)
       from book_people bp join people p on p.id = bp.person_id where bp.book_id = b.id and bp.role = 'narrator'),
      (select string_agg(concat_ws(' ', s.title, m.number), ', ' order by m.position)
       from book_series m join series s on s.id = m.series_id where m.book_id = b.id),
      (select name from publishers where id = b.publisher_id), extract(year from b.first_published)) as line
    from books b order by b.slug`)
  return rows.map(({ line }) => line)
}
const guesses = async () =>
  Object.entries(await shop.run()).flatMap(([folder, { warnings }]) =>
    warnings.filter((warning) => warning.startsWith('Guessed')).map((warning) => `${folder}: ${warning}`),
  )

test("listening: folder names in Audiobookshelf's notation supply author, series, number, year and narrator, and the report says that they were guessed", async () => {
  const library = {
    'Ida Frost/The Tides/Vol 1 - Low Water {Wren Castellan}/1.mp3': mp3(),
    'Ida Frost/The Tides/1994 - Book 1.5 - Slack [B000000000]/1.mp3': mp3(),
    'Ida Frost & Niall Garvey/(2001) - Peat/1.mp3': mp3(),
    // Tags take precedence; only the number is missing from them.
    'Frost, Ida/The Tides/2 - x/1.mp3': mp3({ album: 'High Water', own: { SERIES: 'The Tides' } }),
  }
  for (const [path, sound] of Object.entries(library))
    shop.owner.put(path, sound).put(path.replace('1.mp3', 'cover.png'), await cover)
  expect(await guesses()).toEqual([
    'Frost, Ida/The Tides/2 - x: Guessed from the names of the folders: author and number in the series.',
    'Ida Frost/The Tides/1994 - Book 1.5 - Slack [B000000000]: Guessed from the names of the folders: title, author, year, series and number.',
    'Ida Frost/The Tides/Vol 1 - Low Water {Wren Castellan}: Guessed from the names of the folders: title, author, narrator, series and number.',
    'Ida Frost & Niall Garvey/(2001) - Peat: Guessed from the names of the folders: title, author and year.',
  ])
  expect(await shelf()).toEqual([
    'High Water | Ida Frost | The Tides 2',
    'Low Water | Ida Frost | Wren Castellan | The Tides 1',
    'Peat | Ida Frost, Niall Garvey | 2001',
    'Slack | Ida Frost | The Tides 1.5 | 1994',
  ])
  expect(Object.values(await shop.outcomes())).toEqual(['same', 'same', 'same', 'same'])
  const alone = 'Ida Frost/The Tides/Vol 1 - Low Water {Wren Castellan}'
  // Imported alone, as an owner does after adding a file to the title.
  expect(Object.values(await shop.outcomes({ folder: shop.owner.folder(alone) }))).toEqual(['same'])
})

test('ignores files that storage devices and desktops leave in a library, and prints an unusual name on one report line', async () => {
  shop.owner
    .put('Ida Frost/Low\nWater/1.mp3', mp3())
    .put('Ida Frost/Low\nWater/cover.png', await cover)
    .put('Ida Frost/@eaDir/Low Water/cover.jpg/SYNOFILE_THUMB_M.jpg', 'x')
    .put('Ida Frost/Low\nWater/@eaDir/1.mp3/SYNOINDEX.mp3', 'x')
    .put('#recycle/Gone/1.mp3', mp3())
    .put('lost+found/#123.mp3', 'x')
    .put('Ida Frost/Ebb\nTide/1.mp3', Buffer.alloc(0))
  const reports = await shop.run()
  expect(Object.values(reports).flatMap(reportLines)).toEqual([
    expect.stringMatching(/^refused  Ida Frost\/Ebb Tide: 1\.mp3 is empty\.$/),
    expect.stringMatching(/^created  low-water: Low Water/),
    expect.stringContaining('Guessed'),
    expect.stringContaining('No price'),
  ])
})

test('listening: .nfo, desc.txt, reader.txt, .opf and metadata.json each override the ones before, and the tags', async () => {
  const at = 'Wrong Author/Wrong Series/9 - Wrong'
  const title = () => shop.bookOf('ebb')
  shop.owner
    .put(`${at}/1.mp3`, mp3({ album: 'Tagged', artist: 'Tag Artist', composer: 'Tag Reader', year: '1950' }))
    .put(`${at}/cover.png`, await cover)
    .put(
      `${at}/ebb.nfo`,
      '=== AUDIOBOOK ===\nTitle: Ebb\n Author........: Ida Frost\nRead By: Nora Nfo\nSeries Name: The Tides\nPosition in Series: 02\nPublisher: Nfo Press\nCopyright: (c) 1990\n\nBook Description\n================\nOf mud.\n',
    )
  await shop.run()
  expect(await shelf()).toEqual(['Ebb | Ida Frost | Nora Nfo | The Tides 2 | Nfo Press | 1990'])
  expect((await title())!.summary).toBe('<p>Of mud.</p>')

  shop.owner
    .put(`${at}/desc.txt`, 'Of <water>.\n\nAnd mud.')
    .put(`${at}/reader.txt`, Buffer.from('\uFEFFWren Castellan\r\n', 'utf16le'))
  await shop.run()
  expect(await shelf()).toEqual(['Ebb | Ida Frost | Wren Castellan | The Tides 2 | Nfo Press | 1990'])
  expect((await title())!.summary).toBe('<p>Of &lt;water&gt;.</p>\n<p>And mud.</p>')

  shop.owner.put(
    `${at}/metadata.opf`,
    `<?xml version='1.0' encoding='utf-8'?><package xmlns="http://www.idpf.org/2007/opf" version="2.0">
     <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
     <dc:title>Ebb</dc:title><dc:creator opf:role="aut" opf:file-as="Frost, Ida">Ida Frost</dc:creator>
     <dc:creator opf:role="aut">Niall Garvey</dc:creator><dc:contributor opf:role="nrt">Della Voss</dc:contributor>
     <dc:publisher>Slate &amp; Yard</dc:publisher><dc:date>0101-01-01T00:00:00+00:00</dc:date>
     <dc:description>&lt;p&gt;Of &lt;b&gt;salt&lt;/b&gt;.&lt;/p&gt;</dc:description><dc:language>eng</dc:language>
     <meta name="calibre:series" content="Tides"/><meta name="calibre:series_index" content="2.5"/></metadata></package>`,
  )
  await shop.run()
  expect(await shelf()).toEqual([
    'Ebb | Ida Frost, Niall Garvey | Della Voss | Tides 2.5 | Slate & Yard | 1990',
  ])
  expect((await title())!.summary).toBe('<p>Of <b>salt</b>.</p>')

  shop.owner.put(`${at}/metadata.json`, {
    title: 'Ebb',
    subtitle: 'A tale of mud',
    authors: ['Ida Frost'],
    narrators: [],
    series: ['Tides #3', 'Harbours'],
    publishedYear: '1997',
    publisher: null,
    genres: ['Mud'],
    tags: ['Salt'],
    chapters: [],
  })
  await shop.run()
  const last = 'Ebb: A tale of mud | Ida Frost | Della Voss | Tides 3, Harbours | Slate & Yard | 1997'
  expect(await shelf()).toEqual([last])
  expect(await guesses()).toEqual([])
  expect(Object.values(await shop.outcomes())).toEqual(['same'])

  shop.owner.put(`${at}/book.json`, { title: 'Ebb', series: [], publisher: 'Low Tide Press' })
  await shop.run()
  expect(await shelf()).toEqual(['Ebb | Ida Frost | Della Voss | Low Tide Press | 1997'])
})

test('listening: imports a Calibre folder unchanged', async () => {
  const opf = (title: string, more = '') =>
    `<package><metadata><dc:title>${title}</dc:title><dc:creator opf:role="aut">Ida Frost</dc:creator>${more}</metadata></package>`
  shop.owner
    .put('metadata.db', 'not read')
    .put('Ida Frost/Ebb (7)/Ebb - Ida Frost.epub', await epub({ title: 'ebb_final', author: 'nobody' }))
    .put('Ida Frost/Ebb (7)/cover.jpg', await cover)
    .put('Ida Frost/Ebb (7)/metadata.opf', opf('Ebb', '<meta name="calibre:series" content="Tides"/>'))
    .put('Ida Frost/Flow (8)/Flow.mobi', 'not read')
    .put('Ida Frost/Flow (8)/metadata.opf', opf('Flow'))
  expect(await shop.outcomes()).toEqual({ 'Ida Frost/Ebb (7)': 'created', 'Ida Frost/Flow (8)': 'refused' })
  expect(await shelf()).toEqual(['Ebb | Ida Frost | Tides | Slate & Yard | 2019'])
})

test('listening: takes the ISBN from metadata.json, Calibre and the EPUB; an ISBN belongs to one book of the shop', async () => {
  const numbers = async () => {
    const { rows } = await shop.database.db.execute<{ line: string }>(
      sql`select concat_ws(' ', slug, format, isbn) as line from books order by slug, format`,
    )
    return rows.map(({ line }) => line)
  }
  const opf = `<package><metadata><dc:title>Flow</dc:title><dc:identifier opf:scheme="calibre">9</dc:identifier>
    <dc:identifier opf:scheme="ISBN">0-306-40615-2</dc:identifier></metadata></package>`
  shop.owner
    .put('Ebb/1.mp3', mp3({ album: 'Ebb' }))
    .put('Ebb/cover.png', await cover)
    .put('Ebb/metadata.json', { isbn: '978-1-86197-271-2', asin: 'B000000000' })
    .put('Flow/flow.epub', await epub({ title: 'Flow', author: 'Ida Frost' }))
    .put('Flow/cover.png', await cover)
    .put('Flow/metadata.opf', opf)
  await shop.run()
  expect(await numbers()).toEqual(['ebb audio_book 9781861972712', 'flow e_book 9780306406157'])

  // If a folder has both formats, only the owner knows which one the ISBN belongs to; the stored ISBN stays.
  shop.owner.put('Ebb/ebb.epub', await epub({ title: 'Ebb', author: 'Ida Frost' }))
  expect((await shop.run()).Ebb!.warnings).toContain(
    'The ISBN 9781861972712 may be the audiobook’s or the e-book’s, so it is left out: give audiobook.isbn or ebook.isbn in book.json.',
  )
  expect(await numbers()).toEqual(['ebb audio_book 9781861972712', 'ebb e_book', 'flow e_book 9780306406157'])
  shop.owner.put('Ebb/book.json', { ebook: { isbn: '978-0-306-40615-7' } })
  expect((await shop.run()).Ebb!.warnings).toContain(
    'The ISBN 9780306406157 is that of “flow” in the shop, so it is left out. If both are one title, give this one "slug": "flow" in book.json.',
  )
  shop.owner.put('Ebb/book.json', { ebook: { isbn: '978-0-306-40615-8' } })
  expect((await shop.run()).Ebb).toMatchObject({
    outcome: 'refused',
    details: ['ebook.isbn 978-0-306-40615-8 in book.json is mistyped: its last digit does not fit.'],
  })
})

test('listening: a file is split at the chapters of its cue sheet or of metadata.json, and separate files get their names', async () => {
  // Replaces ffmpeg: logs its arguments and writes a sound file.
  const programme = shop.owner.folder('cutter')
  const asked = shop.owner.folder('asked')
  const sound = shop.owner.put('sound', mp3()).folder('sound')
  writeFileSync(
    programme,
    `#!/bin/sh\necho "$5 $6 $7 $8" >> ${asked}\nfor last; do :; done\ncp ${sound} "$last"\n`,
  )
  chmodSync(programme, 0o755)
  const library = shop.owner.folder('library')
  const run = (ffmpeg = programme) => shop.run({ folder: library, splitter: { ffmpeg, ffprobe: 'none' } })
  const titles = async (slug: string) => (await shop.chaptersOf(slug)).map(({ title }) => title)
  const cue = `\uFEFFPERFORMER "Ida Frost"\nTITLE "Ebb"\nFILE "C:\\rips\\Ebb.wav" WAVE\n  TRACK 01 AUDIO\n    TITLE "Mud"\n    INDEX 01 00:00:00
  TRACK 02 AUDIO\n    TITLE "Salt"\n    INDEX 00 00:00:60\n    INDEX 01 00:01:15\n`
  shop.owner
    .put('library/Ebb/Ebb.mp3', mp3({ album: 'Ebb', title: 'Ebb' }))
    .put('library/Ebb/Ebb.cue', cue)
    .put('library/Ebb/cover.png', await cover)
  expect((await run('no-such-ffmpeg')).Ebb!.warnings).toContain(
    'Ebb.mp3 cannot be split at its chapters: ffmpeg is not installed on this machine; install it and import again. It is one chapter.',
  )
  expect(await titles('ebb')).toEqual(['Ebb'])
  await run()
  expect(await titles('ebb')).toEqual(['Mud', 'Salt'])

  const chapters = (starts: readonly number[]) => ({
    chapters: starts.map((start, id) => ({ id, start, end: start + 1, title: `Named ${id + 1}` })),
  })
  shop.owner.put('library/Ebb/metadata.json', chapters([0, 0.5, 1]))
  shop.owner
    .put('library/Flow/01 - First light.mp3', mp3({ album: 'Flow' }))
    .put('library/Flow/02 - dusk.mp3', mp3({ album: 'Flow' }))
    .put('library/Flow/cover.png', await cover)
  await run()
  expect(await titles('ebb')).toEqual(['Named 1', 'Named 2', 'Named 3'])
  expect(await titles('flow')).toEqual(['First light', 'Dusk'])
  shop.owner.put('library/Flow/metadata.json', chapters([0, 1.5]))
  expect((await run()).Flow!.outcome).toBe('changed')
  expect(await titles('flow')).toEqual(['Named 1', 'Named 2'])
  shop.owner.put('library/Flow/metadata.json', chapters([0, 1, 60]))
  expect((await run()).Flow!.warnings).toContain(
    'The chapters in metadata.json are not where the files begin and end; each file is a chapter.',
  )
})
