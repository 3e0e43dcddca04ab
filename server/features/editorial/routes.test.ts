import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as contract from '#contract/editorial.ts'
import type { EditorialItem, Murmuration } from '#contract/editorial.ts'
import { anAudioBook, anEBook, type TestBook } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { aCover } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import {
  aMurmurationType,
  anAuthor,
  anEditorialCategory,
  anItem,
  aRecording,
} from '#tests/support/editorial-builders.ts'

const KINDS = [
  { kind: 'article', path: 'articles', type: 'Article', list: contract.listArticles, item: contract.Article },
  {
    kind: 'interview',
    path: 'interviews',
    type: 'Interview',
    list: contract.listInterviews,
    item: contract.Interview,
  },
  {
    kind: 'discussion',
    path: 'discussions',
    type: 'Discussion',
    list: contract.listDiscussions,
    item: contract.Discussion,
  },
] as const
type Path = (typeof KINDS)[number]['path']

let shop: TestShop
let typeIds: number[]
let peat: TestBook

// Seven of each kind, each an hour newer than the one before, and one unpublished item of each kind.
beforeAll(async () => {
  shop = await testShop()
  typeIds = [await aMurmurationType(shop, 'Essays'), await aMurmurationType(shop, 'Behind the microphone')]
  const authorId = await anAuthor(shop, 'Mina', 'Tallis', 'She asks.')
  const categoryId = await anEditorialCategory(shop, 'Recording')
  const pictureId = await aCover(shop, 'c'.repeat(32))
  peat = await anAudioBook(shop, { slug: 'peat' })
  const gone = await anAudioBook(shop, { slug: 'gone', published: false })
  const paper = await anEBook(shop, { slug: 'peat' })
  const start = shop.now().getTime() - 100 * 3_600_000
  for (const [turn, { kind }] of KINDS.entries())
    for (let n = 1; n <= 7; n += 1)
      await anItem(shop, {
        kind,
        slug: `${kind}-${n}`,
        // The order of the titles is the reverse of the order of the dates.
        title: `${String.fromCharCode(72 - n)} ${kind}`,
        publishedAt: new Date(start + (3 * n + turn) * 3_600_000),
        typeId: n <= 2 ? typeIds[turn % 2]! : null,
        ...(n === 7
          ? {
              summary: 'S',
              shortDescription: 'D',
              main: '<h2>Head</h2><p>Body</p>',
              pictureId,
              altText: 'A flock',
              featured: true,
              authorId,
              categoryId,
              typeId: typeIds[0]!,
              audioId: await aRecording(shop, kind),
              videoLink: 'https://vimeo.com/1',
              link: 'https://tickets.example/',
              linkTitle: 'Reserve',
              startsAt: new Date('2026-04-01T19:00:00Z'),
              metaDescription: 'Meta',
              metaKeywords: 'words',
              about: [gone, paper, peat],
            }
          : {}),
      })
  for (const { kind } of KINDS)
    await anItem(shop, { kind, slug: 'draft', published: false, publishedAt: shop.now() })
})
afterAll(() => shop.close())

async function get<T>(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: T }> {
  const answer = await shop.app.inject({ url, headers })
  return { status: answer.statusCode, body: answer.json() }
}
interface List<M> {
  'hydra:member': M[]
  'hydra:totalItems': number
  'hydra:view': Record<string, string>
}
const see = async (path: Path, slug: string, headers?: Record<string, string>) =>
  (await get<EditorialItem>(`/api/${path}/${slug}`, headers)).body
const nameOf = ({ article, interview, discussion }: Murmuration) => (article ?? interview ?? discussion)!.slug
const murmurations = async (query: string) => (await get<List<Murmuration>>(`/api/murmurations${query}`)).body

describe.each(KINDS)('$path', ({ kind, path, type, list }) => {
  test('API-23 API-24 API-25: lists five at a time, newest first, by page or _page, without unpublished items', async () => {
    const { status, body } = await get<List<{ slug: string; '@type': string }>>(`/api/${path}`)
    expect(status).toBe(200)
    expect(misfits(list.reply, body)).toEqual([])
    expect(body['hydra:member'].map(({ slug }) => slug)).toEqual([7, 6, 5, 4, 3].map((n) => `${kind}-${n}`))
    expect(new Set(body['hydra:member'].map((each) => each['@type']))).toEqual(new Set([type]))
    expect(body['hydra:totalItems']).toBe(7)
    for (const query of ['?page=2', '?_page=2', '?_page=2&itemsPerPage=5'])
      expect(
        (await get<List<{ slug: string }>>(`/api/${path}${query}`)).body['hydra:member'].map(
          ({ slug }) => slug,
        ),
      ).toEqual([`${kind}-2`, `${kind}-1`])
    expect((await get<List<object>>(`/api/${path}?itemsPerPage=3`)).body['hydra:member']).toHaveLength(3)
  })

  test('ENT-03 ENT-40: an item has every field of its kind', async () => {
    const { status, body } = await get<EditorialItem>(`/api/${path}/${kind}-7`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      title: `A ${kind}`,
      slug: `${kind}-7`,
      summary: 'S',
      shortDescription: 'D',
      main: '<h2>Head</h2><p>Body</p>',
      image: `/media/covers/cc/${'c'.repeat(32)}-900.webp`,
      imagePlaceholder: '3b2a1c'.repeat(16),
      altText: 'A flock',
      featured: true,
      memberOnly: false,
      minimumTier: null,
      hideAuthor: false,
      access: 'open',
      videoLink: 'https://vimeo.com/1',
      audioFile: expect.stringMatching(/^\/media\/recordings\/[0-9a-f]{64}\.mp3$/),
      audioSeconds: 90,
      link: 'https://tickets.example/',
      linkTitle: 'Reserve',
      metaDescription: 'Meta',
      metaKeywords: 'words',
      author: { firstName: 'Mina', lastName: 'Tallis', image: null, biography: 'She asks.' },
      category: { name: 'Recording' },
      type: { id: typeIds[0], title: 'Essays' },
      startsAt: '2026-04-01T19:00:00Z',
      hasAudio: true,
      hasVideo: true,
    })
    expect(body.relatedBooks.map(({ slug, entityType }) => [slug, entityType])).toEqual([
      ['peat', 'audioBook'],
    ])
  })

  test('API-23 API-24 API-25: finds an item by its slug; an unknown one, one of another kind and an unpublished one are 404', async () => {
    expect(await see(path, `${kind}-7`)).toMatchObject({ '@type': type, slug: `${kind}-7` })
    for (const slug of ['nothing', 'draft', kind === 'article' ? 'interview-1' : 'article-1'])
      expect((await get(`/api/${path}/${slug}`)).status).toBe(404)
  })
})

