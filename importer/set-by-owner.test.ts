import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { isWholeField } from '#server/features/catalogue/owners-fields.ts'
import {
  chaptersIn,
  selectFieldValues,
  selectSourceValues,
} from '#server/features/catalogue/owners-fields-queries.ts'
import {
  followSource,
  setFields,
  setPrice,
  setState,
  setText,
} from '#server/features/catalogue/title-states.ts'
import { titleShop } from '#tests/support/title-shop.ts'
import { importCatalogue } from './catalogue/run.ts'
import type { RowReport } from './catalogue/entry.ts'
import { mp3, picture, VBR } from './fixtures/owners-folder.ts'
import { summaryOf } from './run.ts'

const shop = titleShop({ keepsPictures: true })

/** A folder as Audiobookshelf stores it: no book.json, so no price. */
async function aFolder(name: string, book?: object): Promise<void> {
  shop.owner
    .put(`${name}/1.mp3`, mp3({ album: 'Sea Song', artist: 'Ida Frost' }))
    .put(`${name}/cover.png`, await picture('#334455'))
  if (book) shop.owner.put(`${name}/book.json`, book)
}

const db = () => shop.database.db
const priced = (priceMinor: number) =>
  setPrice(db(), { slug: 'sea-song' }, { priceMinor, memberPriceMinor: null })

describe('a price that the owner set', () => {
  test('survives an import of a folder without a price, and the title stays on sale', async () => {
    await aFolder('song')
    await shop.run()
    await priced(777)
    const { song } = await shop.run()
    expect(song).toMatchObject({ outcome: 'same', left: ['price'] })
    expect(song!.warnings.join()).not.toContain('No price')
    expect(await shop.bookOf('sea-song')).toMatchObject({ priceMinor: 777, published: true, sellable: true })
    expect(summaryOf([song!], false)).toContain('Left as you set it: price of 1 title.')
  })

  test('survives an import with another price, and the report names the folder’s price', async () => {
    await aFolder('song', { audiobook: { price: '9.00' } })
    await shop.run()
    await priced(777)
    await aFolder('song', { audiobook: { price: '8.00' }, summary: 'A new one.' })
    const { song } = await shop.run()
    expect(song).toMatchObject({ outcome: 'changed', details: ['summary'], left: ['price'] })
    expect(song!.warnings).toEqual([
      'Left as you set it: price (£7.77; the folder says £8.00). To take the folder’s: npm run titles -- follow sea-song price',
    ])
    expect(await shop.bookOf('sea-song')).toMatchObject({ priceMinor: 777 })
  })

  test('is replaced by the folder’s price after `titles follow`', async () => {
    await aFolder('song', { audiobook: { price: '8.00' } })
    await shop.run()
    await priced(777)
    await followSource(db(), { slug: 'sea-song' }, 'price')
    expect(await shop.bookOf('sea-song')).toMatchObject({ priceMinor: 800, setByOwner: [], sourceValues: {} })
    await aFolder('song', { audiobook: { price: '8.50' } })
    expect((await shop.run()).song).toMatchObject({ outcome: 'changed', details: ['price'] })
    expect(await shop.bookOf('sea-song')).toMatchObject({ priceMinor: 850 })
  })

  test('can come from --price, and a second import without --price keeps it', async () => {
    await aFolder('song')
    await shop.run()
    expect((await shop.run({ priceMinor: 999 })).song).toMatchObject({
      outcome: 'changed',
      details: ['price', 'published'],
    })
    await shop.run()
    expect(await shop.bookOf('sea-song')).toMatchObject({ priceMinor: 999, sellable: true })
    await shop.run({ priceMinor: 500 })
    expect(await shop.bookOf('sea-song')).toMatchObject({ priceMinor: 999 })
  })
})

test('the owner’s description and replaced audio file survive an import', async () => {
  await aFolder('song', { summary: 'From the folder.', audiobook: { price: '8.00' } })
  await shop.run()
  await setText(db(), { slug: 'sea-song' }, 'summary', '<p>Mine.</p>')
  await setState(db(), { slug: 'sea-song' }, 'listed')
  const { song } = await shop.run()
  expect(song).toMatchObject({ outcome: 'same', left: ['summary', 'state'] })
  expect(song!.warnings.join()).toContain('Left as you set it: description.')
  expect(await shop.bookOf('sea-song')).toMatchObject({ summary: '<p>Mine.</p>', sellable: false })
})

