import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import { books, chapters, publishers } from '#server/db/schema/catalogue.ts'
import { bookTimes, chapterTimes, placeHistory } from '#server/db/schema/listening.ts'
import { covers, mediaFiles } from '#server/db/schema/media.ts'
import { people } from '#server/db/schema/people.ts'
import { users } from '#server/db/schema/accounts.ts'
import { COVER_RENDITIONS, coverPath, mediaPath } from '#server/outside/media/paths.ts'
import { testDatabase } from '#tests/support/database.ts'
import { epub, mp3, OwnersFolder, picture, TONE, TONE_MS, VBR, VBR_MS } from './fixtures/owners-folder.ts'
import { naturalOrder } from './natural-order.ts'
import type { TitleReport } from './report.ts'
import { importTitles } from './run.ts'

const NOW = new Date('2026-03-02T08:00:00Z')

let database: OpenDatabase
let owner: OwnersFolder
let mediaDir: string
const kept: OwnersFolder[] = []

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(() => {
  owner = new OwnersFolder()
  const shop = new OwnersFolder()
  mediaDir = join(shop.path, 'media')
  kept.push(owner, shop)
})
afterEach(async () => {
  for (const folder of kept.splice(0)) folder.remove()
  await database.db.execute(
    sql`truncate books, people, publishers, styles, tags, covers, media_files, users cascade`,
  )
})
afterAll(() => database.close())

const run = async (options: { dryRun?: boolean } = {}): Promise<Record<string, TitleReport>> => {
  const folders = readdirSync(owner.path)
    .sort(naturalOrder)
    .map((name) => owner.folder(name))
  const reports = await importTitles({ db: database.db, mediaDir, now: () => NOW, ...options }, folders)
  return Object.fromEntries(reports.map((report) => [report.folder, report]))
}
const outcomes = async (options: { dryRun?: boolean } = {}) =>
  Object.fromEntries(Object.entries(await run(options)).map(([folder, { outcome }]) => [folder, outcome]))

const chaptersOf = (slug: string) =>
  database.db
    .select({ number: chapters.number, title: chapters.title, durationMs: chapters.durationMs })
    .from(chapters)
    .innerJoin(books, eq(books.id, chapters.bookId))
    .where(eq(books.slug, slug))
    .orderBy(asc(chapters.number))

const bookOf = async (slug: string, format: 'audio_book' | 'e_book' = 'audio_book') =>
  (
    await database.db
      .select()
      .from(books)
      .where(sql`${books.slug} = ${slug} and ${books.format} = ${format}`)
  )[0]

/** Every row that an import can touch, to see that nothing moved. */
async function everything(): Promise<unknown> {
  const tables = [
    'books',
    'chapters',
    'people',
    'publishers',
    'styles',
    'tags',
    'covers',
    'media_files',
    'book_people',
    'book_tags',
  ]
  const rows: unknown[] = []
  for (const table of tables)
    rows.push(
      (
        await database.db.execute(
          sql.raw(`select t.*, t.xmin::text as version from ${table} t order by t::text`),
        )
      ).rows,
    )
  return rows
}

/** Drawing covers takes longer than all the rest, so most tests bring their own. */
async function fillShelf({ drawn = false } = {}): Promise<void> {
  const book = {
    title: 'The Salt Ledger',
    authors: [{ firstName: 'Imogen', lastName: 'Tarrant', nationality: 'British' }],
    publisher: { slug: 'low-tide-press', name: 'Low Tide Press' },
    style: 'Quiet suspense',
    tags: ['Tides', 'Ledgers'],
    audiobook: { price: '12.00', narrators: [{ firstName: 'Della', lastName: 'Voss' }] },
    ebook: { price: '8.00', pages: 312 },
  }
  owner
    .put('salt/book.json', book)
    .put('salt/1 One.mp3', mp3({ title: 'The weighing room' }))
    .put('salt/2 Two.mp3', mp3({ title: 'A second set of books' }, VBR))
    .put('salt/sample.mp3', mp3({}))
    .put('salt/book.epub', await epub({ title: 'The Salt Ledger' }))
  for (let number = 1; number <= 12; number++)
    owner.put(
      `box/CD${number <= 6 ? 1 : 2}/${number}.mp3`,
      mp3({ album: 'Twelve', artist: 'Maren Lindt', title: `Part ${number}` }),
    )
  owner.put('box/cover.png', await picture('#336699'))
  if (!drawn) owner.put('salt/cover.png', await picture('#996633'))
  owner.put('broken/1.mp3', mp3({ album: 'Half' })).put('broken/2.mp3', 'this is a letter, not a sound')
}

