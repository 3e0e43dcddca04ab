import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'
import { noPayments } from '#tests/support/no-provider.ts'
import { BadSignature, NotAtProvider, PaymentConflict, PaymentsUnavailable } from './problems.ts'

let sandbox: TestSandbox
beforeAll(async () => (sandbox = await testSandbox()))
afterAll(() => sandbox?.close())

let count = 0
const keyFor = (what: string) => `${what}-${(count += 1)}`
const order = (amountMinor = 1499) => ({ amountMinor, metadata: { order: keyFor('order') } })
const newPayment = (amountMinor?: number) => sandbox.payments.createPayment(order(amountMinor), keyFor('pay'))

test('a payment requested twice is created once, and another one with its key is refused', async () => {
  const { payments } = sandbox
  const params = order()
  const key = keyFor('same')
  const [first, second] = await Promise.all([
    payments.createPayment(params, key),
    payments.createPayment(params, key),
  ])
  expect(second).toEqual(first)
  expect(first).toMatchObject({
    state: 'open',
    amountMinor: 1499,
    currency: 'gbp',
    metadata: params.metadata,
  })
  await expect(payments.createPayment({ ...params, amountMinor: 1500 }, key)).rejects.toThrow(PaymentConflict)
})

test('card and PayPal payments are distinguished', async () => {
  const byCard = await newPayment()
  await sandbox.confirm(byCard, '5555555555554444')
  expect(await sandbox.payments.retrievePayment(byCard.id)).toMatchObject({
    state: 'paid',
    method: 'card',
    cardLast4: '4444',
    refusal: null,
  })

  const byPayPal = await newPayment()
  const waiting = await sandbox.confirmPayPal(byPayPal, 'http://shop.example/back?x=1')
  expect((await sandbox.payments.retrievePayment(byPayPal.id)).state).toBe('open')
  const back = new URL((await sandbox.decide(waiting, 'approve'))!)
  expect(back.origin + back.pathname).toBe('http://shop.example/back')
  expect(Object.fromEntries(back.searchParams)).toEqual({
    x: '1',
    payment_intent: byPayPal.id,
    payment_intent_client_secret: byPayPal.clientSecret,
    redirect_status: 'succeeded',
  })
  expect(await sandbox.payments.retrievePayment(byPayPal.id)).toMatchObject({
    state: 'paid',
    method: 'paypal',
    cardLast4: null,
  })
})

test('a refused card leaves the payment open, with the reason, for another card', async () => {
  const payment = await newPayment()
  await sandbox.confirm(payment, '4000000000009995')
  expect(await sandbox.payments.retrievePayment(payment.id)).toMatchObject({
    state: 'open',
    refusal: { code: 'card_declined', declineCode: 'insufficient_funds' },
  })
  await sandbox.confirm(payment)
  expect(await sandbox.payments.retrievePayment(payment.id)).toMatchObject({ state: 'paid', refusal: null })
})

test('a refused PayPal payment returns the buyer with `failed`, and nothing is paid', async () => {
  const payment = await newPayment()
  const back = await sandbox.decide(
    await sandbox.confirmPayPal(payment, 'http://shop.example/back'),
    'refuse',
  )
  expect(new URL(back!).searchParams.get('redirect_status')).toBe('failed')
  expect(await sandbox.payments.retrievePayment(payment.id)).toMatchObject({ state: 'open', method: null })
})

test('a paid payment cannot be cancelled, and its state shows that', async () => {
  const [paid, open] = [await newPayment(), await newPayment()]
  await sandbox.confirm(paid)
  expect((await sandbox.payments.cancelPayment(paid.id)).state).toBe('paid')
  expect((await sandbox.payments.cancelPayment(open.id)).state).toBe('cancelled')
  expect((await sandbox.payments.cancelPayment(open.id)).state).toBe('cancelled')
})

