import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { books } from '#server/db/schema/catalogue.ts'
import { epub, mp3, OwnersFolder, picture } from './fixtures/owners-folder.ts'
import { findTitles } from './readers/find-titles.ts'
import { titleShop } from '#tests/support/title-shop.ts'

const shop = titleShop({ keepsPictures: true })
let cover: Buffer
let library: OwnersFolder
beforeEach(async () => {
  cover = await picture('#223344')
  library = new OwnersFolder()
})
afterEach(() => library.remove())

const bell = (album: string, artist = 'Ada Bell') => mp3({ album, artist })
const below = (found: readonly string[]) => found.map((path) => path.slice(library.path.length + 1))

describe('the titles of a folder', () => {
  test('are the deepest folders with sound or an EPUB; CDs belong to their parent folder', async () => {
    library
      .put('Ada Bell/Bells/01 - First Bell/1.mp3', bell('First Bell'))
      .put('Ada Bell/Bells/02 - Second Bell/CD 1/1.mp3', bell('Second Bell (CD 1)'))
      .put('Ada Bell/Bells/02 - Second Bell/CD 2/1.mp3', bell('Second Bell (CD 2)'))
      .put('Ada Bell/Alone/book.epub', await epub())
      .put('Niall Garvey/Peat/book.json', { title: 'Peat' })
      .put('Niall Garvey/Peat/sound/1.mp3', bell('Peat'))
      .put('Niall Garvey/stray.mp3', bell('Stray'))
      // In other programs such a file turns everything below it into one book.
      .put('Ada Bell/Bells/all of them.epub', await epub())
    const { titles, loose } = await findTitles(library.path)
    expect(below(titles)).toEqual([
      'Ada Bell/Alone',
      'Ada Bell/Bells/01 - First Bell',
      'Ada Bell/Bells/02 - Second Bell',
      'Niall Garvey/Peat',
    ])
    expect(loose).toEqual(['Ada Bell/Bells/all of them.epub', 'Niall Garvey/stray.mp3'])
  })

  test('are the folder itself if it is a single title, with or without CDs', async () => {
    library.put('CD1/1.mp3', bell('Box')).put('CD2/1.mp3', bell('Box'))
    expect((await findTitles(library.path)).titles).toEqual([library.path])
    library.drop('CD2').put('1.mp3', bell('Box'))
    expect((await findTitles(library.path)).titles).toEqual([library.path])
  })
})

describe('one title', () => {
  const said = async () => Object.values(await shop.run({ folder: library.path }))[0]!.details[0]

  test('is not made of several albums, unless the owner names it', async () => {
    library.put('x/1.mp3', bell('First Bell')).put('x/2.mp3', bell('Second Bell')).put('x/cover.png', cover)
    expect(await said()).toBe(
      'holds sound of several albums: First Bell, Second Bell. Give each title a folder of its own, or say in book.json what the "title" of all of it is.',
    )
    library.put('x/book.json', { title: 'Two Bells' })
    expect(await shop.outcomes({ folder: library.path })).toEqual({ x: 'created' })
  })

  test('is not made of several book.json', async () => {
    library.put('x/book.json', { title: 'X' }).put('x/y/book.json', { title: 'Y' }).put('x/1.mp3', bell('X'))
    expect(await said()).toBe(
      'holds the files of other titles: y/book.json. Each title has a folder of its own, and none lies in another.',
    )
  })

  test('takes its name from metadata.json before the album tag', async () => {
    library.put('x/1.mp3', bell('The Two Bells')).put('x/metadata.json', { title: 'First Bell' })
    library.put('x/cover.png', cover)
    expect(await shop.run({ folder: library.path })).toMatchObject({ x: { slug: 'first-bell' } })
  })

  test('does not become two titles when its files give it another name', async () => {
    library.put('x/1.mp3', bell('The Two Bells')).put('x/cover.png', cover)
    await shop.run({ folder: library.path })
    library.put('x/metadata.json', { title: 'First Bell' })
    expect(await said()).toMatch(
      /^is “The Two Bells” in the shop, at “the-two-bells”; .* Give it "slug": "the-two-bells" in book\.json/,
    )
    library.put('x/book.json', { slug: 'the-two-bells' })
    expect((await shop.run({ folder: library.path })).x).toMatchObject({
      outcome: 'changed',
      slug: 'the-two-bells',
    })
  })
})

