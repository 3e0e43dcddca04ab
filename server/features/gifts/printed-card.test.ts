import { randomUUID } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { DateTime } from 'luxon'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rateLimits, users } from '#server/db/schema/accounts.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { gifts, printedGiftCodes } from '#server/db/schema/gifts.ts'
import { printedCode } from '#server/codes/secrets.ts'
import { coverPath } from '#server/integrations/media/paths.ts'
import { MM } from '#server/print/document.ts'
import { anAudioBook, signedIn } from '#tests/support/builders.ts'
import { aCover } from '#tests/support/catalogue-builders.ts'
import { anAccountOf, aRecipient, give } from '#tests/support/gifts.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  type PayingShop,
  payingShop,
} from '#tests/support/purchases.ts'
import { runGiftCalendar } from './gift-delivery.ts'

let at: PayingShop
let giver: Buyer
beforeAll(async () => {
  at = await payingShop()
})
beforeEach(async () => {
  await at.shop.db.delete(rateLimits)
  giver = await aBuyer(at.shop)
})
afterAll(() => at.shop.close())

/** Buys a title as a gift. Returns its id in the giver's list. */
async function givenTitle(giftEmail: string, giftDeliveryDate?: string, title = 'Given'): Promise<string> {
  const book = await anAudioBook(at.shop, { priceMinor: 750, title })
  const day = giftDeliveryDate ? { giftDeliveryDate, giftTimeZone: 'Europe/London' } : {}
  const checkout = await checkOut(
    giver,
    await fillBag(giver, [{ ...book, kind: 'audio_books', giftEmail, ...day }]),
  )
  at.payments.pay(checkout.intent)
  await comeBack(giver, checkout)
  return (await giver.ask('GET', '/api/gifts/given')).json()['hydra:member'][0].id
}
async function givenMembership(giftEmail: string): Promise<string> {
  await give(at, giver, { giftEmail, giftRecipientFirstName: 'Joost' })
  return (await giver.ask('GET', '/api/subscriptions/given')).json()['hydra:member'][0].id
}
const card = (id: string, who = giver) => who.ask('POST', `/api/gifts/given/${id}/card`)
const file = async (address: string) => at.shop.app.inject(address)
const codeOf = (id: string, email: string) => printedCode(at.shop.config, 'gift', { id, email }).code
const see = (code: string) => at.shop.app.inject(`/api/audio_books/claim/${code}`)
const claim = (who: Buyer, code: string) => who.ask('POST', `/api/audio_books/claim/${code}`)

test('month: a given title has a card to print, and only its giver gets it', async () => {
  const id = await givenTitle(aRecipient())
  const { address } = (await card(id)).json()
  const pdf = await file(address)
  expect([pdf.statusCode, pdf.headers['content-type'], pdf.rawPayload.subarray(0, 5).toString()]).toEqual([
    200,
    'application/pdf',
    '%PDF-',
  ])
  expect((await card(id, await aBuyer(at.shop))).statusCode).toBe(404)
  expect((await file(address.replace(/sig=.{4}/, 'sig=AAAA'))).statusCode).toBe(403)
})

test('month: a card’s code opens the title for the recipient’s address, in any spelling, also after the email was sent again', async () => {
  const email = aRecipient()
  const id = await givenTitle(email)
  const code = codeOf(id, email)
  expect((await see(code)).statusCode).toBe(404)
  await card(id)
  await giver.ask('POST', `/api/gifts/given/${id}/send-again`)
  expect((await see(code.toLowerCase().replaceAll('-', ' '))).json()).toMatchObject({ giftEmail: email })
  const friend = await anAccountOf(at.shop, email)
  expect([(await claim(giver, code)).statusCode, (await claim(friend, code)).statusCode]).toEqual([403, 200])
})

test('month: after a correction of the address, the card that was printed before says so, and a new one opens the gift', async () => {
  const [wrong, right] = [aRecipient(), aRecipient()]
  const id = await givenTitle(wrong)
  const before = (await card(id)).json().address
  await giver.ask('PATCH', `/api/gifts/given/${id}`, { giftEmail: right })
  expect((await see(codeOf(id, wrong))).json().message).toMatch('A new link was sent')
  expect((await file(before)).json().message).toBe('This gift has changed. Please ask for its card again.')
  await card(id)
  expect((await see(codeOf(id, right))).json()).toMatchObject({ giftEmail: right })
})

