import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { fakeStorage } from '#tests/support/fake-storage.ts'
import { pageTokens, workerTokens } from './tokens.ts'
import { removeValue, writeValue } from './values.ts'

let drawer: ReturnType<typeof fakeStorage>
let tokens: ReturnType<typeof pageTokens>

beforeEach(async () => {
  drawer = fakeStorage()
  tokens = pageTokens(drawer)
  await removeValue('tokens')
})

test('written tokens reach the page at once, and the worker without the refresh token', async () => {
  expect([tokens.present(), tokens.peek(), await workerTokens.read()]).toEqual([false, undefined, undefined])
  await tokens.write({ token: 'one', refreshToken: 'r1' })
  expect(tokens.present()).toBe(true)
  expect(tokens.peek()).toMatchObject({ token: 'one', refreshToken: 'r1' })
  expect(await workerTokens.read()).toEqual({ token: 'one', refreshToken: undefined })
  await tokens.write({ token: 'two', refreshToken: undefined })
  expect(await tokens.read()).toMatchObject({ token: 'two', refreshToken: undefined })
  await tokens.clear()
  expect([tokens.present(), await workerTokens.read()]).toEqual([false, undefined])
})

test('a missing worker copy is created, and an existing one stays', async () => {
  await tokens.lend()
  expect(await workerTokens.read()).toBeUndefined()
  await tokens.write({ token: 'one', refreshToken: 'r1' })
  await removeValue('tokens')
  await tokens.lend()
  expect(await workerTokens.read()).toEqual({ token: 'one', refreshToken: undefined })
  await writeValue('tokens', { token: 'two', refreshToken: 'r2', at: Date.now() + 1 })
  await tokens.lend()
  expect(await workerTokens.read()).toMatchObject({ token: 'two' })
})

test('trap 20: a newer copy of another tab is adopted, an older one is not', async () => {
  await tokens.write({ token: 'one', refreshToken: 'r1' })
  const { at } = tokens.peek() as { at: number } & ReturnType<typeof tokens.peek>
  await writeValue('tokens', { token: 'same', refreshToken: 'r2', at })
  expect(await tokens.readNewest()).toMatchObject({ token: 'one' })
  await writeValue('tokens', { token: 'two', refreshToken: 'r2', at: at + 1 })
  expect(await tokens.readNewest()).toMatchObject({ token: 'two', refreshToken: 'r2' })
  expect(await tokens.read()).toEqual({ token: 'two', refreshToken: 'r2', at: at + 1 })
})

test("after a log-out here, a copy doesn't log the user in again", async () => {
  await writeValue('tokens', { token: 'two', refreshToken: 'r2', at: Date.now() })
  expect(await tokens.readNewest()).toBeUndefined()
})

test('tokens of the previous shop, which have no date, count as older than any copy', async () => {
  drawer.setItem('token', 'old')
  expect(tokens.peek()).toEqual({ token: 'old', refreshToken: undefined, at: 0 })
  expect(await tokens.readNewest()).toMatchObject({ token: 'old' })
  await writeValue('tokens', { token: 'new', refreshToken: undefined, at: 1 })
  expect(await tokens.readNewest()).toMatchObject({ token: 'new' })
})
