import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeAccount } from '../account/delete-account.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aRecipient, anAccountOf, give, mailedTo } from '#tests/support/gifts.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  type PayingShop,
  payingShop,
} from '#tests/support/purchases.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

/** A book that was given and claimed. */
async function claimed({ confirmed = true } = {}) {
  const giver = await aBuyer(at.shop)
  const giftEmail = aRecipient()
  const book = await anAudioBook(at.shop, { priceMinor: 750 })
  const checkout = await checkOut(giver, await fillBag(giver, [{ ...book, kind: 'audio_books', giftEmail }]))
  at.payments.pay(checkout.intent)
  await comeBack(giver, checkout)
  const recipient = await anAccountOf(at.shop, giftEmail, confirmed)
  const { mails } = await mailedTo(at.shop, giftEmail)
  const link = mails.flatMap(({ links }) => links).find((each) => each.includes('token='))!
  const token = new URL(link).searchParams.get('token')!
  expect((await recipient.ask('POST', `/api/audio_books/claim/${token}`)).statusCode).toBe(200)
  const seen = await recipient.ask('GET', `/api/audio_books/claim/${token}`)
  const { id }: { id: string } = seen.json()
  const thank = (message: string, who: Buyer = recipient) =>
    who.ask('POST', `/api/gifts/${id}/thanks`, { message })
  return { giver, recipient, token, id, thank, seen: seen.json() as { thanks: string | null } }
}
const description = (answer: { json: () => unknown }) =>
  (answer.json() as Record<string, string>)['hydra:description']

test('month: a recipient thanks the giver with one line, which the giver reads in an email and in their list', async () => {
  const { giver, recipient, thank, token, seen } = await claimed()
  expect(seen.thanks).toBe('possible')
  const answer = await thank('  It snowed all week.\n Perfect!  ')
  expect(answer.json(), answer.body).toMatchObject({ thanks: 'sent' })
  const { mails } = await mailedTo(at.shop, giver.user.email)
  expect(mails[0]!.subject).toBe(`${recipient.user.email} says thank you`)
  expect(mails[0]!.text).toContain('It snowed all week. Perfect!')
  const given = (await giver.ask('GET', '/api/gifts/given')).json()['hydra:member'][0]
  expect(given).toMatchObject({ state: 'claimed', thanks: 'It snowed all week. Perfect!' })
  const asGiver = await giver.ask('GET', `/api/audio_books/claim/${token}`)
  expect(asGiver.json().thanks).toBeNull()
})

test('month: a second line of thanks is refused, also of two at the same time', async () => {
  const { giver, thank } = await claimed()
  const codes = (await Promise.all([thank('Thank you!'), thank('Thanks!')])).map(
    ({ statusCode }) => statusCode,
  )
  expect(codes.toSorted((one, other) => one - other)).toEqual([200, 422])
  expect(description(await thank('Once more'))).toContain('already said thank you')
  const { subjects } = await mailedTo(at.shop, giver.user.email)
  expect(subjects.filter((subject) => subject.endsWith('says thank you'))).toHaveLength(1)
})

test.each(['See https://evil.example/x', 'Write to me@evil.example', 'evil.example has more'])(
  'month: thanks with a link are refused: %s',
  async (message) => {
    const { thank } = await claimed()
    const answer = await thank(message)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().violations).toEqual([
      { propertyPath: 'message', message: 'Please write it without links or addresses.' },
    ])
  },
)

test('month: thanks have 200 characters at most, and at least one', async () => {
  const { thank } = await claimed()
  for (const message of ['', '  ', 'a'.repeat(201)]) expect((await thank(message)).statusCode).toBe(422)
  expect((await thank('a'.repeat(200))).statusCode).toBe(200)
})

test('month: only the recipient who opened the gift can thank for it, from a confirmed address', async () => {
  const { thank, giver } = await claimed({ confirmed: false })
  expect((await thank('Thank you', giver)).statusCode).toBe(404)
  const answer = await thank('Thank you')
  expect(answer.statusCode).toBe(422)
  expect(description(answer)).toContain('confirm your email address')
})

test('month: a giver whose account is closed can’t be thanked', async () => {
  const { thank, giver, recipient, token } = await claimed()
  await closeAccount(at.shop, giver.user.id)
  expect((await recipient.ask('GET', `/api/audio_books/claim/${token}`)).json().thanks).toBeNull()
  expect(description(await thank('Thank you'))).toContain('closed their account')
})

test('month: a recipient thanks the giver of a membership, by name', async () => {
  const giver = await aBuyer(at.shop)
  const giftEmail = aRecipient()
  await give(at, giver, { giftEmail, giftRecipientFirstName: 'Joost', giftKey: randomUUID() })
  const recipient = await anAccountOf(at.shop, giftEmail)
  const { token } = await mailedTo(at.shop, giftEmail)
  const gift = (await recipient.ask('POST', `/api/subscriptions/claim/${token}`)).json()
  expect(gift.thanks).toBe('possible')
  const answer = await recipient.ask('POST', `/api/subscriptions/gifts/${gift.id}/thanks`, {
    message: 'A year!',
  })
  expect(answer.json(), answer.body).toMatchObject({ thanks: 'sent' })
  const [mail] = (await mailedTo(at.shop, giver.user.email)).mails
  expect(mail!.subject).toBe('Joost says thank you')
  const given = (await giver.ask('GET', '/api/subscriptions/given')).json()['hydra:member'][0]
  expect(given.thanks).toBe('A year!')
})
