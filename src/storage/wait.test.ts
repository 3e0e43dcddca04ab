import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { Dexie } from 'dexie'
import { soon } from '#tests/support/wait-for.ts'
import { answered } from './wait.ts'
import { perOwnerDatabases } from './open.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const never = () => new Promise<never>(() => undefined)

test('a database that hangs is given up after a few seconds, one that answers is not', async () => {
  vi.useFakeTimers()
  // oxlint-disable-next-line vitest/valid-expect -- awaited below, when the clock has moved
  const silent = expect(answered(never)).rejects.toThrow('does not answer')
  await vi.advanceTimersByTimeAsync(3_000)
  await silent
  await expect(answered(async () => 'here')).resolves.toBe('here')
  expect(vi.getTimerCount()).toBe(0)
})

test('waiting for a value has the same limit, and without IndexedDB the call fails at once', async () => {
  vi.resetModules()
  vi.useFakeTimers()
  vi.stubGlobal('indexedDB', { open: () => ({}) })
  const { readValue } = await import('./values.ts')
  // oxlint-disable-next-line vitest/valid-expect -- awaited below, when the clock has moved
  const silent = expect(readValue('rememberedUser')).rejects.toThrow('does not answer')
  await vi.advanceTimersByTimeAsync(3_000)
  await silent

  vi.resetModules()
  vi.stubGlobal('indexedDB', undefined)
  const blocked = await import('./values.ts')
  await expect(blocked.readValue('rememberedUser')).rejects.toThrow()
})

test("a listener’s database that doesn't open is given up for every caller", async () => {
  vi.useFakeTimers()
  const db = perOwnerDatabases(() => {
    const made = new Dexie('hangs')
    vi.spyOn(made, 'open').mockImplementation(never as never)
    return made
  })
  const work = (made: Dexie) => made.open()
  // oxlint-disable-next-line vitest/valid-expect -- awaited below, when the clock has moved
  const silent = expect(db.use('nell', work)).rejects.toThrow('does not answer')
  await vi.advanceTimersByTimeAsync(3_000)
  await silent
})

test('long work is not given up once its database is open', async () => {
  const db = perOwnerDatabases(() => {
    const made = new Dexie('slow')
    made.version(1).stores({ things: 'id' })
    return made
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  let finish = (_words: string) => {}
  const slow = db.use('nell', async (open) => {
    await open.open()
    return new Promise<string>((resolve) => (finish = resolve))
  })
  await soon(() => expect(finish.name).not.toBe('finish'))
  await vi.advanceTimersByTimeAsync(60_000)
  finish('done')
  await expect(slow).resolves.toBe('done')
})
