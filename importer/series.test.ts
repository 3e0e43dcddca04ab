import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { people } from '#server/db/schema/people.ts'
import { titleShop } from '#tests/support/title-shop.ts'
import { importCatalogue } from './catalogue/run.ts'
import { importVocabularies } from './content/run.ts'
import { epub, mp3, picture } from './fixtures/owners-folder.ts'
import { namePeople } from '#server/features/catalogue/name-people-queries.ts'
import { readEpub } from './readers/epub.ts'
import { seriesNamed } from '#server/features/catalogue/series-names.ts'

const shop = titleShop({ keepsPictures: true })

/** `title: series number published/story` of every book. */
const places = async () => {
  const { rows } = await shop.database.db.execute<{ place: string }>(sql`
    select concat(b.title, ': ', s.title, ' ', coalesce(m.number, 'none'),
      case when coalesce(m.published, m.story) is not null then concat(' ', m.published, '/', m.story) end) as place
    from book_series m join series s on s.id = m.series_id join books b on b.id = m.book_id
    order by b.title, b.format, m.position`)
  return rows.map(({ place }) => place)
}
const cover = picture('#336699')

test('listening: a title can be in several series, with numbers as text and the place in the story that its owner gives', async () => {
  const series = [
    { name: 'The Orrin Quay books', number: '3-4', published: 2, story: 0.5 },
    { name: 'Seven Harbours', number: '0' },
    { name: 'Loose Ends' },
  ]
  const book = { title: 'Salt', series, audiobook: { price: '1.00' }, ebook: { price: '1.00' } }
  shop.owner
    .put('salt/book.json', book)
    .put('salt/1.mp3', mp3({ own: { SERIES: 'Not this one' } }))
    .put('salt/book.epub', await epub())
    .put('salt/cover.png', await cover)
  expect(await shop.outcomes()).toEqual({ salt: 'created' })
  const both = ['Salt: The Orrin Quay books 3–4 2/0.5', 'Salt: Seven Harbours 0', 'Salt: Loose Ends none']
  expect(await places()).toEqual([...both, ...both])
  expect(await shop.outcomes()).toEqual({ salt: 'same' })

  shop.owner.put('salt/book.json', { ...book, series: [series[1]] })
  expect((await shop.run()).salt!.details).toEqual(['audiobook series', 'e-book series'])
  expect(await places()).toEqual(['Salt: Seven Harbours 0', 'Salt: Seven Harbours 0'])
})

test('listening: takes the series from the tags of the sound or of the e-book', async () => {
  const told = { a: { own: { SERIES: 'Tides', 'SERIES-PART': '02' } }, b: { grouping: 'Tides, Book 2.5' } }
  for (const [name, tags] of Object.entries(told))
    shop.owner.put(`${name}/1.mp3`, mp3({ album: name, ...tags })).put(`${name}/cover.png`, await cover)
  await shop.run()
  expect(await places()).toEqual(['a: Tides 2', 'b: Tides 2.5'])

  const opf = (metas: string) =>
    `<package version="3.0"><metadata><title>Old</title>${metas}</metadata><manifest>
      <item id="one" href="text/one.xhtml"/></manifest><spine><itemref idref="one"/></spine></package>`
  const seriesIn = async (metas: string) => {
    shop.owner.put('x.epub', await epub({ files: { 'OEBPS/book.opf': opf(metas) } }))
    return (await readEpub(shop.owner.folder('x.epub'), 'x.epub')).series
  }
  expect(
    await seriesIn(
      `<meta property="belongs-to-collection" id="c">Tides</meta><meta refines="#c" property="collection-type">series</meta>
       <meta refines="#c" property="group-position">3</meta>
       <meta property="belongs-to-collection" id="d">Prize winners</meta><meta refines="#d" property="collection-type">set</meta>`,
    ),
  ).toEqual([{ name: 'Tides', number: '3' }])
  expect(
    await seriesIn(
      '<meta name="calibre:series" content="Tides"/><meta name="calibre:series_index" content="4.0"/>',
    ),
  ).toEqual([{ name: 'Tides', number: '4.0' }])
  expect(['Tides #1.5', 'Tides (Volume 3)', 'Catch 22'].map(seriesNamed)).toEqual([
    { name: 'Tides', number: '1.5' },
    { name: 'Tides', number: '3' },
    { name: 'Catch 22' },
  ])
})

const catalogue = async (name: string, content: string) => {
  shop.owner.put(name, content)
  const outcomes: string[] = []
  await importCatalogue(
    {
      db: shop.database.db,
      now: () => new Date('2026-03-02T08:00:00Z'),
      onRow: ({ outcome, reason }) => void outcomes.push(reason?.text ?? outcome),
    },
    join(shop.owner.path, name),
  )
  return outcomes
}

