import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { editorialItems } from '#server/db/schema/editorial.ts'
import { covers, mediaFiles } from '#server/db/schema/media.ts'
import { COVER_RENDITIONS, coverPath, mediaPath } from '#server/outside/media/paths.ts'
import { testDatabase } from '#tests/support/database.ts'
import { mp3, OwnersFolder, picture, TONE_MS } from '../fixtures/owners-folder.ts'
import type { TitleReport } from '../report.ts'
import { importContent, importVocabularies, isContentFolder } from './run.ts'

const NOW = new Date('2026-03-02T08:00:00Z')
const DAY = 24 * 3_600_000

let database: OpenDatabase
let owner: OwnersFolder
let mediaDir: string
const kept: OwnersFolder[] = []

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  owner = new OwnersFolder()
  const shop = new OwnersFolder()
  mediaDir = join(shop.path, 'media')
  kept.push(owner, shop)
  await database.db.insert(books).values([
    { format: 'audio_book', slug: 'peat', title: 'Peat', priceMinor: 100 },
    { format: 'e_book', slug: 'peat', title: 'Peat', priceMinor: 100 },
    { format: 'audio_book', slug: 'marram', title: 'Marram', priceMinor: 100 },
  ])
})
afterEach(async () => {
  for (const folder of kept.splice(0)) folder.remove()
  await database.db.execute(sql`
    truncate books, publishers, editorial_items, editorial_authors, editorial_categories, murmuration_types,
    info_pages, faq_categories, menu_entries, home_panels, staff_picks, content_records, covers, media_files cascade`)
})
afterAll(() => database.close())

const run = async (options: { dryRun?: boolean; now?: Date } = {}): Promise<Record<string, TitleReport>> => {
  const { now = NOW, ...rest } = options
  const importing = { db: database.db, mediaDir, now: () => now, ...rest }
  const reports = await importContent(importing, owner.path)
  return Object.fromEntries(reports.map((report) => [report.folder, report]))
}
const outcomes = async (options: { dryRun?: boolean; now?: Date } = {}) =>
  Object.fromEntries(Object.entries(await run(options)).map(([folder, { outcome }]) => [folder, outcome]))
const rows = async (query: string) => (await database.db.execute(sql.raw(query))).rows

const TABLES = `editorial_items editorial_authors editorial_categories murmuration_types book_editorial info_pages
  faq_categories faqs menu_entries home_panels staff_picks content_records covers media_files`.split(/\s+/)
const everything = async () =>
  Promise.all(TABLES.map((table) => rows(`select t.*, t.xmin::text as version from ${table} t order by t::text`)))

const matter = (keys: Record<string, unknown>, body = 'Text.'): string =>
  `---\n${Object.entries(keys)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n')}\n---\n\n${body}\n`
const article = (keys: Record<string, unknown> = {}, body?: string) =>
  matter({ title: 'A title', image: 'none', ...keys }, body)

async function fillFolder(): Promise<void> {
  owner
    .put('authors/mina-tallis.md', matter({ firstName: 'Mina', lastName: 'Tallis' }, 'She *asks* & listens.'))
    .put(
      'editorial/articles/a-voice.md',
      matter(
        {
          title: 'A voice',
          summary: 'How.',
          author: 'mina-tallis',
          category: 'Recording',
          type: 'Essays',
          publishedDaysAgo: 6,
          featured: true,
          altText: 'A flock',
          books: ['marram', 'peat'],
        },
        '## First\n\nWords.\n\n![Lamps](picture:tide "Sixty-two lamps")',
      ),
    )
    .put(
      'editorial/interviews/rooms.md',
      matter({ title: 'Rooms', memberOnly: true, minimumTier: 'reader', audio: 'rooms.mp3', image: 'rooms.png' }),
    )
    .put('editorial/interviews/rooms.mp3', mp3({}))
    .put('editorial/interviews/rooms.png', await picture('#336699', 1200, 600))
    .put('editorial/discussions/evening.md', article({ startsInDays: 12, link: 'https://tickets.example/' }))
    .put('pages/about.md', matter({ title: 'About' }, 'Us.'))
    .put(
      'faq/01-buying.md',
      matter({ name: 'Buying' }, '## How?\n\nSo.\n\n## (unpublished) Why?\n\nLater.\n\n## When?\n\nNow.'),
    )
    .put('menus.json', { main: [{ group: 'Products', title: 'Browse', url: '/browse', style: 'Italic' }] })
    .put('home.json', {
      panels: [{ section: 'editions', title: 'Editions', weight: 3 }],
      introText: { visitor: 'Hello' },
      guestPicks: ['peat'],
      staffPicks: [{ title: 'Pick', description: 'Why', author: 'Hana', audioBook: 'peat' }],
    })
    .put('promo.json', [{ title: 'A month', text: 'Free', link: '/free-trial' }])
    .put('settings.json', { requiredPurchaserEmail: false })
}

