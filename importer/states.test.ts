import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { libraryEntries } from '#server/db/schema/library.ts'
import { users } from '#server/db/schema/accounts.ts'
import { setState } from '#server/features/catalogue/title-states.ts'
import { titleShop } from '#tests/support/title-shop.ts'
import { epub, mp3, picture } from './fixtures/owners-folder.ts'

const shop = titleShop({ keepsPictures: true })
let cover: Buffer
beforeEach(async () => {
  cover = await picture('#334455')
})

const put = (name: string, book: object) =>
  shop.owner.put(`${name}/book.json`, { title: name, ...book }).put(`${name}/cover.png`, cover)
const sellable = async () =>
  Object.fromEntries(
    (
      await shop.database.db.execute<{ slug: string; sellable: boolean | null }>(
        sql`select slug, sellable from books order by slug`,
      )
    ).rows.map((book) => [book.slug, book.sellable]),
  )

describe('a state in book.json', () => {
  test('decides what is listed and sold; "published": false means listed', async () => {
    const audiobook = { price: '9.00' }
    for (const state of ['draft', 'listed', 'on-sale', 'retired'])
      put(state, { state, audiobook }).put(`${state}/1.mp3`, mp3({}))
    put('unpublished', { published: false, audiobook }).put('unpublished/1.mp3', mp3({}))
    put('odd', { published: false, state: 'on-sale', audiobook })
    put('wrong', { state: 'sold', audiobook })
    const { odd, wrong } = await shop.run()
    expect(odd!.details[0]).toContain('book.json can say only one of them')
    expect(wrong!.details[0]).toContain('"state" must be draft, listed, on-sale or retired.')
    expect(await sellable()).toEqual({
      draft: null,
      listed: false,
      'on-sale': true,
      retired: null,
      unpublished: false,
    })
  })

  test('is overridden by a command, and imports do not undo that', async () => {
    put('one', { audiobook: { price: '9.00' } }).put('one/1.mp3', mp3({}))
    await shop.run()
    await setState(shop.database.db, { slug: 'one' }, 'retired')
    put('one', { state: 'on-sale', audiobook: { price: '8.00' } })
    expect(await shop.outcomes()).toEqual({ one: 'changed' })
    expect(await sellable()).toEqual({ one: null })
    await setState(shop.database.db, { slug: 'one' }, 'on-sale')
    expect(await sellable()).toEqual({ one: true })
  })

  test('cannot be "draft" if a customer owns the title', async () => {
    put('one', { audiobook: { price: '9.00' } }).put('one/1.mp3', mp3({}))
    await shop.run()
    const [user] = await shop.database.db
      .insert(users)
      .values({ email: 'a@murmur.example', passwordHash: 'x', firstName: 'A', lastName: 'B' })
      .returning()
    const { id: bookId } = (await shop.bookOf('one'))!
    await shop.database.db.insert(libraryEntries).values({ userId: user!.id, bookId, source: 'purchase' })
    put('one', { state: 'draft', audiobook: { price: '9.00' } })
    expect((await shop.run()).one!.details[0]).toContain('let "state" be "retired"')
    put('one', { state: 'retired', audiobook: { price: '9.00' } })
    expect(await shop.outcomes()).toEqual({ one: 'changed' })
  })
})

describe('a title with nothing to deliver', () => {
  const WITHOUT = {
    silent: { audiobook: { price: '9.00' } },
    empty: { ebook: { price: '9.00' } },
    later: { ebook: { price: '9.00', madeAfterPurchase: true } },
    told: { audiobook: { price: '9.00', withoutFile: true } },
    coming: { preorder: '2027-03-01', audiobook: { price: '9.00' } },
  }

  test('is not on sale, and the report says so', async () => {
    for (const [name, book] of Object.entries(WITHOUT)) put(name, book)
    const reports = await shop.run()
    expect(await sellable()).toEqual({ coming: false, empty: false, later: true, silent: false, told: true })
    const notes = Object.entries(reports).flatMap(([name, { warnings }]) =>
      warnings.map((each) => [name, each]),
    )
    expect(notes).toEqual([
      ['empty', expect.stringMatching(/^No text: the e-book is listed but not sold\./)],
      ['silent', expect.stringMatching(/^No sound: the audiobook is listed but not sold\./)],
    ])
    shop.owner.put('coming/1.mp3', mp3({})).put('empty/a.epub', await epub())
    await shop.run()
    expect(await sellable()).toMatchObject({ coming: true, empty: true })
  })

  test('is sold with only a sample in the demo, but not in a real shop', async () => {
    put('sampled', { audiobook: { price: '9.00' } }).put('sampled/sample.mp3', mp3({}))
    await shop.run()
    expect(await sellable()).toEqual({ sampled: false })
    await shop.run({ demo: true })
    expect(await sellable()).toEqual({ sampled: true })
  })

  test('cannot result from an e-book file that left the folder: its buyers would lose it', async () => {
    put('paper', { ebook: { price: '9.00' } }).put('paper/a.epub', await epub())
    await shop.run()
    shop.owner.drop('paper/a.epub')
    expect((await shop.run()).paper!.details).toEqual([
      'The folder no longer holds the e-book’s file, but the shop has it: buyers would lose it.',
    ])
  })
})

test('a person with a single name needs no first name', async () => {
  put('odyssey', { authors: [{ lastName: 'Homer' }], ebook: { price: '0.00', withoutFile: true } })
  expect(await shop.outcomes()).toEqual({ odyssey: 'created' })
  expect(
    (await shop.database.db.execute(sql`select first_name, last_name, name_key from people`)).rows,
  ).toEqual([{ first_name: '', last_name: 'Homer', name_key: 'homer' }])
  expect(await shop.outcomes()).toEqual({ odyssey: 'same' })
})
