import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EditorialItem } from '#contract/editorial.ts'
import { aUser, signedIn } from '#tests/support/builders.ts'
import { aStoredFile } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { aMember, anItem } from '#tests/support/editorial-builders.ts'

const KINDS = ['article', 'interview', 'discussion'] as const

type Reader = 'visitor' | 'nobody' | 'supporter' | 'reader' | 'avid' | 'overdue' | 'lapsed'
const headers = {} as Record<Reader, Record<string, string>>
const sound = Buffer.from('a recording for members')
let shop: TestShop
let sha256: string

beforeAll(async () => {
  shop = await testShop()
  sha256 = await aStoredFile(shop, sound, 'mp3')
  const ago = (days: number) => new Date(shop.now().getTime() - days * 24 * 3_600_000)
  const failed = (days: number) => ({ status: 'past_due' as const, paymentFailedAt: ago(days) })
  headers.visitor = {}
  headers.nobody = await signedIn(shop, await aUser(shop))
  headers.supporter = await signedIn(shop, await aMember(shop, 6))
  headers.reader = await signedIn(shop, await aMember(shop, 5))
  headers.avid = await signedIn(shop, await aMember(shop, 3))
  headers.lapsed = await signedIn(shop, await aMember(shop, 4, failed(2)))
  headers.overdue = await signedIn(shop, await aMember(shop, 4, failed(20)))
  const media = {
    audioId: sha256,
    videoLink: 'https://youtu.be/secret',
    link: 'https://secret.example/',
    linkTitle: 'Door',
    main: '<p>Everybody reads this.</p>',
  }
  for (const kind of KINDS) {
    await anItem(shop, { kind, slug: 'free', ...media, audioId: null })
    await anItem(shop, { kind, slug: 'for-members', memberOnly: true, ...media })
    await anItem(shop, {
      kind,
      slug: 'for-supporters',
      memberOnly: true,
      minimumTier: 'supporter',
      ...media,
    })
    await anItem(shop, { kind, slug: 'for-readers', memberOnly: true, minimumTier: 'reader', ...media })
  }
  shop.answers.clear()
})

afterAll(() => shop.close())

const see = async (path: string, slug: string, headers: Record<string, string> = {}) =>
  (await shop.app.inject({ url: `/api/${path}/${slug}`, headers })).json<EditorialItem>()

const TABLE: readonly [Reader, free: string, members: string, supporters: string, readers: string][] = [
  ['visitor', 'open', 'member', 'member', 'member'],
  ['nobody', 'open', 'member', 'member', 'member'],
  ['overdue', 'open', 'member', 'member', 'member'],
  ['supporter', 'open', 'open', 'open', 'upgrade'],
  ['reader', 'open', 'open', 'open', 'open'],
  ['lapsed', 'open', 'open', 'open', 'open'],
  ['avid', 'open', 'open', 'open', 'open'],
]
const ITEMS = ['free', 'for-members', 'for-supporters', 'for-readers'] as const

test.each(TABLE)(
  'ROLE-12 ROLE-18 EDIT-04: %s reads free %s, for members %s, for supporters %s, for readers %s',
  async (reader, ...expected) => {
    for (const path of KINDS.map((kind) => `${kind}s`))
      for (const [index, slug] of ITEMS.entries()) {
        const answer = await shop.app.inject({ url: `/api/${path}/${slug}`, headers: headers[reader] })
        const item = answer.json<EditorialItem>()
        expect(item.access, `${path}/${slug}`).toBe(expected[index])
        expect(item.main).toBe('<p>Everybody reads this.</p>')
        const isOpen = item.access === 'open'
        expect([item.videoLink, item.link, item.linkTitle]).toEqual(
          isOpen ? ['https://youtu.be/secret', 'https://secret.example/', 'Door'] : [null, null, null],
        )
        expect(item.audioFile !== null).toBe(isOpen && slug !== 'free')
        // The address must not be anywhere else in the response either.
        const heldBack = isOpen ? '' : answer.body
        expect(heldBack).not.toMatch(/secret|\/media\/(sound|recordings)|Door/)
        expect(heldBack).not.toContain(sha256)
      }
  },
)

test('ROLE-12: a member plays the recording by an address of their own, which expires', async () => {
  const { audioFile } = await see('interviews', 'for-readers', headers.avid)
  const heard = await shop.app.inject({ url: audioFile! })
  expect(heard.statusCode).toBe(200)
  expect(heard.rawPayload.equals(sound)).toBe(true)
  expect(heard.headers['cache-control']).toBe('private, no-store')
  // Without its signature, the address is useless.
  expect((await shop.app.inject({ url: audioFile!.split('?')[0]! })).statusCode).toBe(403)
})

test('a recording is public only while its item is for everybody', async () => {
  const url = `/media/recordings/${sha256}.mp3`
  expect((await shop.app.inject({ url })).statusCode).toBe(404)
  const open = await anItem(shop, { slug: 'open-for-a-while', audioId: sha256 })
  shop.answers.clear()
  const item = await see('articles', open.slug)
  expect(item.audioFile).toBe(url)
  expect((await shop.app.inject({ url })).rawPayload.equals(sound)).toBe(true)
  await shop.db.execute(`update editorial_items set published = false where slug = 'open-for-a-while'`)
  shop.answers.clear()
  expect((await shop.app.inject({ url })).statusCode).toBe(404)
})

test('a visitor’s response can be cached publicly, a member’s not at all', async () => {
  const of = (reader: Reader) =>
    shop.app.inject({ url: '/api/articles/for-readers', headers: headers[reader] })
  expect((await of('visitor')).headers['cache-control']).toBe('public, max-age=0, must-revalidate')
  expect((await of('avid')).headers['cache-control']).toBe('private, no-store')
  // A visitor must not receive the member's response from a cache.
  expect((await of('visitor')).json<EditorialItem>().access).toBe('member')
})

test('lists say that there is audio and video, but never where', async () => {
  const body = (await shop.app.inject({ url: '/api/interviews?itemsPerPage=20', headers: headers.avid })).body
  expect(body).toContain('"hasVideo":true')
  expect(body).not.toMatch(/secret|\/media\/(sound|recordings)/)
})
