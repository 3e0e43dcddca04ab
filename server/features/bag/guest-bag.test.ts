import { expect, test } from 'vitest'
import type { Database } from '#server/db/open.ts'
import { joinCarts } from './guest-bag.ts'

const JOINED = { cartId: 'own', added: ['One'], alreadyInBag: [], becameGifts: [] }
/** A database whose transactions end as given, one after the other. */
const ending = (...ends: (() => Promise<unknown>)[]) => {
  const left = [...ends]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is used
  const db = { transaction: () => left.shift()!() } as unknown as Database
  return { join: () => joinCarts(db, 'guest', { userId: 'lena', now: new Date() }), left }
}
const failing = (code: string) => () =>
  Promise.reject(new Error('Failed query', { cause: Object.assign(new Error(code), { code }) }))
const joined = () => Promise.resolve(JOINED)

test('trap 29: if two guest bags become the account’s first bag at the same moment, the later one is joined again', async () => {
  expect(await ending(failing('23505'), joined).join()).toEqual(JOINED)
})

test('other errors are not retried', async () => {
  const { join, left } = ending(failing('57014'), joined)
  await expect(join()).rejects.toThrow('Failed query')
  expect(left).toHaveLength(1)
})