describe('an import', () => {
  test('trap 33: brings twelve files of two CDs in their order, each as long as it sounds', async () => {
    await fillShelf()
    await run()
    expect((await chaptersOf('twelve')).map(({ title }) => title)).toEqual(
      Array.from({ length: 12 }, (_, index) => `Part ${index + 1}`),
    )
    const salt = await chaptersOf('the-salt-ledger')
    expect(salt.map(({ number, title }) => [number, title])).toEqual([
      [1, 'The weighing room'],
      [2, 'A second set of books'],
    ])
    expect(Math.abs(salt[0]!.durationMs - TONE_MS)).toBeLessThan(50)
    expect(Math.abs(salt[1]!.durationMs - VBR_MS)).toBeLessThan(50)
  })

  test('trap 34: creates, says why it refuses, and a second run changes nothing', async () => {
    await fillShelf()
    const reports = await run()
    expect(Object.values(reports).map(({ folder, outcome }) => [folder, outcome])).toEqual([
      ['box', 'created'],
      ['broken', 'refused'],
      ['salt', 'created'],
    ])
    expect(reports.broken!.details).toEqual(['2.mp3 is no MP3 sound.'])
    expect(await bookOf('half')).toBeUndefined()
    const before = await everything()
    expect(await outcomes()).toEqual({ box: 'same', broken: 'refused', salt: 'same' })
    expect(await everything()).toEqual(before)
  })

  test('writes nothing in a dry run, and says the same as the run after it', async () => {
    await fillShelf()
    const before = await everything()
    const dry = await run({ dryRun: true })
    expect(await everything()).toEqual(before)
    expect(existsSync(mediaDir)).toBe(false)
    expect(dry).toEqual(await run())
  })

  test('keeps files by their content and covers in every size', async () => {
    await fillShelf({ drawn: true })
    await run()
    for (const file of await database.db.select().from(mediaFiles))
      expect(statSync(mediaPath(mediaDir, file)).size).toBe(file.bytes)
    const all = await database.db.select().from(covers)
    expect(all.map(({ width, height }) => `${width}x${height}`).sort()).toEqual([
      '40x40',
      '900x1350',
      '900x900',
    ])
    for (const { id, placeholder } of all) {
      expect(placeholder).toMatch(/^[0-9a-f]{96}$/)
      for (const rendition of COVER_RENDITIONS)
        expect(statSync(coverPath(mediaDir, id, rendition)).size).toBeGreaterThan(60)
    }
    expect(
      readdirSync(mediaDir, { recursive: true }).filter((name) => String(name).endsWith('.part')),
    ).toEqual([])
  })

  test('fills in everything a title has, and ties its two formats together', async () => {
    await fillShelf()
    await run()
    const [audio, ebook] = [await bookOf('the-salt-ledger'), await bookOf('the-salt-ledger', 'e_book')]
    expect(audio).toMatchObject({
      priceMinor: 1200,
      published: true,
      counterpartId: ebook!.id,
      listedAt: NOW,
    })
    expect(ebook).toMatchObject({ priceMinor: 800, pages: 312, counterpartId: audio!.id })
    expect(audio!.sampleId).not.toBeNull()
    expect(ebook!.fileId).not.toBeNull()
    expect(audio!.importHash).toMatch(/^[0-9a-f]{64}$/)
    const names = await database.db.select({ name: people.nameKey }).from(people)
    expect(names.map(({ name }) => name).sort()).toEqual(['della voss', 'imogen tarrant', 'maren lindt'])
  })

  test('changes what changed and names it', async () => {
    await fillShelf()
    await run()
    owner.put('salt/2 Two.mp3', mp3({ title: 'A third set' }, VBR))
    const { salt } = await run()
    expect(salt).toMatchObject({ outcome: 'changed', details: ['audiobook chapters'] })
    expect((await chaptersOf('the-salt-ledger'))[1]!.title).toBe('A third set')
    expect(await outcomes()).toMatchObject({ salt: 'same' })
  })

  test('puts right what was changed in the shop', async () => {
    await fillShelf()
    await run()
    await database.db.update(books).set({ priceMinor: 1 }).where(eq(books.slug, 'the-salt-ledger'))
    expect((await run()).salt).toMatchObject({
      outcome: 'changed',
      details: ['audiobook price', 'e-book price'],
    })
    expect((await bookOf('the-salt-ledger'))!.priceMinor).toBe(1200)
  })

  test('leaves alone what is no longer in the folder, and says so of a format', async () => {
    await fillShelf()
    await run()
    owner
      .drop('box')
      .drop('salt/book.epub')
      .put('salt/book.json', { title: 'The Salt Ledger', audiobook: { price: '12.00' } })
    const { salt } = await run()
    expect(salt!.warnings).toContain(
      'The e-book is no longer in the folder; in the shop it is left as it is.',
    )
    expect((await bookOf('twelve'))!.title).toBe('Twelve')
    expect((await bookOf('the-salt-ledger', 'e_book'))!.fileId).not.toBeNull()
  })

  test('tells every instance, once it is done', async () => {
    await fillShelf()
    let heard = 0
    const stop = await database.listen('catalogue_changed', () => void heard++)
    await run({ dryRun: true })
    await database.db.execute(sql`select 1`)
    expect(heard).toBe(0)
    await run()
    await expect.poll(() => heard).toBe(1)
    await stop()
  })
})

