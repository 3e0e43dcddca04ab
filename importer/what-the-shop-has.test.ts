import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { users } from '#server/db/schema/accounts.ts'
import { books, publishers } from '#server/db/schema/catalogue.ts'
import { bookTimes, chapterTimes, placeHistory } from '#server/db/schema/listening.ts'
import { fillShelf, NOW, titleShop } from '#tests/support/title-shop.ts'

const shop = titleShop({ keepsPictures: true })

describe('removed chapters', () => {
  async function listenerAt(chapter: number): Promise<void> {
    const [user] = await shop.database.db
      .insert(users)
      .values({ email: 'a@murmur.example', passwordHash: 'x', firstName: 'A', lastName: 'B' })
      .returning()
    const place = {
      userId: user!.id,
      bookId: (await shop.bookOf('twelve'))!.id,
      chapter,
      seconds: 1.2,
      heardAt: NOW,
    }
    await shop.database.db.insert(bookTimes).values(place)
    await shop.database.db.insert(chapterTimes).values(place)
  }

  test("do not delete a listener's place: it moves to the last chapter, and the old one stays in the history", async () => {
    await fillShelf(shop.owner)
    await shop.run()
    await listenerAt(12)
    for (const number of [9, 10, 11, 12]) shop.owner.drop(`box/CD2/${number}.mp3`)
    expect((await shop.run()).box).toMatchObject({ outcome: 'changed' })
    expect(await shop.chaptersOf('twelve')).toHaveLength(8)
    expect(await shop.database.db.select().from(bookTimes)).toMatchObject([{ chapter: 8, seconds: 0 }])
    expect(await shop.database.db.select().from(placeHistory)).toMatchObject([{ chapter: 12, seconds: 1.2 }])
    expect(await shop.database.db.select().from(chapterTimes)).toEqual([])
  })

  test('may not be all chapters of a title, because buyers own them', async () => {
    await fillShelf(shop.owner)
    await shop.run()
    shop.owner
      .drop('box/CD1')
      .drop('box/CD2')
      .put('box/book.json', { title: 'Twelve', audiobook: { price: '1.00' } })
    expect((await shop.run()).box).toMatchObject({
      outcome: 'refused',
      details: ['The folder no longer holds any chapters, but the shop has 12: buyers would lose them.'],
    })
    expect(await shop.chaptersOf('twelve')).toHaveLength(12)
  })
})

describe('conflicts with stored data', () => {
  test('refuses a number that another title has, and imports the rest', async () => {
    const card = (title: string) => ({ title, audiobook: { price: '1.00', spiSIN: '9001000000017' } })
    shop.owner
      .put('one/book.json', card('One'))
      .put('two/book.json', card('Two'))
      .put('three/book.json', { title: 'Three', ebook: { price: '1.00' } })
    expect(await shop.run()).toMatchObject({
      one: { outcome: 'created' },
      three: { outcome: 'created' },
      two: { outcome: 'refused', details: ['spiSIN 9001000000017 belongs to one.'] },
    })
  })

  test('two folders cannot have one slug', async () => {
    shop.owner
      .put('a/book.json', { title: 'Peat', ebook: {} })
      .put('b/book.json', { title: 'Peat', audiobook: {} })
    expect((await shop.run()).b!.details).toEqual(['has the address “peat”, which the folder a has already.'])
  })

  test('one title does not change what other titles say about a publisher', async () => {
    const of = (title: string, about: string) => ({
      title,
      publisher: { slug: 'row', name: 'Row', about },
      ebook: { price: '1.00', withoutFile: true },
    })
    shop.owner.put('a/book.json', of('A', 'Five people.')).put('b/book.json', of('B', 'Six people.'))
    expect((await shop.run()).b!.warnings).toEqual([
      'Other titles also give the publisher’s about, so it stays as it is.',
    ])
    expect(await shop.outcomes()).toEqual({ a: 'same', b: 'same' })
    shop.owner.drop('b')
    await shop.database.db.delete(books).where(eq(books.slug, 'b'))
    shop.owner.put('a/book.json', of('A', 'Six people.'))
    expect((await shop.run()).a).toMatchObject({ outcome: 'changed', details: ['the publisher’s about'] })
    expect((await shop.database.db.select().from(publishers))[0]!.about).toBe('Six people.')
  })
})
