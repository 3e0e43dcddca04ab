import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import { mediaFolder } from '#server/integrations/media/open-media.ts'
import { testDatabase } from '#tests/support/database.ts'
import { OwnersFolder, picture } from '../fixtures/owners-folder.ts'
import { importPictures } from './pictures.ts'
import { importCatalogue } from './run.ts'

const NOW = new Date('2026-03-02T08:00:00Z')

let database: OpenDatabase
let owner: OwnersFolder

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  owner = new OwnersFolder()
  owner.put(
    'list.csv',
    `title,isbn,price,format,cover
Peat,9780306406157,1.00,audiobook,https://pictures.example/a/peat%20cover.jpg?w=9
Marram,,1.00,audiobook,
Tern,,1.00,e-book,tern-front.png
`,
  )
  await importCatalogue({ db: database.db, now: () => NOW }, join(owner.path, 'list.csv'))
})
afterEach(async () => {
  owner.remove()
  await database.db.execute(sql`truncate books, covers, picture_steps cascade`)
})
afterAll(() => database.close())

const run = async (dryRun = false) => {
  const importing = { db: database.db, media: mediaFolder(owner.path), now: () => NOW, dryRun }
  const reports = await importPictures(importing, join(owner.path, 'pictures'))
  return reports.map(({ name, outcome, slug = '-' }) => `${name} ${outcome} ${slug}`)
}
const rows = async (query: string) => (await database.db.execute(sql.raw(query))).rows
const covered = () => rows(`select slug from books where cover_id is not null order by slug`)

test('trap 34: imports each picture on its own; a bad one is reported, does not stop the rest and is tried again', async () => {
  owner
    .put('pictures/978-0-306-40615-7.png', await picture('#334422'))
    .put('pictures/marram.jpg', 'no picture at all')
    .put('pictures/nobody.png', await picture('#112233'))
  const expected = [
    '978-0-306-40615-7.png done peat',
    'marram.jpg failed marram',
    'nobody.png unused -',
    'tern-front.png waiting tern',
  ]
  expect(await run(true)).toEqual(expected)
  expect(await covered()).toEqual([])
  expect(await run()).toEqual(expected)
  expect(await covered()).toEqual([{ slug: 'peat' }])
  expect(await rows(`select source, state, attempts from picture_steps order by source`)).toEqual([
    { source: '978-0-306-40615-7.png', state: 'done', attempts: 1 },
    { source: 'https://pictures.example/a/peat%20cover.jpg?w=9', state: 'done', attempts: 1 },
    { source: 'marram.jpg', state: 'failed', attempts: 1 },
    { source: 'tern-front.png', state: 'waiting', attempts: 0 },
  ])

  owner
    .put('pictures/marram.jpg', await picture('#445566'))
    .put('pictures/tern-front.png', await picture('#665544'))
  expect(await run()).toEqual([
    '978-0-306-40615-7.png same peat',
    'marram.jpg done marram',
    'nobody.png unused -',
    'tern-front.png done tern',
  ])
  expect(await covered()).toHaveLength(3)
  const before = await rows(`select *, xmin::text as version from picture_steps order by book_id, source`)
  expect((await run()).filter((line) => line.includes(' done '))).toEqual([])
  expect(await rows(`select *, xmin::text as version from picture_steps order by book_id, source`)).toEqual(
    before,
  )
})

test('finds a picture by the file name at the end of its URL; a repeated catalogue import leaves it alone', async () => {
  owner.put('pictures/peat cover.jpg', await picture('#334422'))
  expect(await run()).toEqual(['peat cover.jpg done peat', 'tern-front.png waiting tern'])
  const [{ cover_id: cover }] = (await rows(`select cover_id from books where slug = 'peat'`)) as [
    { cover_id: string },
  ]
  rmSync(join(owner.path, 'pictures'), { recursive: true })
  owner.put('list.csv', 'title,isbn,price,format\nPeat,9780306406157,2.00,audiobook\n')
  await importCatalogue({ db: database.db, now: () => NOW }, join(owner.path, 'list.csv'))
  expect(await rows(`select cover_id, price_minor from books where slug = 'peat'`)).toEqual([
    { cover_id: cover, price_minor: 200 },
  ])
})
