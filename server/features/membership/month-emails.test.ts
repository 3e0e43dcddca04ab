import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listSuggestedAudioBooks } from '#contract/catalogue.ts'
import { bookTimes } from '#server/db/schema/listening.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { BUSINESS } from '#server/jobs/business-jobs.ts'
import { anAudioBook, inLibrary, type TestBook } from '#tests/support/builders.ts'
import { aCover, aPerson, aSeries, linked } from '#tests/support/catalogue-builders.ts'
import { memberOf, membersShop, type MembersShop } from '#tests/support/members.ts'
import { aMembership } from '#tests/support/membership-rows.ts'
import { aBuyer, type Buyer } from '#tests/support/purchases.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
beforeEach(async () => {
  await all.shop.db.update(books).set({ secondEdition: false, edition: false })
})
afterAll(() => all?.close())

let covers = 0
async function aTitle(title: string, more: Parameters<typeof anAudioBook>[1] = {}): Promise<TestBook> {
  covers += 1
  const coverId = await aCover(all.shop, `c0ffee${String(covers).padStart(2, '0')}`)
  const listedAt = new Date(Date.UTC(2026, 0, covers))
  return anAudioBook(all.shop, { title, coverId, listedAt, secondEdition: true, ...more })
}

const finished = async ({ user }: Pick<Buyer, 'user'>, book: TestBook, seconds = 1798) => {
  await inLibrary(all.shop, user, book)
  await all.shop.db
    .insert(bookTimes)
    .values({ userId: user.id, bookId: book.id, chapter: 3, seconds, heardAt: all.shop.now() })
}

const suggested = async (buyer: Pick<Buyer, 'ask'>) => {
  const answer = (await buyer.ask('GET', '/api/suggested_audio_books')).json()
  expect(misfits(listSuggestedAudioBooks.reply, answer)).toEqual([])
  return answer['hydra:member'].map(({ book, shared }: { book: { title: string }; shared: unknown }) => [
    book.title,
    shared,
  ])
}

test('MEMB-50: three covers that the member doesn’t own are chosen by series, author, narrator and tags of what they finished', async () => {
  const { shop } = all
  const buyer = await aBuyer(shop)
  const [author, narrator] = [await aPerson(shop, 'Wren', 'Castle'), await aPerson(shop, 'Della', 'Voss')]
  const heard = await aTitle('The Salt Ledger', { secondEdition: false })
  const begun = await aTitle('Half Heard', { secondEdition: false })
  const ofSeries = await aTitle('The Customs House')
  const byAuthor = await aTitle('Low Tide', { secondEdition: false, edition: true })
  const byNarrator = await aTitle('My Mother’s Atlas')
  const tagged = await aTitle('Letters')
  const ofBegun = await aTitle('Of Somebody Begun')
  const owned = await aTitle('Owned Already')
  await aTitle('Not for Sale', { published: false })
  await aTitle('Not Sold Everywhere', { blockedCountries: ['US'] })
  await aTitle('The Newest')
  await aSeries(shop, 'Orrin Quay', [{ books: [heard] }, { books: [ofSeries] }])
  await linked(shop, heard, { authors: [author], narrators: [narrator], tags: ['quiet suspense'] })
  for (const book of [byAuthor, owned]) await linked(shop, book, { authors: [author] })
  await linked(shop, byNarrator, { narrators: [narrator] })
  await linked(shop, tagged, { tags: ['quiet suspense'] })
  const other = await aPerson(shop, 'Some', 'Body')
  for (const book of [begun, ofBegun]) await linked(shop, book, { authors: [other] })
  await inLibrary(shop, buyer.user, owned)
  // Without history, the newest.
  expect(await suggested(buyer)).toEqual([
    ['The Newest', null],
    ['Of Somebody Begun', null],
    ['Letters', null],
  ])
  await finished(buyer, heard)
  await finished(buyer, begun, 1700)
  const like = (kind: string, name: string) => ({ kind, name, finished: 'The Salt Ledger' })
  expect(await suggested(buyer)).toEqual([
    ['The Customs House', like('series', 'Orrin Quay')],
    ['Low Tide', like('author', 'Wren Castle')],
    ['My Mother’s Atlas', like('narrator', 'Della Voss')],
  ])
  await inLibrary(shop, buyer.user, ofSeries)
  expect((await suggested(buyer)).at(-1)).toEqual(['Letters', like('tag', 'quiet suspense')])
})

test('month: a monthly plan’s email is the renewal’s: covers that ask first, the next payment and how to cancel', async () => {
  const member = await all.member(4)
  const { slug } = await aTitle('Nine Rooms of Rain')
  await all.pass('P31D')
  await all.pass('PT2H')
  await member.settle()
  await BUSINESS.month.run(all.shop)
  const [, renewed, ...more] = await all.lettersTo(member)
  expect(more).toEqual([])
  expect(renewed!.text).toContain(`/subscriber-selection?choose=${slug}`)
  expect(renewed!.text).toContain('Nine Rooms of Rain')
  expect(renewed!.text.replaceAll(/\s+/g, ' ')).toMatch(
    /The next payment of £8\.00 is taken on 2nd June \d{4}\. To stop it, cancel at any time/,
  )
  expect(renewed!.text).toContain('/subscription-details')
})

