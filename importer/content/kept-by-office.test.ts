import { expect, test } from 'vitest'
import type { OfficeDocument } from '#contract/office/documents.ts'
import type { Shop } from '#server/shop.ts'
import { publishDocument, saveDraft, openDocument, useFolder } from '#server/features/documents/service.ts'
import { article, contentShop, fillFolder, matter, NOW } from '#tests/support/content-shop.ts'

const shop = contentShop()
const hana = { staffId: '00000000-0000-4000-8000-000000000001', name: 'Hana Brodie' }

/** What the services of documents need of a shop. */
const asShop = () =>
  ({
    db: shop.database.db,
    now: () => NOW,
    clock: { now: () => NOW },
    config: { details: undefined },
  }) as unknown as Pick<Shop, 'db' | 'now' | 'clock' | 'config'>

async function publish(kind: OfficeDocument['kind'], key: string, change: (content: never) => object) {
  const { content, row } = await openDocument(asShop(), { kind, key })
  const version = row?.version ?? 0
  await saveDraft(asShop(), hana, { kind, key }, { content: change(content as never), version })
  await publishDocument(asShop(), hana, { kind, key })
}

test('OFFICE-45: what was published in the office stays when the folder says something else, until the folder is chosen', async () => {
  await fillFolder(shop.owner)
  await shop.run()
  await publish('page', 'about', (content: object) => ({ ...content, body: 'The office’s.' }))
  await publish('article', 'a-voice', (content: object) => ({ ...content, title: 'The office’s' }))
  await publish('faq', 'faq', () => ({ categories: [] }))
  await publish('menus', 'menus', (content: object) => ({ ...content, main: [] }))
  await publish('home', 'home', (content: object) => ({ ...content, aboutText: 'The office’s.' }))
  const before = await shop.everything()
  const reports = await shop.run()
  expect(await shop.everything()).toEqual(before)
  expect(Object.values(reports).filter(({ outcome }) => outcome !== 'same')).toEqual([])
  for (const file of [
    'pages/about.md',
    'editorial/articles/a-voice.md',
    'faq/01-buying.md',
    'menus.json',
    'home.json',
  ])
    expect(reports[file]?.warnings, file).toEqual([
      expect.stringContaining('Left as it was published in the office'),
    ])
  // A page that was never published in the office still follows its file.
  shop.owner.put('pages/support.md', matter({ title: 'Support' }, 'Write to us.'))
  expect((await shop.run())['pages/support.md']?.outcome).toBe('created')

  shop.owner.put('pages/about.md', matter({ title: 'About' }, 'The *folder’s*.'))
  await shop.run()
  await useFolder(asShop(), hana, { kind: 'page', key: 'about' })
  await useFolder(asShop(), hana, { kind: 'faq', key: 'faq' })
  await useFolder(asShop(), hana, { kind: 'article', key: 'a-voice' })
  expect(await shop.rows(`select content from info_pages where slug = 'about'`)).toEqual([
    { content: '<p>The <em>folder’s</em>.</p>' },
  ])
  expect(await shop.rows('select question, answer from faqs where published order by position')).toEqual([
    { question: 'How?', answer: '<p>So.</p>' },
    { question: 'When?', answer: '<p>Now.</p>' },
  ])
  expect(await shop.outcomes()).toMatchObject({
    'pages/about.md': 'same',
    'faq/01-buying.md': expect.stringMatching(/same|changed/),
    'editorial/articles/a-voice.md': 'same',
    'menus.json': 'same',
  })
})

test('a folder that says what the office says is no difference', async () => {
  await fillFolder(shop.owner)
  shop.owner
    .put(
      'editorial/interviews/rooms.md',
      matter({
        title: 'Rooms',
        summary: 'With an echo.',
        author: 'mina-tallis',
        memberOnly: true,
        minimumTier: 'reader',
        audio: 'rooms.mp3',
        parts: [{ at: '0:01', title: 'One' }],
        image: 'rooms.png',
        altText: 'Blue',
        publishedDaysAgo: 4,
      }),
    )
    .put(
      'editorial/discussions/evening.md',
      article({
        summary: 'Come.',
        startsInDays: 12,
        from: '18:30',
        until: '20:00',
        goodToKnow: ['A lift'],
        seats: 4,
      }),
    )
  await shop.run()
  for (const [kind, key] of [
    ['page', 'about'],
    ['article', 'a-voice'],
    ['interview', 'rooms'],
    ['discussion', 'evening'],
    ['faq', 'faq'],
    ['menus', 'menus'],
    ['home', 'home'],
  ] as const)
    await publish(kind, key, (content: object) => content)
  const reports = await shop.run()
  expect(Object.values(reports).flatMap(({ warnings }) => warnings)).toEqual([])
  expect(await shop.rows('select key from documents where folder is not null')).toEqual([])
})
