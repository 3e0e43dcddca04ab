import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OfficeDocument, PieceContent } from '#contract/office/documents.ts'
import { unnamedMedia } from '#importer/sweep.ts'
import { DAY_MS } from '#contract/durations.ts'
import { LARGEST_PICTURE } from '#contract/limits.ts'
import { importBatches } from '#server/db/schema/imports.ts'
import { coverPath } from '#server/integrations/media/paths.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'
import { removeOldImports } from '../imports/service.ts'
import { folderOf } from '../imports/uploads.ts'

let shop: TestShop
let editor: StaffSession
beforeAll(async () => {
  shop = await testShop()
  editor = await signedInStaff(shop, 'editor')
})
afterAll(() => shop.close())

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c8a23c' } })
const store = (bytes: Buffer) =>
  editor.ask('POST', '/api/office/pictures', { base64: bytes.toString('base64') })
const reason = (answer: { json: () => Record<string, unknown> }) => answer.json()['hydra:description']
const publicly = (url: string) => {
  shop.answers.clear()
  return shop.app.inject({ url })
}

test('OFFICE-77: a picture is stored in the importer’s sizes, and is published once it is described', async () => {
  const stored = (await store(await plain(1200, 800).jpeg().toBuffer())).json()
  expect(stored).toMatchObject({ width: 900, height: 600 })
  const address = `/media/covers/${stored.id.slice(0, 2)}/${stored.id}-900.webp`
  expect((await shop.app.inject({ url: address })).headers['content-type']).toBe('image/webp')

  const { kind, key } = (
    await editor.ask('POST', '/api/office/documents', { kind: 'article', title: 'Peat' })
  ).json()
  const at = `/api/office/documents/${kind}/${key}`
  let { content, version }: { content: PieceContent; version: number } = (await editor.ask('GET', at)).json<
    OfficeDocument & { content: PieceContent }
  >()
  const save = async (change: Partial<PieceContent>) => {
    content = { ...content, ...change }
    const saved = (await editor.ask('PUT', `${at}/draft`, { content, version })).json()
    version = saved.version
    return saved.missing.map(({ field }: { field: string }) => field)
  }
  expect(
    await save({
      shortDescription: 'Cut in May.',
      hideAuthor: true,
      pictureId: stored.id,
      body: `Wet.\n\n![ ](${address})`,
    }),
  ).toEqual(['body', 'altText'])
  expect(await save({ altText: 'A spade', body: `Wet.\n\n![A spade](${address} "In May")` })).toEqual([])
  expect(await save({ audioId: 'f'.repeat(64), pictureId: 'e'.repeat(32) })).toEqual(['pictureId', 'audioId'])
  await save({ audioId: null, pictureId: stored.id })
  // A sweep leaves alone what only a draft names.
  const later = new Date(Date.now() + 2 * DAY_MS)
  const swept = (await unnamedMedia(shop.db, shop.media, later)).old.map(({ path }) => path)
  expect(swept).not.toContain(coverPath(stored.id, '900.webp'))

  expect((await editor.ask('POST', `${at}/publish`, { version })).statusCode).toBe(200)
  const shown = (await publicly('/api/articles/peat')).json()
  expect(shown.main).toContain(`<img src="${address}"`)
  expect(shown.main).toContain('alt="A spade" width="900" height="600"')
  expect(shown.main).toContain('<figcaption>In May</figcaption>')
})