describe('chapters that are gone', () => {
  async function listenerAt(chapter: number): Promise<void> {
    const [user] = await database.db
      .insert(users)
      .values({ email: 'a@murmur.example', passwordHash: 'x', firstName: 'A', lastName: 'B' })
      .returning()
    const place = {
      userId: user!.id,
      bookId: (await bookOf('twelve'))!.id,
      chapter,
      seconds: 1.2,
      heardAt: NOW,
    }
    await database.db.insert(bookTimes).values(place)
    await database.db.insert(chapterTimes).values(place)
  }

  test('take no place with them: it moves to the last chapter and stays in the history', async () => {
    await fillShelf()
    await run()
    await listenerAt(12)
    for (const number of [9, 10, 11, 12]) owner.drop(`box/CD2/${number}.mp3`)
    expect((await run()).box).toMatchObject({ outcome: 'changed' })
    expect(await chaptersOf('twelve')).toHaveLength(8)
    expect(await database.db.select().from(bookTimes)).toMatchObject([{ chapter: 8, seconds: 0 }])
    expect(await database.db.select().from(placeHistory)).toMatchObject([{ chapter: 12, seconds: 1.2 }])
    expect(await database.db.select().from(chapterTimes)).toEqual([])
  })

  test('are not all taken away at once: buyers own them', async () => {
    await fillShelf()
    await run()
    owner
      .drop('box/CD1')
      .drop('box/CD2')
      .put('box/book.json', { title: 'Twelve', audiobook: { price: '1.00' } })
    expect((await run()).box).toMatchObject({
      outcome: 'refused',
      details: ['The folder holds no chapters any more, and the shop has 12: buyers would lose them.'],
    })
    expect(await chaptersOf('twelve')).toHaveLength(12)
  })
})

