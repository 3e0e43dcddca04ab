import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'

/** A shop that logs the events it receives and answers with the statuses of a test. */
const heard: { id: string; type: string }[] = []
let answers: number[] = []
let shop: Server
let sandbox: TestSandbox

beforeAll(async () => {
  shop = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const { id, type } = JSON.parse(text) as { id: string; type: string }
      heard.push({ id, type })
      response.statusCode = answers.shift() ?? 200
      response.end()
    })
  })
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  sandbox = await testSandbox()
  await sandbox.tell(`http://127.0.0.1:${(shop.address() as AddressInfo).port}`)
})
afterAll(async () => {
  await sandbox?.close()
  shop?.close()
})
beforeEach(async () => {
  await sandbox.control('webhooks', { hold: 'false', duplicates: '0' })
  await sandbox.control('webhooks/settled')
  heard.length = 0
  answers = []
})

let count = 0
const newPayment = () =>
  sandbox.payments.createPayment({ amountMinor: 500, metadata: {} }, `webhooks-${(count += 1)}`)
const types = () => heard.map(({ type }) => type)
const until = async (done: () => boolean) => {
  await expect.poll(done, { timeout: 8_000 }).toBe(true)
}

test('each event is sent once', async () => {
  await sandbox.confirm(await newPayment())
  await until(() => types().includes('payment_intent.succeeded'))
  await sandbox.control('webhooks/settled')
  expect(types().toSorted()).toEqual([
    'charge.succeeded',
    'payment_intent.created',
    'payment_intent.succeeded',
  ])
})

test('an event that is not accepted is sent again', async () => {
  answers = [500]
  await newPayment()
  await until(() => heard.length === 2)
  expect(heard[1]).toEqual(heard[0])
})

test('sends duplicates if a test wants them', async () => {
  await sandbox.control('webhooks', { duplicates: '1' })
  await newPayment()
  await until(() => heard.length === 2)
  expect(heard[1]).toEqual(heard[0])
})

test('held events are sent when they are released, in the chosen order and number', async () => {
  await sandbox.control('webhooks', { hold: 'true' })
  await sandbox.confirm(await newPayment())
  await sandbox.control('webhooks/settled')
  expect(heard).toEqual([])
  await sandbox.control('webhooks/release', { order: 'reversed', times: '2' })
  expect(types()).toEqual(
    ['payment_intent.succeeded', 'charge.succeeded', 'payment_intent.created'].flatMap((type) => [
      type,
      type,
    ]),
  )
})

test('events that were not sent before a kill are sent after the next start', async () => {
  await sandbox.control('webhooks', { hold: 'true' })
  const payment = await newPayment()
  await sandbox.kill()
  await sandbox.start()
  await sandbox.control('webhooks', { hold: 'false' })
  await until(() => heard.length === 1)
  await sandbox.control('webhooks/settled')
  const [event] = heard
  await sandbox.control(`events/${event!.id}/send`)
  expect(heard).toEqual([event, event])
  expect((await sandbox.payments.retrievePayment(payment.id)).state).toBe('open')
})

test('held events are sent in the order of a seed, and dropped events are never sent', async () => {
  await sandbox.control('webhooks', { hold: 'true' })
  await sandbox.confirm(await newPayment())
  await sandbox.confirm(await newPayment())
  await sandbox.control('webhooks/settled')
  expect(await sandbox.control('webhooks/drop', { type: 'charge.succeeded' })).toEqual({ dropped: 2 })
  const orderOf = async (seed: string) => {
    heard.length = 0
    const { waiting } = await sandbox.control('webhooks/settled')
    await sandbox.control('webhooks/release', { order: 'shuffled', seed })
    expect(types()).not.toContain('charge.succeeded')
    expect(heard).toHaveLength((waiting as unknown[]).length)
    return types()
  }
  expect((await orderOf('7')).toSorted()).toEqual([
    'payment_intent.created',
    'payment_intent.created',
    'payment_intent.succeeded',
    'payment_intent.succeeded',
  ])
  expect(await orderOf('7')).toEqual([])
  expect(await sandbox.control('webhooks/drop')).toEqual({ dropped: 0 })
})