test('refunds can be partial, and never exceed the payment', async () => {
  const payment = await newPayment(1000)
  await sandbox.confirm(payment)
  const key = keyFor('refund')
  const part = await sandbox.payments.refundPayment(payment.id, { amountMinor: 300 }, key)
  expect(await sandbox.payments.refundPayment(payment.id, { amountMinor: 300 }, key)).toEqual(part)
  await expect(
    sandbox.payments.refundPayment(payment.id, { amountMinor: 701 }, keyFor('refund')),
  ).rejects.toThrow(PaymentConflict)
  await sandbox.payments.refundPayment(payment.id, {}, keyFor('refund'))
  await expect(sandbox.payments.refundPayment(payment.id, {}, keyFor('refund'))).rejects.toThrow(
    PaymentConflict,
  )
  expect((await sandbox.payments.retrievePayment(payment.id)).refundedMinor).toBe(1000)
})

test('a disputed payment is marked as disputed', async () => {
  const payment = await newPayment()
  await sandbox.confirm(payment)
  await sandbox.control(`payment_intents/${payment.id}/dispute`)
  expect(await sandbox.payments.retrievePayment(payment.id)).toMatchObject({ state: 'paid', disputed: true })
})

test('payments with refunds or disputes are listed once; others are not', async () => {
  const [back, disputed, kept] = [await newPayment(1000), await newPayment(), await newPayment()]
  for (const payment of [back, disputed, kept]) await sandbox.confirm(payment)
  for (const part of [1, 2])
    await sandbox.payments.refundPayment(back.id, { amountMinor: part }, keyFor('refund'))
  await sandbox.control(`payment_intents/${disputed.id}/dispute`)
  const listed: string[] = []
  for await (const id of sandbox.payments.listReturned({ since: new Date(Date.now() - 3_600_000) }))
    listed.push(id)
  const theirs = listed.filter((id) => [back.id, disputed.id, kept.id].includes(id))
  expect(theirs.toSorted()).toEqual([back.id, disputed.id].toSorted())
})

test('lists continue after one page, newest first, and start at the given time', async () => {
  const made: string[] = []
  for (let each = 0; each < 101; each += 1) made.push((await newPayment()).id)
  const seen: string[] = []
  for await (const { id } of sandbox.payments.listPayments({ since: new Date(Date.now() - 3_600_000) }))
    seen.push(id)
  expect(seen.slice(0, 101)).toEqual(made.reverse())
  for await (const { id } of sandbox.payments.listPayments({ since: new Date(Date.now() + 60_000) }))
    expect.fail(`${id} is older`)
})

test('a signed webhook is parsed; a changed byte, another secret or an old time is refused', async () => {
  const { body, signature } = await heard()
  expect(await sandbox.payments.readWebhook(body, signature)).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    subject: { kind: 'payment', id: expect.stringMatching(/^pi_/) },
  })

  const changed = Buffer.from(body.toString().replace('1234', '1235'))
  expect(changed.equals(body)).toBe(false)
  const old = signature.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000) - 301}`)
  for (const [bytes, header] of [
    [changed, signature],
    [body, old],
    [body, signature.replace(/v1=..../, 'v1=0000')],
    [body, undefined],
    [Buffer.from('{}'), 'nonsense'],
  ] as const)
    await expect(sandbox.payments.readWebhook(bytes, header)).rejects.toThrow(BadSignature)
})

test('an unknown payment, an unavailable provider and a shop without keys are different errors', async () => {
  await expect(sandbox.payments.retrievePayment('pi_nobody')).rejects.toThrow(NotAtProvider)
  await expect(noPayments.retrievePayment('pi_nobody')).rejects.toThrow(PaymentsUnavailable)
  await sandbox.kill()
  await expect(sandbox.payments.retrievePayment('pi_nobody')).rejects.toThrow(PaymentsUnavailable)
  await sandbox.start()
})

async function heard(): Promise<{ body: Buffer; signature: string }> {
  const server = createServer()
  const first = new Promise<{ body: Buffer; signature: string }>((resolve) => {
    server.on('request', (request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        response.end('ok')
        const body = Buffer.concat(parts)
        if (body.includes('payment_intent.created'))
          resolve({ body, signature: String(request.headers['stripe-signature']) })
      })
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  await sandbox.tell(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await newPayment(1234)
  const result = await first
  await sandbox.control('webhooks', { url: '' })
  server.close()
  return result
}
