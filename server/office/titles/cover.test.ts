import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { picture } from '#importer/fixtures/owners-folder.ts'
import { selectNamedMedia } from '#importer/sweep.ts'
import { DAY_MS } from '#contract/durations.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let editor: StaffSession
beforeAll(async () => {
  shop = await testShop()
  editor = await signedInStaff(shop, 'editor')
})
afterAll(() => shop.close())

const COLOURS = { backgroundColour: '#1F2E50', containerColour: '#17223C', textColour: '#F6E9CF' }
const put = (slug: string, body: object) => editor.ask('PUT', `/api/office/titles/${slug}/cover`, body)
const draw = (slug: string, format = 'audio_book') =>
  editor.ask('POST', `/api/office/titles/${slug}/cover/draw`, { format })
const undo = (entry: number) => editor.ask('POST', `/api/office/activity/${entry}/undo`)
const bookOf = async (id: number) => (await shop.db.select().from(books).where(eq(books.id, id)))[0]!
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const why = (answer: Awaited<ReturnType<typeof put>>) => answer.json()['hydra:description']

test('OFFICE-70: a cover is set for one format, its colours for both, no import changes it, and undo brings the former one back', async () => {
  const audio = await anAudioBook(shop, { slug: 'skerry', title: 'Skerry' })
  const text = await anEBook(shop, { slug: 'skerry', title: 'Skerry' })
  const first = (await draw('skerry')).json()
  const drawn = await bookOf(audio.id)
  expect(drawn.coverId).toMatch(/^[\da-f]{32}$/)
  expect(drawn.backgroundColour).toMatch(/^#/)
  const body = { format: 'audio_book', base64: base64(await picture('#334455', 400, 400)), colours: COLOURS }
  const done = (await put('skerry', body)).json()
  expect(done).toEqual({ entry: expect.any(Number), what: 'Changed cover, colours of Skerry' })
  const set = await bookOf(audio.id)
  expect(set).toMatchObject({ ...COLOURS, setByOwner: expect.arrayContaining(['cover', 'colours']) })
  expect(set.coverId).not.toBe(drawn.coverId)
  expect(await bookOf(text.id)).toMatchObject({ ...COLOURS, coverId: null, setByOwner: ['colours'] })
  for (const rendition of ['330.webp', '900.jpg', 'thumb.webp']) {
    const url = `/media/covers/${set.coverId!.slice(0, 2)}/${set.coverId}-${rendition}`
    expect((await shop.app.inject(url)).statusCode, url).toBe(200)
  }
  expect((await put('skerry', body)).json()).toEqual({ entry: null, what: 'Nothing was different' })
  expect((await undo(first.entry)).statusCode).toBe(422)
  expect((await undo(done.entry)).statusCode).toBe(200)
  expect((await bookOf(audio.id)).coverId).toBe(drawn.coverId)
})

test('OFFICE-70: undoing a cover lets the field follow its folder again, unless it was changed here before', async () => {
  const { id } = await anAudioBook(shop, { slug: 'tarn', title: 'Tarn', ...COLOURS })
  const first = (await draw('tarn')).json()
  expect((await bookOf(id)).setByOwner).toEqual(['cover'])
  const second = (
    await put('tarn', { format: 'audio_book', base64: base64(await picture('#228866', 400, 400)) })
  ).json()
  expect((await undo(second.entry)).statusCode).toBe(200)
  expect((await bookOf(id)).setByOwner).toEqual(['cover'])
  expect((await undo(first.entry)).statusCode).toBe(200)
  expect(await bookOf(id)).toMatchObject({ coverId: null, setByOwner: [], sourceValues: {} })
})

test('OFFICE-70: the drawing is the one that an import makes, in the title’s own colours', async () => {
  const { id } = await anAudioBook(shop, { slug: 'peat', title: 'Peat', ...COLOURS })
  await draw('peat')
  const before = await bookOf(id)
  expect(before).toMatchObject({ ...COLOURS, setByOwner: ['cover'] })
  expect((await draw('peat')).json().entry).toBeNull()
  expect((await draw('peat', 'e_book')).statusCode).toBe(404)
  expect((await draw('nowhere')).statusCode).toBe(404)
})

test('OFFICE-70: an SVG, a file that is no picture, a small one, a damaged one and one with too many pixels are refused', async () => {
  const { id } = await anAudioBook(shop, { slug: 'gall', title: 'Oak Gall' })
  const whole = await picture('#334455', 400, 400)
  const bomb = await sharp({ create: { width: 11_000, height: 10_000, channels: 3, background: '#fff' } })
    .png({ compressionLevel: 9 })
    .toBuffer()
  const refusals: [bytes: Uint8Array, words: string][] = [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"/>'), 'JPEG, PNG or WebP'],
    [Buffer.from('no picture'), 'JPEG, PNG or WebP'],
    [await sharp(whole).avif().toBuffer(), 'JPEG, PNG or WebP'],
    [await picture('#334455', 40, 40), '40 pixels wide'],
    [whole.subarray(0, whole.length / 2), 'damaged'],
    [bomb, 'too many pixels'],
  ]
  for (const [bytes, words] of refusals) {
    const answer = await put('gall', { format: 'audio_book', base64: base64(bytes) })
    expect([answer.statusCode, why(answer)], words).toEqual([422, expect.stringContaining(words)])
  }
  const huge = await put('gall', { format: 'audio_book', base64: 'A'.repeat(5_400_000) })
  expect(huge.statusCode).toBe(422)
  expect(await bookOf(id)).toMatchObject({ coverId: null, setByOwner: [] })
})

test('OFFICE-70: a cover that was replaced stays in the media store while undo needs it', async () => {
  await anAudioBook(shop, { slug: 'wrack', title: 'Wrack' })
  const one = await draw('wrack')
  const { coverId } = (await shop.db.select().from(books).where(eq(books.slug, 'wrack')))[0]!
  await put('wrack', { format: 'audio_book', base64: base64(await picture('#654321', 400, 400)) })
  expect(one.statusCode).toBe(200)
  expect(await selectNamedMedia(shop.db, shop.now())).toContain(coverId)
  const muchLater = new Date(shop.now().getTime() + 31 * DAY_MS)
  expect(await selectNamedMedia(shop.db, muchLater)).not.toContain(coverId)
})