describe('a content folder', () => {
  test('is told from a folder of titles', async () => {
    expect(isContentFolder(owner.path)).toBe(false)
    owner.put('peat/book.json', {})
    expect(isContentFolder(owner.path)).toBe(false)
    owner.put('pages/about.md', '')
    expect(isContentFolder(owner.path)).toBe(true)
  })

  test('trap 34: is brought in with a line a file, and a second run changes nothing', async () => {
    await fillFolder()
    const first = await outcomes()
    expect(Object.keys(first)).toEqual([
      'authors/mina-tallis.md',
      'pages/about.md',
      'faq/01-buying.md',
      'editorial/articles/a-voice.md',
      'editorial/interviews/rooms.md',
      'editorial/discussions/evening.md',
      'menus.json',
      'home.json',
      'promo.json',
      'settings.json',
    ])
    expect(new Set(Object.values(first))).toEqual(new Set(['created']))
    const before = await everything()
    // A day later: what is counted in days from the first run stays what it was.
    const again = await outcomes({ now: new Date(NOW.getTime() + DAY) })
    expect(new Set(Object.values(again))).toEqual(new Set(['same']))
    expect(await everything()).toEqual(before)
  })

  test('is only looked at in a dry run, which says the same as the run after it', async () => {
    await fillFolder()
    const before = await everything()
    const dry = await run({ dryRun: true })
    expect(await everything()).toEqual(before)
    expect(existsSync(mediaDir)).toBe(false)
    expect(dry).toEqual(await run())
  })

  test('fills in an item, its author, its words, its books and its dates', async () => {
    await fillFolder()
    await run()
    const [item] = await rows(`
      select e.title, e.summary, e.featured, e.member_only, e.alt_text, a.first_name, a.biography, c.name as category,
        t.title as type, e.published_at, array(
          select b.slug || ' ' || b.format from book_editorial be join books b on b.id = be.book_id
          where be.item_id = e.id order by be.position, b.id) as books
      from editorial_items e left join editorial_authors a on a.id = e.author_id
      left join editorial_categories c on c.id = e.category_id left join murmuration_types t on t.id = e.type_id
      where e.slug = 'a-voice'`)
    expect(item).toMatchObject({
      title: 'A voice',
      summary: 'How.',
      featured: true,
      member_only: false,
      alt_text: 'A flock',
      first_name: 'Mina',
      biography: 'She asks & listens.',
      category: 'Recording',
      type: 'Essays',
      books: ['marram audio_book', 'peat audio_book', 'peat e_book'],
    })
    const all = await database.db.select().from(editorialItems)
    const named = (slug: string) => all.find((each) => each.slug === slug)!
    expect(NOW.getTime() - named('a-voice').publishedAt.getTime()).toBe(6 * DAY)
    expect(named('evening').startsAt!.toISOString()).toBe('2026-03-14T00:00:00.000Z')
  })

  test('keeps sound with its measured length, and pictures in every size', async () => {
    await fillFolder()
    await run()
    const [sound] = await database.db.select().from(mediaFiles)
    expect(Math.abs(sound!.durationMs! - TONE_MS)).toBeLessThan(50)
    expect(existsSync(mediaPath(mediaDir, sound!))).toBe(true)
    const all = await database.db.select().from(covers)
    // A portrait, the item's drawing and the one in its text, and the owner's picture.
    expect(all.map(({ width, height }) => `${width}x${height}`).sort()).toEqual([
      '900x450',
      '900x600',
      '900x600',
      '900x900',
    ])
    for (const { id } of all)
      for (const rendition of COVER_RENDITIONS) expect(existsSync(coverPath(mediaDir, id, rendition))).toBe(true)
  })

  test('gives a picture in the text its figure, size and caption, from the shop’s own store', async () => {
    await fillFolder()
    await run()
    const [item] = await rows("select main from editorial_items where slug = 'a-voice'")
    expect(item!.main).toMatch(
      /<figure><img src="\/media\/covers\/[0-9a-f]{2}\/[0-9a-f]{32}-900\.webp" srcset="[^"]+ 330w, [^"]+ 900w" [^>]*alt="Lamps" width="900" height="600" loading="lazy"[^>]*><figcaption>Sixty-two lamps<\/figcaption><\/figure>/,
    )
  })

  test('names what changed, and keeps a date while nothing is said about time', async () => {
    await fillFolder()
    await run()
    const [before] = await rows("select published_at from editorial_items where slug = 'a-voice'")
    owner
      .put(
        'editorial/articles/a-voice.md',
        matter({ title: 'Another voice', publishedDaysAgo: 6, image: 'none', books: ['peat'] }, '## First'),
      )
      .put('pages/about.md', matter({ title: 'About' }, 'All of us.'))
      .put('menus.json', { main: [] })
    const reports = await run({ now: new Date(NOW.getTime() + 30 * DAY) })
    expect(reports['editorial/articles/a-voice.md']).toMatchObject({
      outcome: 'changed',
      details: expect.arrayContaining(['title', 'summary', 'text', 'picture', 'books', 'author', 'type']),
    })
    expect(reports['pages/about.md']!.details).toEqual(['text'])
    expect(reports['menus.json']!.details).toEqual(['main menu'])
    expect(await rows("select published_at from editorial_items where slug = 'a-voice'")).toEqual([before])
  })

  test('puts right what was changed in the shop, and a link that a removed book took along', async () => {
    await fillFolder()
    await run()
    await database.db.execute(sql`update editorial_items set member_only = true where slug = 'a-voice'`)
    await database.db.execute(sql`delete from books where slug = 'marram'`)
    await database.db.insert(books).values({ format: 'audio_book', slug: 'marram', title: 'M', priceMinor: 1 })
    const reports = await run()
    expect(reports['editorial/articles/a-voice.md']!.details).toEqual(['access', 'books'])
    expect(new Set(Object.values(await outcomes()))).toEqual(new Set(['same']))
  })

  test('tells every instance once it is done, and nobody of a dry run', async () => {
    owner.put('settings.json', { requiredPurchaserEmail: true })
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

describe('a file that cannot be used', () => {
  const refused = async (name: string, content: string | Buffer) => {
    owner.put(name, content).put('pages/fine.md', matter({ title: 'Fine' }))
    const reports = await run()
    // It stops nobody else.
    expect(reports['pages/fine.md']!.outcome).toMatch(/created|same/)
    expect(reports[name]!.outcome).toBe('refused')
    return reports[name]!.details
  }
  const name = 'editorial/articles/x.md'

  test('is refused for a key that nobody knows, with its name, its line and the likely one', async () => {
    expect(await refused(name, '---\ntitle: X\nfeatred: true\ncolours:\n  backgrund: "#000000"\n---\n')).toEqual([
      'line 3: "featred" is no key here; did you mean "featured"?',
      'line 5: "backgrund" is no key here; did you mean "background"?',
    ])
  })

  test.each([
    ['without front matter', 'Just words.', /begins with no front matter/],
    ['with front matter that is no YAML', '---\ntitle: "x\n---\n', /^line \d+: /],
    ['without a title', '---\nfeatured: true\n---\n', /^line 1: The file needs "title"\.$/],
    ['with a value of another kind', '---\ntitle: X\nfeatured: often\n---\n', /^line 3: "featured" must be true or false\.$/],
    ['with a number for a title', '---\ntitle: 1984\n---\n', /^line 2: "title" must be text, in quotes/],
    ['of an unknown author', article({ author: 'nobody' }), /^No author is called “nobody”\.$/],
    ['about an unknown book', article({ books: ['peat', 'no-such'] }), /^No book is called “no-such”\.$/],
    ['with a drawing nobody can draw', article({}, '![x](picture:cat)'), /^“picture:cat” is no drawing; there are flock/],
    ['with a picture that is not there', article({ image: 'gone.png' }), /^The picture gone\.png is not beside the file\.$/],
    ['with sound that is not there', article({ audio: 'gone.mp3' }), /^The sound gone\.mp3 is not beside the file\.$/],
    ['with a file from elsewhere', article({ audio: '../../../secret.mp3' }), /must lie beside the file/],
    ['with a link that runs', article({ link: 'javascript:alert(1)' }), /"link" must be an address/],
    ['with another shop’s address', article({ link: '//evil.example' }), /"link" must be an address/],
    ['with two dates', article({ publishedAt: '2026-01-01', publishedDaysAgo: 1 }), /^Give "publishedAt" or/],
    ['with a date that does not exist', article({ publishedAt: '2026-13-01' }), /is no date of the calendar/],
  ])('is refused %s', async (_what, content, reason) => {
    const details = await refused(name, content)
    expect(details).toHaveLength(1)
    expect(details[0]).toMatch(reason)
  })

  test('is refused in an encoding of old, and with a picture that is none', async () => {
    expect(await refused(name, Buffer.from('---\ntitle: Caf\xe9\n---\n', 'latin1'))).toEqual([
      'is no UTF-8 text; save it in that encoding.',
    ])
    owner.put('editorial/articles/broken.png', 'not a picture')
    expect(await refused(name, article({ image: 'broken.png' }))).toEqual([
      'The picture broken.png cannot be read.',
    ])
    owner.put('editorial/articles/letter.mp3', 'not a sound')
    expect(await refused(name, article({ audio: 'letter.mp3' }))).toEqual(['letter.mp3 is no MP3 sound.'])
  })

  test('is refused as an author whose file is not called by the name', async () => {
    expect(await refused('authors/mina.md', matter({ firstName: 'Mina', lastName: 'Tallis' }))).toEqual([
      'is the file of Mina Tallis, whom articles call mina-tallis: name it mina-tallis.md.',
    ])
  })

  test('is refused as a home page that shows what the shop does not have', async () => {
    expect(
      await refused('home.json', JSON.stringify({ guestPicks: ['no-such'], publishers: ['no-house'] })),
    ).toEqual(['No book is called “no-such”.', 'No publisher is called “no-house”.'])
    expect(await rows('select * from content_records')).toEqual([])
  })

  test('is refused as JSON with a fault, and with a key of its own', async () => {
    expect(await refused('promo.json', '[\n{"title": "x",}\n]')).toEqual(['is not valid JSON (line 2).'])
    expect(await refused('menus.json', '{\n  "man": []\n}')).toEqual([
      'line 2: "man" is no key here; did you mean "main"?',
    ])
  })

  test('leaves what the shop had from it', async () => {
    owner.put(name, article())
    await run()
    await refused(name, article({ featured: 'often' }))
    expect(await rows('select title from editorial_items')).toEqual([{ title: 'A title' }])
  })
})

describe('questions', () => {
  const faq = (name: string, ...questions: string[]) =>
    matter({ name }, questions.map((question) => `## ${question}\n\nAnswer with [a link](/faq).`).join('\n\n'))

  test('are kept in order with sanitised answers, the unpublished ones marked', async () => {
    owner.put('faq/02-b.md', faq('B', 'One?', '(unpublished) Two?')).put('faq/01-a.md', faq('A', 'Three?'))
    await run()
    expect(
      await rows(`select c.name, f.question, f.answer, f.published from faqs f
        join faq_categories c on c.id = f.category_id order by c.position, f.position`),
    ).toEqual([
      { name: 'A', question: 'Three?', answer: expect.any(String), published: true },
      {
        name: 'B',
        question: 'One?',
        answer: '<p>Answer with <a href="/faq" rel="noopener">a link</a>.</p>',
        published: true,
      },
      { name: 'B', question: 'Two?', answer: expect.any(String), published: false },
    ])
  })

  test('of a category that is in no file any more are taken away, and not where a file is broken', async () => {
    owner.put('faq/01-a.md', faq('A', 'One?')).put('faq/02-b.md', faq('B', 'Two?'))
    await run()
    owner.put('faq/02-b.md', faq('C', 'Two?'))
    expect((await run())['faq/B']).toMatchObject({ outcome: 'changed', details: ['taken away: no file holds it'] })
    owner.put('faq/02-b.md', 'broken')
    await run()
    expect(await rows('select name from faq_categories order by position')).toEqual([{ name: 'A' }, { name: 'C' }])
  })

  test('without an answer are refused', async () => {
    owner.put('faq/01-a.md', matter({ name: 'A' }, '## One?\n\n## Two?\n\nYes.'))
    expect((await run())['faq/01-a.md']!.details).toEqual(['“One?” has no answer.'])
  })
})

describe('the lists that titles choose from', () => {
  const lists = async () => {
    const reports = await importVocabularies({ db: database.db, mediaDir, now: () => NOW }, owner.path)
    return Object.fromEntries(reports.map(({ folder, outcome, details }) => [folder, [outcome, ...details]]))
  }

  test('are made in the order of the files, and only what differs is changed', async () => {
    await database.db.execute(sql`truncate styles, categories, publishers cascade`)
    owner
      .put('styles.json', [{ title: 'Storm' }, { title: 'Calm' }])
      .put('categories.json', [{ name: 'Novels', visible: false, weight: 30 }, { name: 'Memoir' }])
      .put('publishers.json', [{ slug: 'row', name: 'Row', about: 'Five people.' }])
    expect(await lists()).toEqual({
      'publishers.json': ['created'],
      'categories.json': ['created'],
      'styles.json': ['created'],
    })
    expect(await rows('select title from styles order by id')).toEqual([{ title: 'Storm' }, { title: 'Calm' }])
    owner
      .put('styles.json', [{ title: 'Fog' }, { title: 'Storm' }])
      .put('categories.json', [{ name: 'Novels', visible: true, weight: 30 }, { name: 'Memoir' }])
      .put('publishers.json', [{ slug: 'row', name: 'Lantern Row', website: 'https://row.example' }])
    expect(await lists()).toEqual({
      'publishers.json': ['changed', 'Lantern Row'],
      'categories.json': ['changed', 'Novels'],
      'styles.json': ['changed', 'Fog'],
    })
    expect(await rows('select slug, name, about, website from publishers')).toEqual([
      { slug: 'row', name: 'Lantern Row', about: null, website: 'https://row.example' },
    ])
    expect(await rows('select name, visible, weight from categories order by id')).toEqual([
      { name: 'Novels', visible: true, weight: 30 },
      { name: 'Memoir', visible: true, weight: 0 },
    ])
    expect(new Set(Object.values(await lists()).map(([outcome]) => outcome))).toEqual(new Set(['same']))
  })

  test('bring the publishers that a home page shows, also in a dry run', async () => {
    owner.put('home.json', { publishers: ['row'] })
    expect((await run())['home.json']!.details).toEqual(['No publisher is called “row”.'])
    owner.put('publishers.json', [{ slug: 'row', name: 'Row' }])
    expect((await run({ dryRun: true }))['home.json']!.outcome).toBe('created')
  })
})

describe('notes', () => {
  test('say of new words, of keys that do nothing and of tags that are not kept', async () => {
    owner.put(
      'editorial/articles/x.md',
      article(
        { category: 'Recordng', minimumTier: 'reader', linkTitle: 'Go', publishedAt: '2027-01-01' },
        '<script>alert(1)</script><iframe src="https://x.example"></iframe>',
      ),
    )
    expect((await run())['editorial/articles/x.md']!.warnings).toEqual([
      '<script>, <iframe> are not kept.',
      '"minimumTier" means something with "memberOnly" only.',
      '"linkTitle" has no "link" to stand on.',
      '“Recordng” is a new category.',
      'Its date lies ahead; it is shown at once all the same.',
    ])
  })
})