test('month: a card’s code opens the gift from its day', async () => {
  const email = aRecipient()
  const day = DateTime.fromJSDate(at.shop.clock.now()).plus({ days: 3 })
  const id = await givenTitle(email, day.toISODate()!)
  await card(id)
  const early = await see(codeOf(id, email))
  expect([early.statusCode, early.json().message]).toEqual([
    422,
    `This present can be opened from ${day.toFormat('cccc d LLLL')}, 8 in the morning.`,
  ])
  const friend = await anAccountOf(at.shop, email)
  expect((await claim(friend, codeOf(id, email))).statusCode).toBe(422)
  at.shop.clock.set(day.plus({ days: 1 }).toISO()!)
  await runGiftCalendar(at.shop)
  const opened = await at.shop.app.inject({
    method: 'POST',
    url: `/api/audio_books/claim/${codeOf(id, email)}`,
    headers: await signedIn(at.shop, friend.user),
  })
  expect(opened.statusCode).toBe(200)
})

test('month: a gift that is opened or taken back has no card, and its code opens nothing more', async () => {
  const [opened, back] = [aRecipient(), aRecipient()]
  const id = await givenTitle(opened)
  await card(id)
  await claim(await anAccountOf(at.shop, opened), codeOf(id, opened))
  expect((await card(id)).json().message).toBe('This gift has already been opened.')
  const other = await givenTitle(back)
  const { address } = (await card(other)).json()
  await giver.ask('POST', `/api/gifts/given/${other}/take-back`)
  expect([(await see(codeOf(other, back))).statusCode, (await file(address)).statusCode]).toEqual([404, 422])
})

test('month: a membership’s card opens it without confirming the address, because its giver has the code too', async () => {
  const email = aRecipient()
  const id = await givenMembership(email)
  const { address } = (await giver.ask('POST', `/api/subscriptions/given/${id}/card`)).json()
  expect((await file(address)).headers['content-disposition']).toContain('A present for Joost.pdf')
  const { code } = printedCode(at.shop.config, 'membership_gift', { id, email })
  const friend = await anAccountOf(at.shop, email, false)
  const claimed = await friend.ask('POST', `/api/subscriptions/claim/${code}`)
  expect([claimed.statusCode, claimed.json().state]).toEqual([200, 'begun'])
  const [account] = await at.shop.db.select().from(users).where(eq(users.id, friend.user.id))
  expect(account!.confirmedAt).toBeNull()
})

test('month: an account that is made with a card’s code still has to confirm its address', async () => {
  const email = aRecipient()
  const id = await givenTitle(email)
  await card(id)
  const registered = await at.shop.app.inject({
    method: 'POST',
    url: '/api/users',
    payload: {
      ...{ email, password: randomUUID(), firstName: 'Joost', lastName: 'Vos', countryCode: 'NL' },
      giftToken: codeOf(id, email),
    },
  })
  expect(registered.statusCode).toBe(201)
  const [account] = await at.shop.db.select().from(users).where(eq(users.email, email))
  expect(account!.confirmedAt).toBeNull()
})

test('the database stores only the hash of a card’s code, and twenty cards an hour are drawn', async () => {
  const email = aRecipient()
  const id = await givenTitle(email)
  const { address } = (await card(id)).json()
  const stored = JSON.stringify(await at.shop.db.select().from(printedGiftCodes))
  expect(stored).not.toContain(codeOf(id, email).replaceAll('-', ''))
  const statuses: number[] = []
  for (let drawn = 0; drawn < 21; drawn += 1) statuses.push((await file(address)).statusCode)
  expect([statuses.indexOf(429), statuses.lastIndexOf(200)]).toEqual([20, 19])
})

test('month: each line of a printed card has its place on the folded sheet', async () => {
  const id = await givenTitle(aRecipient())
  const drawn = drawnIn((await file((await card(id)).json().address)).rawPayload)
  expect(drawn.map(({ y }) => y)).toEqual([
    // The front, the back, the note and the code.
    ...[94, 38, 28],
    ...[26, 20],
    ...[246],
    ...[272, 204, 199, 194, 184, 174],
  ])
})

test('month: a printed card wears its book’s colours and cover, and its note is at the edge of its panel', async () => {
  const inAWeek = DateTime.fromJSDate(at.shop.clock.now()).plus({ weeks: 1 })
  const id = await givenTitle(aRecipient(), inAWeek.toISODate()!)
  const coverId = await aCover(at.shop, 'c0ffee77')
  const picture = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#804020' } })
    .jpeg()
    .toBuffer()
  await at.shop.media.put(coverPath(coverId, '900.jpg'), picture)
  await at.shop.db.update(books).set({ coverId, backgroundColour: '#336699', textColour: '#FFCC00' })
  const note = 'For the long road home, and for the evenings after it. '.repeat(5).trim()
  await at.shop.db.update(gifts).set({ message: note })
  const pdf = (await file((await card(id)).json().address)).rawPayload
  const [text, content] = [drawnIn(pdf), contentOf(pdf)]
  expect(content).toMatch(/^0\.2 0\.4 0\.6 scn$/m)
  expect(content).toMatch(/^1 0\.8 0 scn$/m)
  const [, width, x, y] = /^(\S+) 0 0 \S+ (\S+) (\S+) cm\n\/I\d+ Do$/m.exec(content)!
  expect([width, x, y].map((length) => Math.round(Number(length) / MM))).toEqual([66, 125, 237])
  // The picture is measured from the top. The note and its giver, the title and what is below it begin at the edges of
  // their panels; the code is in the middle of its own.
  const lines = text.slice(4).map((at) => at.x)
  lines.splice(-2, 1)
  expect(lines).toEqual([...Array.from({ length: 12 }, () => 14), ...Array.from({ length: 6 }, () => 119)])
})

