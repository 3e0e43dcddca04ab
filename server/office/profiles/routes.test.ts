import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishers } from '#server/db/schema/catalogue.ts'
import { people } from '#server/db/schema/people.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aPerson, linked } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let editor: StaffSession
let support: StaffSession
beforeAll(async () => {
  shop = await testShop()
  editor = await signedInStaff(shop, 'editor')
  support = await signedInStaff(shop, 'support')
  await aBookBy('Della Voss')
})
afterAll(() => shop.close())

async function aBookBy(...names: string[]): Promise<void> {
  const authors: number[] = []
  for (const name of names) {
    const [first, last] = name.split(' ') as [string, string]
    authors.push(await aPerson(shop, first, last))
  }
  await linked(shop, await anAudioBook(shop), { authors })
}
const list = async (query = '') => (await editor.ask('GET', `/api/office/profiles${query}`)).json()
const read = async (url: string) => (await shop.app.inject({ url })).json()
const della = async () => (await list('?words=della')).rows[0]

test('OFFICE-84: an editor changes what an author’s page says, an import does not undo it, and undo does', async () => {
  const { id, kind } = await della()
  const change = (about: string | null) =>
    editor.ask('PUT', `/api/office/profiles/${kind}/${id}`, { about, website: null })
  await shop.db.update(people).set({ about: 'The folder’s words.' }).where(eq(people.id, id))
  const { entry, what } = (await change('  She walks every story.  ')).json()
  expect(what).toBe('Changed what the page of Della Voss says')
  const page = async () => (await read('/api/people/della-voss')).about
  expect(await page()).toBe('She walks every story.')
  // As an import writes it.
  await shop.db.update(people).set({ about: 'The folder’s newer words.' }).where(eq(people.id, id))
  expect(await page()).toBe('She walks every story.')
  expect(await della()).toMatchObject({
    about: 'She walks every story.',
    folder: { about: 'The folder’s newer words.' },
    isSetHere: true,
  })
  expect((await change('She walks every story.')).json()).toMatchObject({ entry: null })
  expect((await editor.ask('POST', `/api/office/activity/${entry}/undo`)).statusCode).toBe(200)
  expect(await page()).toBe('The folder’s newer words.')
  const { entry: earlier } = (await change('One.')).json()
  await change('Two.')
  expect((await editor.ask('POST', `/api/office/activity/${earlier}/undo`)).statusCode).toBe(422)
  expect(await page()).toBe('Two.')
  await change('')
  expect([await page(), (await list('?about=none')).rows.map(({ name }: { name: string }) => name)]).toEqual([
    null,
    expect.arrayContaining(['Della Voss']),
  ])
})

test('OFFICE-84: a publisher has a website too, which must be a web address; support only reads', async () => {
  const [tide] = await shop.db.insert(publishers).values({ slug: 'low-tide', name: 'Low Tide' }).returning()
  const at = `/api/office/profiles/publisher/${tide!.id}`
  const wrong = await editor.ask('PUT', at, { about: null, website: 'javascript:alert(1)' })
  expect([wrong.statusCode, wrong.json().violations[0].propertyPath]).toEqual([422, 'website'])
  await editor.ask('PUT', at, { about: 'Novels from the edges.', website: 'https://low-tide.example' })
  expect(await read('/api/publishers/low-tide')).toMatchObject({
    about: 'Novels from the edges.',
    website: 'https://low-tide.example',
  })
  expect((await support.ask('GET', at)).json()).toMatchObject({ path: '/publishers/low-tide', titles: 0 })
  expect((await support.ask('PUT', at, { about: null, website: null })).statusCode).toBe(403)
  expect(
    (await editor.ask('PUT', '/api/office/profiles/person/999', { about: '', website: null })).statusCode,
  ).toBe(404)
})

test('OFFICE-84: the list continues after each page, by last name', async () => {
  await aBookBy('Ada Zell', 'Zoe Abel', 'Max Voss')
  const names: string[] = []
  for (let after = ''; ;) {
    const { rows, next } = await list(`?kind=person&limit=2${after && `&after=${after}`}`)
    names.push(...rows.map(({ name }: { name: string }) => name))
    if (!next) break
    after = next
  }
  expect(names.filter((name) => /Zell|Abel|Voss/.test(name))).toEqual([
    'Zoe Abel',
    'Della Voss',
    'Max Voss',
    'Ada Zell',
  ])
  expect((await list('?kind=person&part=totals')).total).toBe(names.length)
})