describe('what only the shop knows', () => {
  test('a number of another title is refused, and stops nobody else', async () => {
    const card = (title: string) => ({ title, audiobook: { price: '1.00', spiSIN: '9001000000017' } })
    owner
      .put('one/book.json', card('One'))
      .put('two/book.json', card('Two'))
      .put('three/book.json', { title: 'Three', ebook: { price: '1.00' } })
    expect(await run()).toMatchObject({
      one: { outcome: 'created' },
      three: { outcome: 'created' },
      two: { outcome: 'refused', details: ['spiSIN 9001000000017 belongs to one.'] },
    })
  })

  test('two folders cannot have one address', async () => {
    owner
      .put('a/book.json', { title: 'Peat', ebook: {} })
      .put('b/book.json', { title: 'Peat', audiobook: {} })
    expect((await run()).b!.details).toEqual(['has the address “peat”, which the folder a has already.'])
  })

  test('one title does not overrule what others say of a publisher', async () => {
    const of = (title: string, about: string) => ({
      title,
      publisher: { slug: 'row', name: 'Row', about },
      ebook: { price: '1.00' },
    })
    owner.put('a/book.json', of('A', 'Five people.')).put('b/book.json', of('B', 'Six people.'))
    expect((await run()).b!.warnings).toEqual([
      'Other titles give the publisher’s about; it is left as it is.',
    ])
    expect(await outcomes()).toEqual({ a: 'same', b: 'same' })
    owner.drop('b')
    await database.db.delete(books).where(eq(books.slug, 'b'))
    owner.put('a/book.json', of('A', 'Six people.'))
    expect((await run()).a).toMatchObject({ outcome: 'changed', details: ['the publisher’s about'] })
    expect((await database.db.select().from(publishers))[0]!.about).toBe('Six people.')
  })
})

describe('covers', () => {
  test('of the owner’s own are used, from a file, from a tag, from an EPUB', async () => {
    const inTag = await picture('#aa0000', 60, 60)
    const inEpub = await picture('#00aa00', 40, 60)
    owner
      .put('tag/1.mp3', mp3({ album: 'Tagged', picture: inTag }))
      .put('tag/2.mp3', mp3({ album: 'Tagged', picture: inTag, track: '2' }))
      .put('epub/book.epub', await epub({ title: 'Green', cover: inEpub }))
    await run()
    const sizes = await database.db
      .select({
        slug: books.slug,
        width: covers.width,
        height: covers.height,
        placeholder: covers.placeholder,
      })
      .from(books)
      .innerJoin(covers, eq(covers.id, books.coverId))
      .orderBy(asc(books.slug))
    expect(sizes).toMatchObject([
      { slug: 'green', width: 40, height: 60 },
      { slug: 'tagged', width: 60, height: 60 },
    ])
    expect(sizes[0]!.placeholder).toBe('00aa00'.repeat(16))
  })

  test('that cannot be read are drawn instead, and said', async () => {
    owner.put('x/1.mp3', mp3({ album: 'X' })).put('x/cover.jpg', 'not a picture')
    expect((await run()).x).toMatchObject({
      outcome: 'created',
      warnings: expect.arrayContaining(['cover.jpg cannot be read; another cover is used.']),
    })
    expect((await database.db.select().from(covers))[0]).toMatchObject({ width: 900, height: 900 })
  })

  test('stay as they were drawn when other folders stand beside them', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      owner.put(`${name}/book.json`, { title: `Title ${name}`, audiobook: { price: '1.00' } })
    await run()
    owner.drop('a').drop('c').drop('d')
    expect(new Set(Object.values(await outcomes()))).toEqual(new Set(['same']))
  })

  test('are rendered again when their files are lost', async () => {
    owner.put('a/1.mp3', mp3({ album: 'A' }, TONE))
    await run()
    const [cover] = await database.db.select().from(covers)
    const lost = new OwnersFolder()
    kept.push(lost)
    mediaDir = join(lost.path, 'media')
    expect(await outcomes()).toEqual({ a: 'same' })
    expect(existsSync(coverPath(mediaDir, cover!.id, '330.avif'))).toBe(true)
    const [file] = await database.db.select().from(mediaFiles)
    expect(existsSync(mediaPath(mediaDir, file!))).toBe(true)
  })
})