const FOLDER = {
  authors: ['Ida Frost'],
  publisher: 'Low Tide Press',
  series: [{ name: 'Tides', number: '1' }],
  tags: ['Harbours'],
  language: 'English',
  firstPublished: '2026-03-01',
  currentHighlight: true,
  audiobook: { price: '8.00', narrators: ['Edda Marlow'] },
}
const HERE = {
  authors: ['Ida Frost', 'Niall Garvey'],
  narrators: ['Corin Voss'],
  publisher: 'Half Moon',
  series: [{ title: 'Ebbs', number: '2' }],
  tags: ['Storms'],
  language: 'Welsh',
  firstPublished: '2025-01-02',
  secondEdition: false,
  colours: { backgroundColour: '#112233', containerColour: null, textColour: '#ffffff' },
} as const

test('OFFICE-26: every field that an owner set survives an import that says otherwise, the shop knows what the folder says, and gives it back', async () => {
  await aFolder('song', FOLDER)
  await shop.run()
  const { id } = (await shop.bookOf('sea-song'))!
  await setFields(db(), id, HERE)
  await aFolder('song', { ...FOLDER, authors: ['Ida Winter'], tags: ['Ice'], summary: 'A new one.' })
  const { song } = await shop.run()
  expect(song).toMatchObject({ outcome: 'changed', details: ['summary', 'cover text'] })
  expect(song!.left!.toSorted()).toEqual(Object.keys(HERE).toSorted())
  expect(song!.warnings.join()).toContain('authors')
  expect(await selectFieldValues(db(), id)).toMatchObject({
    ...HERE,
    series: [{ ...HERE.series[0], slug: 'ebbs' }],
  })
  expect(await selectSourceValues(db(), id)).toMatchObject({
    authors: ['Ida Winter'],
    narrators: ['Edda Marlow'],
    publisher: 'Low Tide Press',
    series: [{ slug: 'tides', title: 'Tides', number: '1' }],
    tags: ['Ice'],
    secondEdition: true,
  })
  for (const field of Object.keys(HERE).filter(isWholeField))
    await followSource(db(), { slug: 'sea-song' }, field)
  expect(await selectFieldValues(db(), id)).toMatchObject({
    authors: ['Ida Winter'],
    publisher: 'Low Tide Press',
    series: [{ title: 'Tides', number: '1' }],
    language: 'English',
    secondEdition: true,
  })
  expect((await shop.run()).song).toMatchObject({ outcome: 'same', warnings: [] })
  expect(await shop.bookOf('sea-song')).toMatchObject({ setByOwner: [], sourceValues: {} })
})

test('OFFICE-70: a cover that the owner set survives another picture in the folder, and the folder’s newest one is taken back', async () => {
  await aFolder('song')
  await shop.run()
  const { id, coverId: first } = (await shop.bookOf('sea-song'))!
  const { coverAlt } = (await shop.bookOf('sea-song'))!
  await aFolder('other')
  shop.owner.put('other/cover.png', await picture('#996633')).put('other/book.json', { title: 'Ebb' })
  await shop.run()
  const mine = (await shop.bookOf('ebb'))!.coverId!
  await setFields(db(), id, { cover: { coverId: mine, coverAlt } })
  shop.owner.put('song/cover.png', await picture('#ddeeff'))
  expect((await shop.run()).song).toMatchObject({ outcome: 'same', left: ['cover'] })
  expect(await shop.bookOf('sea-song')).toMatchObject({ coverId: mine })
  await followSource(db(), { slug: 'sea-song' }, 'cover')
  const { coverId } = (await shop.bookOf('sea-song'))!
  expect([first, mine]).not.toContain(coverId)
  expect((await shop.run()).song).toMatchObject({
    outcome: 'same',
    warnings: [expect.stringContaining('No price')],
  })
})

test('OFFICE-71: chapters that the owner put into another order survive an import, with their length, and the folder’s list is taken back', async () => {
  await aFolder('song')
  shop.owner.put('song/2.mp3', mp3({ album: 'Sea Song', title: 'Ebb' }, VBR))
  await shop.run()
  const { id, lengthMinutes } = (await shop.bookOf('sea-song'))!
  const chapters = (await selectFieldValues(db(), id))!.chapters
  const [one, two] = chaptersIn(chapters)
  await setFields(db(), id, { chapters: [{ ...two!, title: 'Flood' }, { ...one! }] })
  shop.owner.drop('song/2.mp3')
  expect((await shop.run()).song).toMatchObject({ outcome: 'same', left: ['chapters'] })
  expect((await selectFieldValues(db(), id))!.chapters).toMatchObject([{ title: 'Flood' }, one!])
  expect(await shop.bookOf('sea-song')).toMatchObject({ deliverable: true, lengthMinutes })
  await followSource(db(), { slug: 'sea-song' }, 'chapters')
  expect((await selectFieldValues(db(), id))!.chapters).toEqual([one])
})

