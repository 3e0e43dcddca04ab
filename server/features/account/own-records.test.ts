import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#server/db/schema/accounts.ts'
import { aUser, signedIn } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { OWN_RECORDS, selectOwnRecords } from './data-export-queries.ts'

/** Tables with a query of their own (`data-export-queries.ts`). */
const IN_A_FORM_OF_THEIR_OWN = [
  'users',
  'former_addresses',
  'library_entries',
  'user_audio_book_times',
  'user_e_book_places',
  'user_bookmarks',
  'bookmark_history',
  'user_highlights',
  'highlight_history',
  'orders',
  'order_lines',
]
/** Tables with personal data that no export covers, and why. */
const EXCUSED: Readonly<Record<string, string>> = {
  account_tokens: 'hashes of links that were mailed; a new address that is waited for stands in the profile',
  customers: 'the payment provider’s number for an account, and what the provider was told: the profile',
  user_challenges: 'random numbers for the next use of a passkey; cleared after minutes',
  feed_events: 'notices to open pages of what stands in the export itself; cleared after days',
  listening_events: 'numbers of messages, so that a repeat changes nothing; cleared after weeks',
  sound_claims: 'which device plays at this moment',
  newsletter_subscribers: 'an address alone; `newsletter` of the profile says whether',
  audited_accounts: 'when the shop’s own books about an account were last compared',
  audit_findings:
    'what disagrees in the shop’s own books, until it is mended; the books themselves are in the export',
  card_activations: 'a buyer’s address for a receipt, of nobody’s account; deleted after a year',
  staff: 'people who run the shop; a customer’s account is none of theirs',
  staff_invitations: 'addresses invited to run the shop, of nobody’s account',
}

let shop: TestShop

beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const modules = await Promise.all(
  globSync('server/db/schema/*.ts').map((file): Promise<Record<string, unknown>> => import(resolve(file))),
)
const tables = [
  ...new Set(modules.flatMap((module) => Object.values(module)).filter((each) => is(each, PgTable))),
].map(getTableConfig)

test('the export covers every table with personal data, or the exception has a reason', () => {
  const ofPeople = tables
    .filter(
      ({ name, foreignKeys, columns }) =>
        name === 'users' ||
        foreignKeys.some((key) => key.reference().foreignTable === users) ||
        columns.some((column) => /(^|_)(email|recipient)$/.test(column.name)),
    )
    .map(({ name }) => name)
  expect(ofPeople).toContain('membership_gifts')
  const inExport = [
    ...IN_A_FORM_OF_THEIR_OWN,
    ...Object.values(OWN_RECORDS).flatMap((records): readonly string[] => records.tables),
  ]
  const known = tables.map(({ name }) => name)
  for (const name of [...inExport, ...Object.keys(EXCUSED)]) expect(known, name).toContain(name)
  for (const name of Object.keys(EXCUSED)) expect(inExport, name).not.toContain(name)
  expect(ofPeople.filter((name) => !inExport.includes(name) && !(name in EXCUSED))).toEqual([])
})

test('an export has the account’s own records, no records of other accounts and no secrets', async () => {
  const [nell, ada] = [await aUser(shop, { confirmedAt: shop.now() }), await aUser(shop)]
  const headers = { ...(await signedIn(shop, nell)) }
  await signedIn(shop, ada)
  await shop.app.inject({ method: 'POST', url: '/api/forgot_passwords', payload: { email: nell.email } })
  const { body } = await shop.app.inject({ url: `/api/users/${nell.id}/export`, headers })
  const own = JSON.parse(body) as Record<string, unknown[]>
  expect(Object.keys(own)).toEqual(expect.arrayContaining(Object.keys(OWN_RECORDS)))
  expect(own.logIns).toHaveLength(1)
  expect(own.mails).toMatchObject([{ kind: 'reset_password' }])
  expect(body).not.toMatch(/hash|secret|token/i)
  expect(body).not.toContain(ada.email)
  expect(Object.keys(await selectOwnRecords(shop.db, ada.id))).toEqual(Object.keys(OWN_RECORDS))
})

test('a point of sale can export its own data too', async () => {
  const corner = await aUser(shop, { outlet: 'Corner Books' })
  const headers = { ...(await signedIn(shop, corner)) }
  const answer = await shop.app.inject({ url: `/api/users/${corner.id}/export`, headers })
  expect(answer.statusCode).toBe(200)
  expect(answer.json().profile.email).toBe(corner.email)
})