test('listening: takes the series from the columns of a CSV file', async () => {
  const csv = `title,format,series,series_index,series_story
Low,audiobook,Tides; Harbours #4,1.0,
High,audiobook,Tides,2,0.5
Slack,audiobook,Tides,3,later
`
  expect(await catalogue('list.csv', csv)).toEqual([
    'created',
    'created',
    'series_story “later” is not a number from 0 to 100000.',
  ])
  expect(await places()).toEqual(['High: Tides 2 /0.5', 'Low: Tides 1', 'Low: Harbours 4'])
  expect((await catalogue('list.csv', csv)).slice(0, 2)).toEqual(['same', 'same'])
})

test('listening: takes the series and its orders from the collections of ONIX', async () => {
  const product = (
    title: string,
    more: string,
    own = '',
  ) => `<Product><RecordReference>${title}</RecordReference>
    <NotificationType>03</NotificationType><DescriptiveDetail><ProductForm>AJ</ProductForm>${more}
    <TitleDetail><TitleType>01</TitleType>${own}<TitleElement><TitleElementLevel>01</TitleElementLevel>
    <TitleText>${title}</TitleText></TitleElement></TitleDetail></DescriptiveDetail></Product>`
  const collection = (
    sequences: string,
    part = '',
  ) => `<Collection><CollectionType>10</CollectionType>${sequences}
    <TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>02</TitleElementLevel>
    <TitleText>Tides</TitleText></TitleElement>${part}</TitleDetail></Collection>`
  const sequence = (type: string, number: string) =>
    `<CollectionSequence><CollectionSequenceType>${type}</CollectionSequenceType>
     <CollectionSequenceNumber>${number}</CollectionSequenceNumber></CollectionSequence>`
  const part =
    '<TitleElement><TitleElementLevel>01</TitleElementLevel><PartNumber>1.5</PartNumber></TitleElement>'
  const xml = `<?xml version="1.0"?><ONIXMessage release="3.0">
    ${product('Ebb', collection(sequence('03', '5') + sequence('04', '1') + sequence('02', '2')))}
    ${product('Flood', collection(sequence('02', '-'), part))}
    ${product('Neap', '', '<TitleElement><TitleElementLevel>02</TitleElementLevel><PartNumber>6</PartNumber><TitleText>Tides</TitleText></TitleElement>')}
    </ONIXMessage>`
  expect(await catalogue('list.xml', xml)).toEqual(['created', 'created', 'created'])
  expect(await places()).toEqual(['Ebb: Tides 2 5/1', 'Flood: Tides 1.5', 'Neap: Tides 6'])
})

test('listening: stores the titles of a series that the shop does not have; a second run changes nothing', async () => {
  const { db } = shop.database
  const run = async () => {
    const importing = { db, media: shop.media, now: () => new Date() }
    return (await importVocabularies(importing, shop.owner.path)).map(({ outcome }) => outcome)
  }
  const notHere = [
    { title: 'What the Sea Owes', number: '3', comesOut: '2027-03-04' },
    { title: 'Lost', number: '1.0' },
  ]
  shop.owner.put('series.json', [{ name: 'Tides', notHere }])
  expect(await run()).toEqual(['created'])
  expect(await run()).toEqual(['same'])
  const gaps = async () =>
    (
      await db.execute(
        sql`select number, title, to_char(comes_out, 'YYYY-MM-DD') as out from series_gaps order by position`,
      )
    ).rows
  expect(await gaps()).toEqual([
    { number: '3', title: 'What the Sea Owes', out: '2027-03-04' },
    { number: '1', title: 'Lost', out: null },
  ])
  shop.owner.put('series.json', [{ name: 'TIDES' }])
  expect(await run()).toEqual(['changed'])
  expect([await gaps(), (await db.execute(sql`select slug, title from series`)).rows]).toEqual([
    [],
    [{ slug: 'tides', title: 'TIDES' }],
  ])
})

test('listening: every person gets a slug of their own, which never changes', async () => {
  const { db } = shop.database
  const named = (firstName: string, lastName: string, slug?: string) => ({
    firstName,
    lastName,
    slug,
    nameKey: `${firstName} ${lastName}`,
  })
  await db
    .insert(people)
    .values([
      named('Ana', 'Reve', 'ana-reve'),
      named('Ana', 'Révé'),
      named('ana', 'Reve'),
      named('', 'Гоголь'),
    ])
  const slugs = async () => (await db.select().from(people).orderBy(people.id)).map(({ slug }) => slug)
  await namePeople(db)
  const given = await slugs()
  expect(given).toEqual(['ana-reve', 'ana-reve-2', 'ana-reve-3', expect.stringMatching(/^person-\d+$/)])
  await namePeople(db)
  expect(await slugs()).toEqual(given)
})
