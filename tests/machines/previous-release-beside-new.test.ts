import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '#server/db/open.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { orders } from '#server/db/schema/orders.ts'
import { anAudioBook, aUser, signedIn } from '#tests/support/builders.ts'
import { takenOver } from '#tests/support/page-errors.ts'
import { buyOverHttp } from '#tests/support/buy-over-http.ts'
import {
  expectNothingLost,
  hearOn,
  type Listener,
  LISTENERS_KEY,
  promisesTo,
  someListeners,
  whatWasKept,
} from '#tests/support/listeners.ts'
import { type RunningPostgres, startPostgres } from '#tests/support/postgres.ts'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'
import { freePort, type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { soon } from '#tests/support/wait-for.ts'
import { journeyBrowser } from '../../tools/browser.ts'

/** The tag of the current release; undefined before the first release, and in a clone without tags. */
function releaseBefore(): string | undefined {
  try {
    // From the parent commit: this one may be tagged already.
    const args = ['describe', '--tags', '--match', 'v*', '--abbrev=0', 'HEAD^']
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}
const RELEASE = releaseBefore()

/** Builds that release and keeps it for the next run. It may need other packages than this one. */
function builtRelease(tag: string): string {
  const folder = join(tmpdir(), `murmur-release-${tag}`)
  if (existsSync(folder)) return folder
  const unfinished = mkdtempSync(`${folder}-`)
  const archive = execFileSync('git', ['archive', tag], { maxBuffer: 1024 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', unfinished], { input: archive })
  // A clean environment, as in a shell: the variables of a test run would change the build.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME }
  const lock = 'package-lock.json'
  if (readFileSync(join(unfinished, lock), 'utf8') === readFileSync(lock, 'utf8'))
    symlinkSync(resolve('node_modules'), join(unfinished, 'node_modules'))
  else execFileSync('npm', ['ci'], { cwd: unfinished, stdio: 'ignore', env })
  execFileSync(process.execPath, ['tools/build.ts'], { cwd: unfinished, stdio: 'pipe', env })
  renameSync(unfinished, folder)
  return folder
}

describe.runIf(process.env.LONG && RELEASE)(
  `the release before (${RELEASE ?? 'none is tagged yet'}), beside this one`,
  () => {
    let [root, dataDir] = ['', '']
    let postgres: RunningPostgres
    let sandbox: TestSandbox
    let database: OpenDatabase
    const running: ServerProcess[] = []
    beforeAll(async () => {
      root = builtRelease(RELEASE!)
      dataDir = mkdtempSync(join(tmpdir(), 'murmur-beside-'))
      postgres = await startPostgres()
      sandbox = await testSandbox()
      // Migrated to the schema of this release.
      database = await openDatabase({ dataDir, databaseUrl: postgres.url })
    }, 600_000)
    afterAll(async () => {
      for (const server of running) await server.stop()
      await database?.close()
      await sandbox?.close()
      await postgres?.stop()
      rmSync(dataDir, { recursive: true, force: true })
    })

    async function start(release: string | undefined, port: string): Promise<ServerProcess> {
      const env = {
        ...sandbox.env,
        DATABASE_URL: postgres.url,
        DATA_DIR: dataDir,
        APP_KEYS: LISTENERS_KEY,
        CODE_KEY: LISTENERS_KEY,
        DEMO: '0',
        PORT: port,
        PUBLIC_URL: `http://127.0.0.1:${port}`,
      }
      const server = await startServer(env, release)
      running.push(server)
      return server
    }
    async function end(server: ServerProcess): Promise<void> {
      running.splice(running.indexOf(server), 1)
      await server.end()
    }
    const keys = { config: { appKeys: [LISTENERS_KEY] as [string] }, now: () => new Date() }

    test(
      'the previous release serves pages, log-ins, places and purchases on the new schema',
      { timeout: 300_000 },
      async () => {
        const stock = { db: database.db, ...keys }
        const book = await anAudioBook(stock, { title: 'Low Water' })
        const user = await aUser(stock)
        const listeners: readonly Listener[] = await someListeners(database, 3)
        const old = await start(root, await freePort())
        await sandbox.tell(old.url)
        for (const path of ['/', '/browse', `/audiobooks/${book.slug}`]) {
          const page = await fetch(old.url + path)
          expect([path, page.status]).toEqual([path, 200])
          expect(await page.text()).toContain('<main')
        }
        const logIn = await fetch(`${old.url}/api/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: user.email, password: user.password }),
        })
        expect(logIn.status).toBe(200)
        const work = { isOver: false }
        const heard = Promise.all(listeners.map((listener) => hearOn(listener, () => old.url, work)))
        await soon(() => expect(promisesTo(listeners)).toBeGreaterThan(10))
        work.isOver = true
        await heard
        expectNothingLost(listeners, await whatWasKept(database))
        await buyOverHttp(() => old.url, sandbox, { headers: await signedIn(stock, user), book })
        const bought = await database.db
          .select()
          .from(libraryEntries)
          .where(eq(libraryEntries.userId, user.id))
        expect(bought.map(({ bookId }) => bookId)).toEqual([book.id])
        const own = await database.db.select().from(orders).where(eq(orders.userId, user.id))
        expect(own.map(({ state }) => state)).toEqual(['paid'])
        await end(old)
      },
    )

    test(
      'an open page of the previous release works with this release: it logs in and fills a bag',
      { timeout: 300_000 },
      async () => {
        const stock = { db: database.db, ...keys }
        const book = await anAudioBook(stock, { title: 'High Water' })
        const user = await aUser(stock)
        const port = await freePort()
        const old = await start(root, port)
        let browser: Browser | undefined
        try {
          browser = await chromium.launch({
            executablePath: journeyBrowser(),
            args: ['--no-sandbox', '--disable-gpu'],
          })
          const page = await (
            await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' })
          ).newPage()
          const failed: string[] = []
          page.on(
            'response',
            (answer) => void (answer.status() >= 500 && failed.push(`${answer.status()} ${answer.url()}`)),
          )
          page.on('pageerror', (error) => failed.push(error.message))
          await page.goto(`${old.url}/audiobooks/${book.slug}`)
          await page.getByRole('heading', { level: 1, name: 'High Water' }).waitFor()
          await takenOver(page)
          await page.evaluate(() => ((globalThis as { leftOpen?: boolean }).leftOpen = true))
          await end(old)
          const now = await start(undefined, port)
          await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click()
          const dialog = page.getByRole('dialog', { name: 'Log in' })
          await dialog.getByLabel('Email', { exact: true }).fill(user.email)
          await dialog.getByLabel('Password', { exact: true }).fill(user.password)
          await dialog.getByRole('button', { name: 'Log in' }).click()
          await dialog.waitFor({ state: 'hidden' })
          await page.getByRole('main').getByRole('button', { name: 'Add to bag' }).click()
          await page.getByRole('banner').getByRole('button', { name: 'Shopping bag, 1 item' }).waitFor()
          // Still the same page: it has not been reloaded.
          expect(await page.evaluate(() => (globalThis as { leftOpen?: boolean }).leftOpen)).toBe(true)
          expect(failed).toEqual([])
          await end(now)
        } finally {
          await browser?.close()
        }
      },
    )
  },
)