test('month: a yearly plan has one email at the start of each month, however many servers send it and how late they are', async () => {
  const member = await all.member(5)
  const { slug } = await aTitle('The Borrowed Tongue')
  const run = () => Promise.all([BUSINESS.month.run(all.shop), BUSINESS.month.run(all.shop)])
  await run()
  expect(await all.mailsTo(member)).toEqual(['Welcome to Murmur membership'])
  const next = await BUSINESS.month.next(all.shop, all.shop.clock.now())
  expect(next!.getTime() - all.shop.clock.now().getTime()).toBeLessThanOrEqual(31 * 86_400_000)
  await all.pass('P33D')
  await run()
  await run()
  const [, month, ...more] = await all.lettersTo(member)
  expect(more).toEqual([])
  expect(month!.subject).toBe('Your free audiobook this month')
  const text = month!.text.replaceAll(/\s+/g, ' ')
  expect(text).toMatch(/yours to choose until \S+ July \d{4}/)
  expect(text).toContain(`/subscriber-selection?choose=${slug}`)
  expect(text).toMatch(/The next payment of £80\.00 is taken on \S+ May \d{4}\. To stop it, cancel/)
  await all.pass('P31D')
  await run()
  expect(await all.mailsTo(member)).toHaveLength(3)
})

test('month: a yearly member who has already chosen gets the email with the amount, without covers', async () => {
  const member = await all.member(5)
  const { slug } = await aTitle('The Lamp Room')
  await all.pass('P33D')
  await all.shop.database.pool.query(
    'update credits set spent_at = now() where user_id = $1 and usable_from <= $2',
    [member.user.id, all.shop.clock.now()],
  )
  for (let twice = 0; twice < 2; twice++) await BUSINESS.month.run(all.shop)
  const [, month, ...more] = await all.lettersTo(member)
  expect([month?.subject, more]).toEqual(['Your membership this month', []])
  expect(month!.text).toContain('The next payment of £80.00')
  expect(month!.text).not.toMatch(new RegExp(`${slug}|Choose your free`))
})

/** Six months of Reader, given a month ago: this month's free audiobook is unused. */
async function aGiftedMember(): Promise<Buyer> {
  const { shop } = all
  const buyer = await aBuyer(shop)
  const at = (days: number) => new Date(shop.clock.now().getTime() + days * 86_400_000)
  const { withdrawal: _generated, ...row } = aMembership({
    id: crypto.randomUUID(),
    joinKey: crypto.randomUUID(),
    userId: buyer.user.id,
    gift: true,
    paymentType: null,
    providerId: null,
    periodStart: at(-31),
    periodEnd: at(150),
    validUntil: at(150),
  })
  await shop.db.insert(subscriptions).values(row)
  const month = { subscriptionId: row.id, userId: buyer.user.id, ordinal: 0 }
  await shop.db.insert(credits).values([
    { ...month, usableFrom: at(-31), usableUntil: at(-1) },
    { ...month, usableFrom: at(-1), usableUntil: at(29) },
    { ...month, usableFrom: at(29), usableUntil: at(60) },
  ])
  return buyer
}

test('month: a gift has the email without a payment; who chose already has none', async () => {
  await aTitle('Eleven Hours')
  const buyer = await aGiftedMember()
  const chosen = await aGiftedMember()
  await all.shop.database.pool.query('update credits set spent_at = now() where user_id = $1', [
    chosen.user.id,
  ])
  await BUSINESS.month.run(all.shop)
  const [month, ...more] = await all.lettersTo(buyer)
  expect(more).toEqual([])
  expect(month!.text).toContain('there’s nothing to pay')
  expect(month!.text).not.toContain('£')
  expect(await all.mailsTo(chosen)).toEqual([])
})

test('month: a setting turns off covers and the reminder, but not the amount', async () => {
  await aTitle('Marram')
  const [member, yearly, gifted] = [await all.member(4), await all.member(5), await aGiftedMember()]
  for (const each of [member, yearly, gifted]) {
    const { user } = each
    const url = `/api/users/${user.id}/choice-emails-update`
    const changed = await memberOf(all.shop, each, '').ask('PATCH', url, { choiceEmails: false })
    expect(changed.json().choiceEmails).toBe(false)
  }
  await all.pass('P31D')
  await all.pass('PT2H')
  await member.settle()
  await BUSINESS.month.run(all.shop)
  for (const [each, amount] of [
    [member, '£8.00'],
    [yearly, '£80.00'],
  ] as const) {
    const letter = (await all.lettersTo(each)).at(-1)!
    expect(letter.text).toContain(`The next payment of ${amount}`)
    expect(letter.text).not.toContain('choose=')
  }
  expect(await all.mailsTo(gifted)).toEqual([])
  await all.pass('P25D')
  await BUSINESS.audiobooks.run(all.shop)
  for (const each of [member, yearly, gifted])
    expect((await all.mailsTo(each)).filter((subject) => subject.includes('waiting until'))).toEqual([])
})
