import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EditedBook } from '#contract/office/titles.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { bookTimes } from '#server/db/schema/listening.ts'
import { epub, mp3, TONE_MS } from '#importer/fixtures/owners-folder.ts'
import { anAudioBook, anEBook, aUser, inLibrary, signedIn } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'
import { folderOf } from '../imports/uploads.ts'

let shop: TestShop
let editor: StaffSession
beforeAll(async () => {
  shop = await testShop()
  editor = await signedInStaff(shop, 'editor')
})
afterAll(() => shop.close())

type Named = Pick<EditedBook['chapters'][number], 'title' | 'sound'>

const at = (slug: string) => `/api/office/titles/${slug}`
const edited = async (slug: string): Promise<EditedBook> =>
  (await editor.ask('GET', at(slug))).json().books[0]
const chaptersOf = async (slug: string): Promise<Named[]> =>
  (await edited(slug)).chapters.map(({ title, sound }) => ({ title, sound }))
const change = (slug: string, seen: readonly Named[], chapters: readonly Named[]) =>
  editor.ask('PUT', `${at(slug)}/chapters`, { seen, chapters })
const undo = (entry: number) => editor.ask('POST', `/api/office/activity/${entry}/undo`)
const why = (answer: Awaited<ReturnType<StaffSession['ask']>>) => answer.json()['hydra:description']

async function uploaded(name: string, bytes: Buffer | string, who = editor): Promise<string> {
  const batch: string = (await who.ask('POST', '/api/office/sounds/uploads')).json().id
  const folder = join(folderOf(shop, batch), 'one')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), bytes)
  return batch
}

test('office: chapters are reordered, renamed and removed; places follow, and an undo puts all of it back', async () => {
  const book = await anAudioBook(shop, { slug: 'oak-gall' })
  const listener = await aUser(shop)
  await inLibrary(shop, listener, book)
  await shop.app.inject({
    method: 'POST',
    url: '/api/user_chapter_times',
    headers: await signedIn(shop, listener),
    payload: { audioBook: '/api/audio_books/oak-gall', chapter: 3, seconds: 40 },
  })
  const placeOf = async () => {
    const [place] = await shop.db.select().from(bookTimes).where(eq(bookTimes.bookId, book.id))
    return [place!.chapter, place!.seconds]
  }
  const before = await chaptersOf('oak-gall')
  const [one, , three] = before as [Named, Named, Named]
  const done = (await change('oak-gall', before, [{ ...three, title: ' Ink ' }, one])).json()
  expect(done.what).toBe('Changed chapters of A Quiet Book')
  expect(await chaptersOf('oak-gall')).toEqual([{ ...three, title: 'Ink' }, one])
  expect(await placeOf()).toEqual([1, 40])
  expect((await undo(done.entry)).statusCode).toBe(200)
  expect([await chaptersOf('oak-gall'), await placeOf()]).toEqual([before, [3, 40]])
  expect((await edited('oak-gall')).setByOwner).toEqual([])
})

test('office: chapters set here are kept by imports until the folder is followed, and its number is shown', async () => {
  const book = await anAudioBook(shop, { slug: 'marram' })
  await shop.db
    .update(books)
    .set({ setByOwner: ['chapter 2'] })
    .where(eq(books.id, book.id))
  const before = await chaptersOf('marram')
  await change('marram', before, before.slice(0, 2))
  expect(await edited('marram')).toMatchObject({
    setByOwner: ['chapter 2', 'chapters'],
    sourceSays: { chapters: 3 },
  })
  await editor.ask('POST', `${at('marram')}/follow`, { field: 'chapters', format: 'audio_book' })
  expect(await chaptersOf('marram')).toEqual(before)
  expect((await edited('marram')).setByOwner).toEqual([])
})

