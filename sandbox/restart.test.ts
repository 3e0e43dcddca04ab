import { afterAll, beforeAll, expect, test } from 'vitest'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => (sandbox = await testSandbox()))
afterAll(() => sandbox?.close())

test('a kill at any point of a payment loses no answered request and never charges twice', async () => {
  for (let round = 0; round < (process.env.LONG ? 25 : 5); round += 1) {
    const wish = { amountMinor: 1000 + round, metadata: { round: String(round) } }
    const key = `round-${round}`
    const made = sandbox.payments.createPayment(wish, key).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, round % 5))
    await Promise.all([sandbox.kill(), made])
    await sandbox.start()

    const payment = await sandbox.payments.createPayment(wish, key)
    const answered = await made
    expect(payment).toEqual(answered ?? payment)
    await sandbox.confirm(payment)
    await sandbox.kill()
    await sandbox.start()
    expect(await sandbox.payments.retrievePayment(payment.id)).toMatchObject({
      state: 'paid',
      method: 'card',
    })

    const sameRound: string[] = []
    for await (const { id, metadata } of sandbox.payments.listPayments({}))
      if (metadata.round === String(round)) sameRound.push(id)
    expect(sameRound).toEqual([payment.id])
  }
}, 120_000)

test('address and keys stay the same after a restart', async () => {
  const { id } = await sandbox.payments.createPayment({ amountMinor: 100, metadata: {} }, 'address')
  await sandbox.kill()
  await sandbox.start()
  expect((await sandbox.payments.retrievePayment(id)).amountMinor).toBe(100)
})

test("an idempotency key expires after a day of the sandbox's clock", async () => {
  const wish = { amountMinor: 100, metadata: {} }
  const first = await sandbox.payments.createPayment(wish, 'yesterday')
  await sandbox.control('clock', { advance: 'PT23H' })
  expect((await sandbox.payments.createPayment(wish, 'yesterday')).id).toBe(first.id)
  await sandbox.control('clock', { advance: 'PT1H' })
  const later = await sandbox.payments.createPayment(wish, 'yesterday')
  expect(later.id).not.toBe(first.id)
  expect(later.createdAt.getTime() - first.createdAt.getTime()).toBeGreaterThanOrEqual(86_400_000)
})
