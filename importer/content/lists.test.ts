import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { contentShop, matter, NOW } from '#tests/support/content-shop.ts'
import { importVocabularies } from './run.ts'

const shop = contentShop()

describe('questions', () => {
  const faq = (name: string, ...questions: string[]) =>
    matter(
      { name },
      questions.map((question) => `## ${question}\n\nAnswer with [a link](/faq).`).join('\n\n'),
    )

  test('are stored in order with sanitised answers; unpublished ones are marked', async () => {
    shop.owner
      .put('faq/02-b.md', faq('B', 'One?', '(unpublished) Two?'))
      .put('faq/01-a.md', faq('A', 'Three?'))
    await shop.run()
    expect(
      await shop.rows(`select c.name, f.question, f.answer, f.published from faqs f
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

  test('are removed with their category when its file is gone, but not if any file is broken', async () => {
    shop.owner.put('faq/01-a.md', faq('A', 'One?')).put('faq/02-b.md', faq('B', 'Two?'))
    await shop.run()
    shop.owner.put('faq/02-b.md', faq('C', 'Two?'))
    expect((await shop.run())['faq/B']).toMatchObject({
      outcome: 'changed',
      details: ['removed: no file holds it any more'],
    })
    shop.owner.put('faq/02-b.md', 'broken')
    await shop.run()
    expect(await shop.rows('select name from faq_categories order by position')).toEqual([
      { name: 'A' },
      { name: 'C' },
    ])
  })

  test('without an answer are refused', async () => {
    shop.owner.put('faq/01-a.md', matter({ name: 'A' }, '## One?\n\n## Two?\n\nYes.'))
    expect((await shop.run())['faq/01-a.md']!.details).toEqual(['“One?” has no answer.'])
  })
})

describe('the lists that titles choose from', () => {
  const lists = async () => {
    const reports = await importVocabularies(
      { db: shop.database.db, media: shop.media, now: () => NOW },
      shop.owner.path,
    )
    return Object.fromEntries(reports.map(({ folder, outcome, details }) => [folder, [outcome, ...details]]))
  }

  test('a text about a person is kept for the page that comes with a book', async () => {
    await shop.database.db.execute(sql`truncate people cascade`)
    const della = { firstName: 'Della', lastName: 'Voss', about: 'She walks first.' }
    shop.owner.put('people.json', [della])
    expect((await lists())['people.json']).toEqual(['created'])
    shop.owner.put('people.json', [{ ...della, about: 'She sings.' }])
    expect((await lists())['people.json']).toEqual(['changed', 'Della Voss'])
    expect(await shop.rows('select first_name, last_name, about from people')).toEqual([
      { first_name: 'Della', last_name: 'Voss', about: 'She sings.' },
    ])
    shop.owner.put('people.json', [])
  })

  test('are created in the order of the files, and only differences are written', async () => {
    await shop.database.db.execute(sql`truncate styles, categories, publishers cascade`)
    shop.owner
      .put('styles.json', [{ title: 'Storm' }, { title: 'Calm' }])
      .put('categories.json', [{ name: 'Novels', visible: false, weight: 30 }, { name: 'Memoir' }])
      .put('publishers.json', [{ slug: 'row', name: 'Row', about: 'Five people.' }])
    expect(await lists()).toEqual({
      'publishers.json': ['created'],
      'categories.json': ['created'],
      'styles.json': ['created'],
    })
    expect(await shop.rows('select title from styles order by id')).toEqual([
      { title: 'Storm' },
      { title: 'Calm' },
    ])
    shop.owner
      .put('styles.json', [{ title: 'Fog' }, { title: 'Storm' }])
      .put('categories.json', [{ name: 'Novels', visible: true, weight: 30 }, { name: 'Memoir' }])
      .put('publishers.json', [{ slug: 'row', name: 'Lantern Row', website: 'https://row.example' }])
    expect(await lists()).toEqual({
      'publishers.json': ['changed', 'Lantern Row'],
      'categories.json': ['changed', 'Novels'],
      'styles.json': ['changed', 'Fog'],
    })
    expect(await shop.rows('select slug, name, about, website from publishers')).toEqual([
      { slug: 'row', name: 'Lantern Row', about: null, website: 'https://row.example' },
    ])
    expect(await shop.rows('select name, visible, weight from categories order by id')).toEqual([
      { name: 'Novels', visible: true, weight: 30 },
      { name: 'Memoir', visible: true, weight: 0 },
    ])
    expect(new Set(Object.values(await lists()).map(([outcome]) => outcome))).toEqual(new Set(['same']))
  })

  test('create the publishers that a home page shows, also in a dry run', async () => {
    shop.owner.put('home.json', { publishers: ['row'] })
    expect((await shop.run())['home.json']!.details).toEqual(['No publisher is called “row”.'])
    shop.owner.put('publishers.json', [{ slug: 'row', name: 'Row' }])
    expect((await shop.run({ dryRun: true }))['home.json']!.outcome).toBe('created')
  })
})