test('OFFICE-77: an SVG, a torn file, a bomb of pixels and too large a file are refused in words', async () => {
  const svg = await store(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))
  expect([svg.statusCode, reason(svg)]).toEqual([422, 'This is no JPEG, PNG or WebP picture.'])
  const text = await store(Buffer.from('no picture at all'))
  expect(reason(text)).toBe('This is no JPEG, PNG or WebP picture.')
  const whole = await sharp(
    Buffer.from(Uint8Array.from({ length: 300 * 300 * 3 }, (_, at) => (at * 7919) % 251)),
    {
      raw: { width: 300, height: 300, channels: 3 },
    },
  )
    .png()
    .toBuffer()
  const torn = await store(whole.subarray(0, whole.length / 2))
  expect([torn.statusCode, reason(torn)]).toEqual([422, 'This picture can’t be read. It may be damaged.'])
  const bomb = await plain(8000, 8000).png({ compressionLevel: 9 }).toBuffer()
  expect(bomb.length).toBeLessThan(1_000_000)
  const refused = await store(bomb)
  expect([refused.statusCode, reason(refused)]).toEqual([
    422,
    'This picture has 8000 by 8000 pixels. 1,800 pixels are wide enough.',
  ])
  expect((await store(Buffer.alloc(LARGEST_PICTURE + 10))).statusCode).toBe(422)
})

test('OFFICE-77: a recording is stored from the caller’s own upload, which ends then', async () => {
  const begin = async () => (await editor.ask('POST', '/api/office/sounds/uploads')).json().id
  const batch = await begin()
  const folder = join(folderOf(shop, batch), 'episode')
  await mkdir(folder, { recursive: true })
  const sound = await readFile(join(import.meta.dirname, '../../../importer/fixtures/tone.mp3'))
  await writeFile(join(folder, 'episode.mp3'), sound)
  const other = await signedInStaff(shop, 'editor')
  expect((await other.ask('POST', '/api/office/sounds', { batch })).statusCode).toBe(404)
  const { id, seconds } = (await editor.ask('POST', '/api/office/sounds', { batch })).json()
  expect(id).toMatch(/^[\da-f]{64}$/)
  expect(seconds).toBeGreaterThan(0)
  expect((await editor.ask('POST', '/api/office/sounds', { batch })).statusCode).toBe(404)

  const damaged = await begin()
  await mkdir(join(folderOf(shop, damaged), 'x'), { recursive: true })
  await writeFile(join(folderOf(shop, damaged), 'x', 'x.mp3'), 'no sound')
  const refused = await editor.ask('POST', '/api/office/sounds', { batch: damaged })
  expect([refused.statusCode, reason(refused)]).toEqual([422, 'x.mp3 is not MP3 sound.'])
  const none = await editor.ask('POST', '/api/office/sounds', { batch: await begin() })
  expect(reason(none)).toBe('Choose one MP3 or M4A file.')
})

test('OFFICE-77: an interrupted recording is no open import, makes room for newer ones, and is removed after a day', async () => {
  const who = await signedInStaff(shop, 'editor')
  const begin = async () => (await who.ask('POST', '/api/office/sounds/uploads')).json().id as string
  const first = await begin()
  await mkdir(join(folderOf(shop, first), 'x'), { recursive: true })
  expect((await who.ask('GET', '/api/office/imports/latest')).json()).toEqual({ batch: null })
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/read'],
  ] as const)
    expect((await who.ask(method, `/api/office/imports/${first}${path}`)).statusCode).toBe(404)
  const later = [await begin(), await begin(), await begin(), await begin()]
  expect((await who.ask('POST', '/api/office/imports')).statusCode).toBe(200)
  expect(existsSync(folderOf(shop, first))).toBe(true)
  later.push(await begin())
  expect(existsSync(folderOf(shop, first))).toBe(false)
  const stored = async (batch: string) => (await who.ask('POST', '/api/office/sounds', { batch })).statusCode
  expect([await stored(first), await stored(later[0]!)]).toEqual([404, 422])
  await shop.db
    .update(importBatches)
    .set({ updatedAt: new Date(shop.now().getTime() - 2 * DAY_MS) })
    .where(eq(importBatches.staffId, who.id))
  await removeOldImports(shop)
  expect(await stored(later[0]!)).toBe(404)
  expect((await who.ask('GET', '/api/office/imports/latest')).json().batch).not.toBeNull()
})
