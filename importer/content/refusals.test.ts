import { describe, expect, test } from 'vitest'
import { article, contentShop, matter } from '#tests/support/content-shop.ts'

const shop = contentShop()

describe('an unusable file', () => {
  const refused = async (name: string, content: string | Buffer) => {
    shop.owner.put(name, content).put('pages/fine.md', matter({ title: 'Fine' }))
    const reports = await shop.run()
    // The other files are imported.
    expect(reports['pages/fine.md']!.outcome).toMatch(/created|same/)
    expect(reports[name]!.outcome).toBe('refused')
    return reports[name]!.details
  }
  const name = 'editorial/articles/x.md'

  test('is refused for an unknown key, with the key, its line and the likely correct key', async () => {
    expect(
      await refused(name, '---\ntitle: X\nfeatred: true\ncolours:\n  backgrund: "#000000"\n---\n'),
    ).toEqual([
      'line 3: "featred" is not a key here; did you mean "featured"?',
      'line 5: "backgrund" is not a key here; did you mean "background"?',
    ])
  })

  test.each([
    ['without front matter', 'Just words.', /has no front matter at the top/],
    ['with front matter that is no YAML', '---\ntitle: "x\n---\n', /^line \d+: /],
    ['without a title', '---\nfeatured: true\n---\n', /^line 1: The file needs "title"\.$/],
    [
      'with a value of another kind',
      '---\ntitle: X\nfeatured: often\n---\n',
      /^line 3: "featured" must be true or false\.$/,
    ],
    ['with a number for a title', '---\ntitle: 1984\n---\n', /^line 2: "title" must be text, in quotes/],
    ['of an unknown author', article({ author: 'nobody' }), /^No author is called “nobody”\.$/],
    ['about an unknown book', article({ books: ['peat', 'no-such'] }), /^No book is called “no-such”\.$/],
    [
      'with a drawing nobody can draw',
      article({}, '![x](picture:cat)'),
      /^“picture:cat” is not a drawing; choose from flock/,
    ],
    [
      'with a picture that is not there',
      article({ image: 'gone.png' }),
      /^The picture gone\.png is not beside the file\.$/,
    ],
    [
      'with sound that is not there',
      article({ audio: 'gone.mp3' }),
      /^The sound gone\.mp3 is not beside the file\.$/,
    ],
    ['with a file from elsewhere', article({ audio: '../../../secret.mp3' }), /must lie beside the file/],
    ['with a link that runs', article({ link: 'javascript:alert(1)' }), /"link" must be an address/],
    ['with another shop’s address', article({ link: '//evil.example' }), /"link" must be an address/],
    ['with two dates', article({ publishedAt: '2026-01-01', publishedDaysAgo: 1 }), /^Give "publishedAt" or/],
    ['with a day that its month lacks', article({ startsAt: '2026-02-31' }), /is not a date in the calendar/],
    [
      'with a date that does not exist',
      article({ publishedAt: '2026-13-01' }),
      /is not a date in the calendar/,
    ],
  ])('is refused %s', async (_what, content, reason) => {
    const details = await refused(name, content)
    expect(details).toHaveLength(1)
    expect(details[0]).toMatch(reason)
  })

  test('is refused if it is not UTF-8 or its picture is unreadable', async () => {
    expect(await refused(name, Buffer.from('---\ntitle: Caf\xe9\n---\n', 'latin1'))).toEqual([
      'is not UTF-8 text; save it in that encoding.',
    ])
    shop.owner.put('editorial/articles/broken.png', 'not a picture')
    expect(await refused(name, article({ image: 'broken.png' }))).toEqual([
      'The picture broken.png cannot be read.',
    ])
    shop.owner.put('editorial/articles/letter.mp3', 'not a sound')
    expect(await refused(name, article({ audio: 'letter.mp3' }))).toEqual(['letter.mp3 is not MP3 sound.'])
  })

  test("is refused as an author if its name does not match the author's name", async () => {
    expect(await refused('authors/mina.md', matter({ firstName: 'Mina', lastName: 'Tallis' }))).toEqual([
      'is the file of Mina Tallis, whom articles call mina-tallis: name it mina-tallis.md.',
    ])
  })

  test('is refused as a home page that refers to unknown titles or publishers', async () => {
    expect(
      await refused('home.json', JSON.stringify({ guestPicks: ['no-such'], publishers: ['no-house'] })),
    ).toEqual(['No book is called “no-such”.', 'No publisher is called “no-house”.'])
    expect(await shop.rows('select * from content_records')).toEqual([])
  })

  test('is refused as JSON with a syntax error or an unknown key', async () => {
    expect(await refused('promo.json', '[\n{"title": "x",}\n]')).toEqual(['is not valid JSON (line 2).'])
    expect(await refused('menus.json', '{\n  "man": []\n}')).toEqual([
      'line 2: "man" is not a key here; did you mean "main"?',
    ])
  })

  test('leaves the stored version unchanged', async () => {
    shop.owner.put(name, article())
    await shop.run()
    await refused(name, article({ featured: 'often' }))
    expect(await shop.rows('select title from editorial_items')).toEqual([{ title: 'A title' }])
  })
})

describe('notes', () => {
  test('report new words, keys without effect and dropped HTML tags', async () => {
    shop.owner.put(
      'editorial/articles/x.md',
      article(
        { category: 'Recordng', minimumTier: 'reader', linkTitle: 'Go', publishedAt: '2027-01-01' },
        '<script>alert(1)</script><iframe src="https://x.example"></iframe>',
      ),
    )
    expect((await shop.run())['editorial/articles/x.md']!.warnings).toEqual([
      '<script>, <iframe> are not kept.',
      '"minimumTier" only makes sense with "memberOnly".',
      '"linkTitle" needs a "link".',
      '“Recordng” is a new category.',
      'Its date is in the future; it is shown straight away anyway.',
    ])
    const again = (await shop.run())['editorial/articles/x.md']!
    expect(again.outcome).toBe('same')
    expect(again.warnings).not.toContain('<script>, <iframe> are not kept.')
  })
})