test('month: a printed card is centred on its front and its back, and has the title that was bought', async () => {
  const id = await givenTitle(aRecipient())
  await at.shop.db.update(books).set({ title: 'Renamed since, to something longer' })
  const drawn = drawnIn((await file((await card(id)).json().address)).rawPayload)
  // The title, two lines below it, the shop’s name and its address.
  expect(drawn.slice(0, 5).map(({ x }) => x)).toEqual([139, 126, 144, 43, 43])
})

test('month: a long title and a day move the code of a printed card down, into a field across its panel', async () => {
  const inAWeek = DateTime.fromJSDate(at.shop.clock.now()).plus({ weeks: 1 })
  const title = 'The Long and Winding Account of Those Who Kept the Light at the Farthest Edge of the Sea'
  const id = await givenTitle(aRecipient(), inAWeek.toISODate()!, title)
  const pdf = (await file((await card(id)).json().address)).rawPayload
  const [drawn, content] = [drawnIn(pdf), contentOf(pdf)]
  expect(drawn.slice(-9).map(({ y }) => y)).toEqual([273, 267, 260, 253, 200, 195, 190, 179, 169])
  const fields = [...content.matchAll(/^(\S+) (\S+) (\S+) (\S+) re$/gm)]
  expect(
    fields
      .at(-1)!
      .slice(1)
      .map((length) => Math.round(Number(length) / MM)),
  ).toEqual([119, 110, 77, 11])
  // The code begins in the left half of its field.
  const { x } = drawn.at(-2)!
  expect(x > 119 && x < 119 + 77 / 2).toBe(true)
})

test('month: where to enter the code of a printed card is in bold, like the name of the giver', async () => {
  const id = await givenTitle(aRecipient())
  const content = contentOf((await file((await card(id)).json().address)).rawPayload)
  const [, bold] = [...content.matchAll(/^(\/F\d+) 13 Tf$/gm)].map(([, font]) => font)
  const fonts = [...content.matchAll(/^(\/F\d+) 10\.5 Tf$/gm)].map(([, font]) => font === bold)
  expect(fonts).toEqual([false, true, false])
})

test('month: short marks at the edges of the sheet show where to fold a printed card', async () => {
  const id = await givenTitle(aRecipient())
  const content = contentOf((await file((await card(id)).json().address)).rawPayload)
  const marks = [...content.matchAll(/^(\S+) (\S+) m\n(\S+) (\S+) l$/gm)].map(([, ...ends]) =>
    ends.map((end) => Math.round(Number(end) / MM)),
  )
  expect(marks).toEqual([
    ...[
      [0, 149, 4, 149],
      [206, 149, 210, 149],
    ],
    ...[
      [105, 0, 105, 4],
      [105, 293, 105, 297],
    ],
  ])
})

test('month: the inside of a printed card is turned upside down in the top half of the sheet', async () => {
  const id = await givenTitle(aRecipient())
  const content = contentOf((await file((await card(id)).json().address)).rawPayload)
  const [, x, y] = /^-1 \S+ \S+ -1 (\S+) (\S+) cm$/m.exec(content)!
  // Where the corner of the inside moves to, from the left and the top: the right edge of the sheet, at its middle.
  expect([x, y].map((length) => Math.round(Number(length) / MM))).toEqual([210, 149])
})

const contentOf = (pdf: Buffer): string =>
  [...pdf.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)]
    .map(([, body]) => Buffer.from(body!, 'latin1'))
    // Fonts and pictures have no text operators.
    .map((bytes) => (bytes[0] === 0x78 ? inflateSync(bytes).toString('latin1') : ''))
    .join('\n')

/** The place of each line of text in mm from the left and the bottom of the sheet, before the inside is rotated. */
const drawnIn = (pdf: Buffer): { x: number; y: number }[] =>
  [...contentOf(pdf).matchAll(/^1 0 0 1 (\S+) (\S+) Tm$/gm)].map(([, x, y]) => ({
    x: Math.round(Number(x) / MM),
    y: Math.round(Number(y) / MM),
  }))