describe('the origin of a title', () => {
  const peat = (artist = 'Niall Garvey') => bell('Peat', artist)
  const from = async () => (await shop.bookOf('peat'))!.importedFrom

  test('is stored, and another folder with the same slug is refused with both folders named', async () => {
    library.put('a/1.mp3', peat()).put('a/cover.png', cover)
    await shop.run({ folder: library.path })
    expect(await from()).toBe(`${library.path}/./a`)
    const before = await shop.everything()
    library.put('b/1.mp3', mp3({ album: 'Peat', artist: 'Somebody Else', title: 'Other' })).drop('a')
    const { b } = await shop.run({ folder: library.path })
    expect(b).toMatchObject({ outcome: 'refused' })
    expect(b!.details[0]).toBe(
      `has the address “peat”, which “Peat” has from ${library.path}/a; this is ${library.path}/b. If it is the same title in a new place, import it with --moved. If it is another, give it a "slug" of its own in book.json.`,
    )
    expect(await shop.everything()).toEqual(before)
  })

  test('changes if the owner says that the title moved', async () => {
    library.put('a/1.mp3', peat()).put('a/cover.png', cover)
    await shop.run({ folder: library.path })
    library.drop('a').put('b/1.mp3', peat()).put('b/cover.png', cover)
    expect(await shop.outcomes({ folder: library.path })).toEqual({ b: 'refused' })
    expect(await shop.outcomes({ folder: library.path, moved: true })).toEqual({ b: 'same' })
    expect(await from()).toBe(`${library.path}/./b`)
    expect(await shop.outcomes({ folder: library.path })).toEqual({ b: 'same' })
  })

  test("is the same however the folder's path is written, and at the same place in a copy of the library", async () => {
    library.put('Niall/Peat/1.mp3', peat()).put('Niall/Peat/cover.png', cover)
    await shop.run({ folder: library.path })
    expect(await shop.outcomes({ folder: library.folder('Niall') })).toEqual({ Peat: 'same' })
    shop.owner.put('Niall/Peat/1.mp3', peat()).put('Niall/Peat/cover.png', cover)
    expect(await shop.outcomes()).toEqual({ 'Niall/Peat': 'same' })
    // Each author's folder is imported separately.
    library.put('Else/Peat/1.mp3', peat('Else')).put('Else/Peat/cover.png', cover)
    await shop.database.db.update(books).set({ importedFrom: `${library.path}/Niall/./Peat` })
    expect(await shop.outcomes({ folder: library.folder('Else') })).toEqual({ Peat: 'refused' })
  })

  test('is set by the first folder with the slug, for a title without a stored origin', async () => {
    library.put('a/1.mp3', peat()).put('a/cover.png', cover)
    await shop.run({ folder: library.path })
    await shop.database.db.update(books).set({ importedFrom: null })
    expect(await shop.outcomes({ folder: library.path })).toEqual({ a: 'same' })
    expect(await from()).toBe(`${library.path}/./a`)
  })

  test('is a catalogue row until a folder with the same author, or that names the slug, brings the sound', async () => {
    library.put('a/1.mp3', peat()).put('a/cover.png', cover)
    await shop.run({ folder: library.path })
    const asCatalogue = () =>
      shop.database.db
        .update(books)
        .set({ importHash: 'catalogue:x', importedFrom: 'list.csv#9780306406157' })
        .where(eq(books.slug, 'peat'))
    await asCatalogue()
    library.put('a/1.mp3', peat('Somebody Else'))
    expect((await shop.run({ folder: library.path })).a!.details[0]).toContain(
      'which “Peat” has from list.csv#9780306406157. Give it a "slug" in book.json',
    )
    library.put('a/book.json', { slug: 'peat' })
    expect(await shop.outcomes({ folder: library.path })).toEqual({ a: 'changed' })
    await asCatalogue()
    library.drop('a/book.json')
    expect(await shop.outcomes({ folder: library.path })).not.toEqual({ a: 'refused' })
    expect((await shop.database.db.execute(sql`select imported_from from books`)).rows).toEqual([
      { imported_from: `${library.path}/./a` },
    ])
  })
})
