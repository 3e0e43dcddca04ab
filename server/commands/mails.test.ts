import { eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountTokens, users } from '#server/db/schema/accounts.ts'
import { mails, sentMails } from '#server/db/schema/mails.ts'
import { orders } from '#server/db/schema/orders.ts'
import { cleanUp } from '#server/jobs/clean-up.ts'
import { sendDueMail } from '#server/integrations/mail/sender.ts'
import { aBuyer, checkOut, comeBack, fillBag, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aRecipient, give } from '#tests/support/gifts.ts'
import { typed } from '#tests/support/run-command.ts'
import { remade } from '../features/mails/resend.ts'
import { mailsCommand } from './mails.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop({ env: { DEMO: '0' } })
})
afterAll(() => at.shop.close())

const command = (...argv: string[]) => typed(at.shop, mailsCommand, argv)
const WHY = ['--because', 'lost in the post', '--yes']
const mailsLike = (key: string) =>
  at.shop.db.select().from(mails).where(like(mails.key, key)).orderBy(mails.queuedAt)
const post = (takes: boolean) =>
  sendDueMail(at.shop, {
    send: () =>
      takes ? Promise.resolve() : Promise.reject(Object.assign(new Error('no'), { responseCode: 550 })),
    close: () => undefined,
  })

test('a sent mail is shown word for word for 90 days, later rebuilt from its order, and can be resent', async () => {
  const buyer = await aBuyer(at.shop)
  const book = {
    ...(await anAudioBook(at.shop, { title: 'Peat', priceMinor: 1200 })),
    kind: 'audio_books' as const,
  }
  const till = await checkOut(buyer, await fillBag(buyer, [book]))
  at.payments.pay(till.intent)
  await comeBack(buyer, till)
  const [mail] = await mailsLike(`order_confirmed:${till.order}`)
  const id = mail!.id.slice(0, 8)
  expect((await command('waiting')).said).toContain(`${id}  `)
  const before = (await command('show', id)).said.split('\n').slice(1)
  expect(before.join('\n')).toContain('Peat: £12.00')
  await post(true)
  expect((await mailsLike(`order_confirmed:${till.order}`))[0]).toMatchObject({ data: {}, recipient: '' })
  // The stored text, even if the shop would write something different now.
  await at.shop.db.update(orders).set({ buyerName: 'Somebody Else' }).where(eq(orders.id, till.order))
  expect((await command('show', id)).said.split('\n').slice(1)).toEqual(before)
  const list = (await command('to', buyer.user.email.toUpperCase())).said
  expect(list).toMatch(new RegExp(`^${id}  .*Your .* order M-\\d+ +sent `, 'm'))
  await at.shop.db.update(orders).set({ buyerName: 'Nell Marsh' }).where(eq(orders.id, till.order))
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  await cleanUp({ ...at.shop, now: () => inDays(89) })
  expect((await command('show', id)).said).not.toContain('kept for 90 days')
  await cleanUp({ ...at.shop, now: () => inDays(91) })
  expect((await command('show', id)).said).toContain('What was sent is kept for 90 days.')
  expect((await command('to', buyer.user.email)).said).toMatch(/^Nothing was sent to/)
  expect((await command('waiting')).said).toContain('No mail waits')
  expect((await command('send-again', id, ...WHY)).code).toBe(0)
  expect(await mailsLike(`order_confirmed:${till.order}:%`)).toMatchObject([
    { recipient: buyer.user.email, data: mail!.data },
  ])
})

test('a mail that was given up is sent with a new link, and no link is ever shown', async () => {
  const email = 'newcomer@murmur.example'
  const payload = {
    email,
    password: 'a long enough one',
    firstName: 'Ida',
    lastName: 'Bell',
    countryCode: 'GB',
  }
  const registered = await at.shop.app.inject({ method: 'POST', url: '/api/users', payload })
  expect(registered.statusCode).toBe(201)
  const [mail] = await mailsLike('confirm:%')
  const { token, code } = mail!.data as { token: string; code: string }
  const id = mail!.id.slice(0, 10)
  for (const { said } of [await command('show', id), await command('show', id, '--json')])
    expect([said.includes(token), said.includes(code)]).toEqual([false, false])
  await post(false)
  expect((await command('waiting')).said).toMatch(/confirm_address\s+\(erased\)\s+given up after 1 tries/)
  const again = await command('send-again', id, ...WHY)
  expect(again.said).toContain('with a new link; the old one opens nothing any more')
  expect((await command('show', id)).said).toContain('sent confirm_address again')
  const proofs = await at.shop.db.select().from(accountTokens).where(eq(accountTokens.purpose, 'confirm'))
  expect([proofs.length, (await mailsLike('confirm:%')).at(-1)!.recipient]).toEqual([2, email])
})

test('sent mail is stored without links and codes, is exported, and is deleted with the account', async () => {
  const buyer = await aBuyer(at.shop)
  const { email, id: userId } = buyer.user
  await buyer.ask('POST', '/api/user_confirmation/resend')
  const [mail] = await at.shop.db.select().from(mails).where(eq(mails.recipient, email))
  const { token, code } = mail!.data as { token: string; code: string }
  await post(true)
  const stored = () => at.shop.db.select().from(sentMails).where(eq(sentMails.recipient, email))
  expect(await stored()).toHaveLength(1)
  expect(JSON.stringify(await stored())).not.toMatch(new RegExp(`${token}|${code}`))
  await at.shop.db.update(users).set({ confirmedAt: at.shop.now() }).where(eq(users.id, userId))
  const { mails: exported } = (await buyer.ask('GET', `/api/users/${userId}/export`)).json()
  expect(exported).toMatchObject([{ kind: 'confirm_address', subject: (await stored())[0]!.subject }])
  await buyer.ask('POST', `/api/users/${userId}/delete-account`, { password: buyer.user.password })
  expect(await stored()).toEqual([])
})

test('a giver’s mail is rebuilt from the gift, word for word', async () => {
  const giver = await aBuyer(at.shop)
  await give(at, giver, { giftEmail: aRecipient() })
  const [mail] = await mailsLike('gift_membership_given:%')
  const { recipient, kind, data } = mail!
  // The preview hides the giver's link; the sent mail contains it again.
  expect(await remade(at.shop, mail!)).toEqual({
    to: recipient,
    kind,
    data: { ...Object(data), giverToken: '……' },
  })
})

test('a mail that cannot be rebuilt says so, and an abbreviated id must be unique', async () => {
  const kind = 'password_changed'
  await at.shop.db
    .insert(mails)
    .values({ kind, key: `${kind}:1`, recipient: '', data: {}, sentAt: at.shop.now() })
  const { id } = (await mailsLike(`${kind}:1`))[0]!
  expect((await command('show', id)).said).toContain('true for its day alone')
  await expect(command('send-again', id, ...WHY)).rejects.toThrow(/true for its day alone/)
  await expect(command('show', 'abc')).rejects.toThrow('There is no mail abc.')
})