describe('all kinds together', () => {
  test('API-40: are listed five per page, newest first, each under the name of its kind', async () => {
    const body = await murmurations('')
    expect(misfits(contract.listMurmurations.reply, body)).toEqual([])
    expect(body['hydra:member'].map(nameOf)).toEqual([
      'discussion-7',
      'interview-7',
      'article-7',
      'discussion-6',
      'interview-6',
    ])
    expect(body['hydra:totalItems']).toBe(21)
    expect((await murmurations('?_page=5'))['hydra:member'].map(nameOf)).toEqual(['article-1'])
    expect((await murmurations('?itemsPerPage=21'))['hydra:member']).toHaveLength(21)
  })

  test('ENT-04: a murmuration contains one of the three, with the fields of a card, and the list its total', async () => {
    const body = await murmurations('?itemsPerPage=3')
    expect(body['hydra:totalItems']).toBe(21)
    const [discussion, interview, article] = body['hydra:member']
    for (const [murmuration, kind] of [
      [discussion, 'discussion'],
      [interview, 'interview'],
      [article, 'article'],
    ] as const) {
      const held = murmuration!
      expect(KINDS.filter((each) => held[each.kind] !== null).map((each) => each.kind)).toEqual([kind])
      expect(held[kind]).toMatchObject({
        title: `A ${kind}`,
        slug: `${kind}-7`,
        summary: 'S',
        entityType: kind,
        image: expect.stringContaining('/media/covers/'),
        type: { title: 'Essays' },
      })
    }
  })

  test('API-40: search[] filters by kinds and types by murmuration types, one or several', async () => {
    const total = async (query: string) => (await murmurations(query))['hydra:totalItems']
    expect(await total('?search[]=articles')).toBe(7)
    expect(await total('?search[]=articles&search[]=discussions')).toBe(14)
    expect(await total('?search[]=articles,interviews,discussions')).toBe(21)
    const [essays, behind] = typeIds
    expect(await total(`?types=${essays}`)).toBe(7)
    expect(await total(`?types=${behind}`)).toBe(2)
    expect(await total(`?types=${essays},${behind}&search[]=interviews`)).toBe(3)
    expect(await total('?types=9999')).toBe(0)
  })

  test('API-40: sort and direction change the order', async () => {
    const first = async (query: string) => nameOf((await murmurations(query))['hydra:member'][0]!)
    expect(await first('?sort=publishedAt&direction=asc')).toBe('article-1')
    expect(await first('?sort=publishedAt&direction=desc')).toBe('discussion-7')
    expect(await first('?sort=publishedAt')).toBe('discussion-7')
    expect(await first('?sort=title&direction=asc')).toBe('article-7')
    expect(await first('?sort=title&direction=desc')).toBe('interview-1')
  })

  test('API-40: refuses unknown kinds, sorts and pages', async () => {
    for (const query of [
      'search[]=books',
      'sort=price',
      'direction=up',
      '_page=0',
      'types=essays',
      'types=99999999999',
    ])
      expect((await get(`/api/murmurations?${query}`)).status).toBe(400)
  })

  test('API-39 ENT-05: returns id and title of the types', async () => {
    const { body } = await get<List<object>>('/api/types/murmurations')
    expect(body['hydra:member']).toMatchObject([
      { id: typeIds[0], title: 'Essays' },
      { id: typeIds[1], title: 'Behind the microphone' },
    ])
    expect(body['hydra:totalItems']).toBe(2)
  })

  test('lists the items about a book; 404 for an unknown book', async () => {
    const { body } = await get<List<Murmuration>>('/api/audio_books/peat/murmurations')
    expect(body['hydra:member'].map(nameOf)).toEqual(['discussion-7', 'interview-7', 'article-7'])
    expect((await get('/api/audio_books/nothing/murmurations')).status).toBe(404)
  })

  test('a hidden author is in no response', async () => {
    const authorId = await anAuthor(shop, 'Quiet', 'Person')
    await anItem(shop, { slug: 'anonymous', authorId, hideAuthor: true, publishedAt: new Date(0) })
    shop.answers.clear()
    for (const url of [
      '/api/articles/anonymous',
      '/api/murmurations?direction=asc',
      '/api/articles?itemsPerPage=20',
    ])
      expect((await shop.app.inject({ url })).body).not.toContain('Quiet')
    expect(await see('articles', 'anonymous')).toMatchObject({ hideAuthor: true, author: null })
  })
})