test('OFFICE-26: a title that its folder holds back goes on sale if the owner says so, and imports leave it', async () => {
  await aFolder('song', { state: 'listed', audiobook: { price: '8.00' } })
  await shop.run()
  await setState(db(), { slug: 'sea-song' }, 'on-sale')
  expect(await shop.bookOf('sea-song')).toMatchObject({ sellable: true, stateByCommand: 'on-sale' })
  const { song } = await shop.run()
  expect(song!.warnings.join()).toContain('state (on-sale; the folder says listed)')
  expect(await shop.bookOf('sea-song')).toMatchObject({ sellable: true })
  await followSource(db(), { slug: 'sea-song' }, 'state')
  expect(await shop.bookOf('sea-song')).toMatchObject({ sellable: false, stateByCommand: null })
  await aFolder('song', { audiobook: { price: '8.00' } })
  await shop.run()
  await setState(db(), { slug: 'sea-song' }, 'on-sale')
  expect(await shop.bookOf('sea-song')).toMatchObject({ sellable: true, stateByCommand: null })
})

describe('a catalogue', () => {
  async function bring(rows: string, priceMinor?: number): Promise<RowReport[]> {
    const path = join(shop.owner.path, 'list.csv')
    writeFileSync(path, `isbn,title,format,price,without_file,summary\n${rows}`)
    const reports: RowReport[] = []
    await importCatalogue(
      {
        db: db(),
        now: () => new Date(),
        ...(priceMinor === undefined ? {} : { priceMinor }),
        onRow: (row) => void reports.push(row),
      },
      path,
    )
    return reports
  }

  test('does not change a price that the owner set, and says so', async () => {
    await bring('9780000000002,Sea Song,audiobook,9.00,yes,One')
    await priced(777)
    const [row] = await bring('9780000000002,Sea Song,audiobook,8.00,yes,Two')
    expect(row).toMatchObject({ outcome: 'changed' })
    expect(row!.notes.map(({ text }) => text).join()).toContain(
      'Left as you set it: price (£7.77; the row says £8.00)',
    )
    expect(await shop.bookOf('sea-song')).toMatchObject({
      priceMinor: 777,
      sellable: true,
      summary: '<p>Two</p>',
    })
    await followSource(db(), { slug: 'sea-song' }, 'price')
    await bring('9780000000002,Sea Song,audiobook,8.00,yes,Two')
    expect(await shop.bookOf('sea-song')).toMatchObject({ priceMinor: 800 })
  })

  test('OFFICE-26: does not change people or shelves that the owner set, and remembers what the row says', async () => {
    await bring('9780000000002,Sea Song,audiobook,9.00,yes,One')
    const { id } = (await shop.bookOf('sea-song'))!
    await setFields(db(), id, { summary: '<p>Mine.</p>', tags: ['Storms'], publisher: 'Half Moon' })
    await bring('9780000000002,Sea Song,audiobook,9.00,yes,Two')
    expect(await selectFieldValues(db(), id)).toMatchObject({
      summary: '<p>Mine.</p>',
      tags: ['Storms'],
      publisher: 'Half Moon',
    })
    expect(await selectSourceValues(db(), id)).toMatchObject({
      summary: '<p>Two</p>',
      tags: [],
      publisher: null,
    })
  })

  test('without a price keeps the price from --price, also when a folder adds the audio files', async () => {
    await bring('9780000000002,Sea Song,audiobook,,yes,One', 650)
    await bring('9780000000002,Sea Song,audiobook,,yes,Two')
    expect(await shop.bookOf('sea-song')).toMatchObject({ priceMinor: 650, sellable: true })
    await bring('9780000000019,Ebb,audiobook,5.00,yes,One')
    shop.owner.put('ebb/1.mp3', mp3({ album: 'Ebb' })).put('ebb/cover.png', await picture('#334455'))
    expect((await shop.run()).ebb).toMatchObject({ outcome: 'changed' })
    await shop.run()
    expect(await shop.bookOf('ebb')).toMatchObject({ priceMinor: 500, sellable: true })
  })
})

test('importing part of a library keeps titles in their series and adds new ones to it', async () => {
  const put = async (path: string) =>
    shop.owner.put(`${path}/1.mp3`, mp3({})).put(`${path}/cover.png`, await picture('#334455'))
  await put('Ida Frost/Tides/1 - Low Water')
  await shop.run()
  await put('Ida Frost/Tides/2 - High Water')
  const reports = await shop.run({ folder: join(shop.owner.path, 'Ida Frost') })
  expect(Object.values(reports).map(({ outcome, slug }) => [slug, outcome])).toEqual([
    ['low-water', 'same'],
    ['high-water', 'created'],
  ])
  const { rows } = await db().execute(
    sql`select b.slug, s.slug as series, bs.number from books b join book_series bs on bs.book_id = b.id join series s on s.id = bs.series_id order by 3`,
  )
  expect(rows).toEqual([
    { slug: 'low-water', series: 'tides', number: '1' },
    { slug: 'high-water', series: 'tides', number: '2' },
  ])
})