test('office: a chapter’s sound is replaced by an upload, and a new chapter has one', async () => {
  await anAudioBook(shop, { slug: 'thrift' })
  const before = await chaptersOf('thrift')
  const batch = await uploaded('new.mp3', mp3({ title: 'New' }))
  const { id: sound } = (await editor.ask('POST', '/api/office/sounds', { batch })).json()
  const wanted = [{ ...before[0]!, sound }, ...before.slice(1), { title: 'Afterword', sound }]
  expect((await change('thrift', before, wanted)).statusCode).toBe(200)
  const { chapters } = await edited('thrift')
  expect(chapters).toHaveLength(4)
  expect(chapters[0]!.durationMs).toBeCloseTo(TONE_MS, -2)
})

test('office: no chapters are set that a colleague changed meanwhile, that have no name or sound, or that the title never had', async () => {
  await anAudioBook(shop, { slug: 'samphire' })
  await anAudioBook(shop, { slug: 'bare', chapters: [] })
  const seen = await chaptersOf('samphire')
  const [one] = seen as [Named]
  const late = await change('samphire', seen.slice(1), seen)
  expect([late.statusCode, why(late)]).toEqual([409, expect.stringContaining('changed meanwhile')])
  const refused: [readonly Named[], RegExp | string][] = [
    [[{ ...one, title: ' ' }], 'Give chapter 1 a name'],
    [[{ ...one, sound: '0'.repeat(64) }], 'no such sound'],
  ]
  for (const [chapters, words] of refused) {
    const answer = await change('samphire', seen, chapters)
    expect([answer.statusCode, why(answer)]).toEqual([422, expect.stringMatching(words)])
  }
  expect((await change('samphire', seen, [])).statusCode).toBe(422)
  expect(why(await change('bare', seen, seen))).toContain('no chapters yet')
  expect((await change('nothing', seen, seen)).statusCode).toBe(404)
})

test('office: an e-book’s text is set, replaced and taken out, each with an undo, and stays while somebody owns it', async () => {
  const book = await anEBook(shop, { slug: 'ebb', deliverable: false })
  const fileOf = async () => {
    const [row] = await shop.db.select().from(books).where(eq(books.id, book.id))
    return { file: row!.fileId, isSold: row!.sellable }
  }
  const set = async (title: string) => {
    const batch = await uploaded('ebb.epub', await epub({ title }))
    return (await editor.ask('PUT', `${at('ebb')}/text`, { batch })).json()
  }
  const first = await set('Ebb')
  const { file } = await fileOf()
  expect([first.what, await fileOf()]).toEqual([
    'Changed e-book’s file of A Quiet Book',
    { file: expect.any(String), isSold: true },
  ])
  const second = await set('Ebb, corrected')
  expect((await fileOf()).file).not.toBe(file)
  await undo(second.entry)
  expect(await fileOf()).toEqual({ file, isSold: true })
  const removed = (await editor.ask('DELETE', `${at('ebb')}/text`)).json()
  expect(await fileOf()).toEqual({ file: null, isSold: false })
  await undo(removed.entry)
  await inLibrary(shop, await aUser(shop), book)
  const owned = await editor.ask('DELETE', `${at('ebb')}/text`)
  expect([owned.statusCode, why(owned)]).toEqual([422, expect.stringContaining('Retire it instead')])
  expect(await fileOf()).toEqual({ file, isSold: true })
})

test('office: a text must be an EPUB of the caller’s own upload', async () => {
  await anEBook(shop, { slug: 'flow' })
  const set = (batch: string) => editor.ask('PUT', `${at('flow')}/text`, { batch })
  expect(why(await set(await uploaded('flow.epub', 'no book')))).toBe(
    'flow.epub is not an EPUB: it cannot be unpacked.',
  )
  expect(why(await set(await uploaded('flow.mp3', mp3({}))))).toBe('Choose one EPUB file.')
  const other = await signedInStaff(shop, 'editor')
  expect((await set(await uploaded('flow.epub', await epub(), other))).statusCode).toBe(404)
})
