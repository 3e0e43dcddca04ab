import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { expectNothingLost, LISTENERS_KEY } from '#tests/support/listeners.ts'
import { startPostgres } from '#tests/support/postgres.ts'
import { type ShopUnderLoad, shopUnderLoad } from '#tests/support/shop-under-load.ts'
import { soon } from '#tests/support/wait-for.ts'

const TITLES = 20_000
/** How old a list may be: the time until visitors see an imported change. */
const SEEN_AFTER_MS = 5_000
const QUIET_MS = 10_000
const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close()
})

/** A catalogue file has no audio, so its titles would not be for sale; this trigger marks them as deliverable. */
const THEIR_SOUND_IS_THERE = `
  create function deliver() returns trigger language plpgsql as 'begin new.deliverable := true; return new; end';
  create trigger deliver before insert or update on books for each row execute function deliver()`

function catalogueFile(folder: string, price: string): string {
  const path = join(folder, 'catalogue.csv')
  const rows = Array.from(
    { length: TITLES },
    (_, n) => `Marram ${n},Edda ${n % 900} Marlow,${price},audiobook`,
  )
  writeFileSync(path, ['title,author,price,format', ...rows, ''].join('\n'))
  return path
}

/** Runs `npm run import` while the servers are running; returns the seconds it took. */
async function imported(path: string, env: Record<string, string>): Promise<number> {
  const began = performance.now()
  const child = spawn(
    process.execPath,
    ['--import', './server/db/quick-imports.ts', 'tools/murmur.ts', 'import', path],
    { env: { PATH: process.env.PATH, DEMO: '0', ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const said: string[] = []
  child.stdout.on('data', (text) => said.push(String(text)))
  expect(await once(child, 'close'), said.join('').slice(-500)).toEqual([0, null])
  return (performance.now() - began) / 1_000
}

/** Visitors and listeners who load the same pages again and again. */
function visitorsOf({ servers, listeners }: ShopUnderLoad) {
  const asked = { count: 0, longestMs: 0, failed: [] as string[] }
  const work = { isOver: false }
  const paths = [
    '/api/audio_books?page=1',
    '/api/homepage_panels',
    '/browse',
    '/',
    '/api/audio_books?page=7&sort=title',
  ]
  const look = async (visitor: number) => {
    const headers = visitor % 2 === 0 ? listeners[visitor % listeners.length]!.headers : {}
    for (let turn = visitor; !work.isOver; turn += 1) {
      const path = paths[turn % paths.length]!
      const began = performance.now()
      const answer = await fetch(servers[turn % servers.length]!.url + path, { headers })
      await answer.arrayBuffer()
      asked.count += 1
      asked.longestMs = Math.max(asked.longestMs, performance.now() - began)
      if (answer.status !== 200) asked.failed.push(`${answer.status} ${path}`)
      await pause(5)
    }
  }
  const done = Promise.all(Array.from({ length: 8 }, (_, visitor) => look(visitor)))
  const end = async () => {
    work.isOver = true
    await done
  }
  closings.push(end)
  return { asked, end }
}

describe.runIf(process.env.LONG)('a catalogue comes in while people look and listen', () => {
  test(
    'no request is refused, places are stored, and every instance soon shows the new titles',
    { timeout: 900_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'murmur-import-'))
      closings.push(() => rmSync(folder, { recursive: true, force: true }))
      const postgres = await startPostgres({ durable: true })
      closings.push(() => postgres.stop())
      const shop = await shopUnderLoad({ databaseUrl: postgres.url, instances: 2 })
      closings.push(() => shop.close())
      const client = new pg.Client(postgres.url)
      await client.connect()
      closings.push(() => client.end())
      const statements = async () =>
        Number((await client.query('select sum(xact_commit) as n from pg_stat_database')).rows[0].n)
      const env = {
        DATABASE_URL: postgres.url,
        DATA_DIR: folder,
        APP_KEYS: LISTENERS_KEY,
        CODE_KEY: LISTENERS_KEY,
      }
      await client.query(THEIR_SOUND_IS_THERE)
      await imported(catalogueFile(folder, '9.00'), env)

      const visitors = visitorsOf(shop)
      const said: Record<string, string> = {}
      const over = async (what: string, work: () => Promise<unknown>) => {
        const [began, asked, transactions] = [performance.now(), visitors.asked.count, await statements()]
        await work()
        const seconds = (performance.now() - began) / 1_000
        const rate = (count: number) => (count / seconds).toFixed(0)
        said[what] =
          `${seconds.toFixed(0)} s, ${rate(visitors.asked.count - asked)} answers and ${rate((await statements()) - transactions)} transactions a second`
      }
      await over('quiet', () => pause(QUIET_MS))
      await over('while every title changes', () => imported(catalogueFile(folder, '10.00'), env))
      const changedAt = performance.now()
      for (const { url } of shop.servers)
        await soon(async () => {
          const found = await fetch(`${url}/api/search_books?keyword=marram`)
          const { 'hydra:member': cards } = (await found.json()) as { 'hydra:member': { price: number }[] }
          expect(new Set(cards.map(({ price }) => price))).toEqual(new Set([10]))
        })
      expect(performance.now() - changedAt).toBeLessThan(SEEN_AFTER_MS)
      await visitors.end()
      const { failed, longestMs } = visitors.asked
      console.log({ ...said, longest: `${longestMs.toFixed(0)} ms` })
      expect(failed).toEqual([])
      expect(shop.refused()).toBe(0)
      expectNothingLost(...(await shop.end()))
    },
  )
})
