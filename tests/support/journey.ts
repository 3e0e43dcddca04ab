import { expect, test as base, type BrowserContext, type Page } from '@playwright/test'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyDemoShop } from './demo-shop.ts'
import { soundNeedsAPress } from './autoplay-policy.ts'
import { testSandbox, type TestSandbox } from './sandbox.ts'
import { freePort, startServer, type ServerProcess } from './server-process.ts'
import { storedSession } from './stored-session.ts'
import { expectWorker } from './service-worker.ts'

export { expect }

/** This worker's shop: it may be stopped, killed and restarted at the same address. */
export class Shop {
  #server: ServerProcess
  readonly #env: Record<string, string>
  readonly #taken = new Map<string, number>()

  /** The payment sandbox. It keeps running when the shop stops. */
  readonly sandbox: TestSandbox

  private constructor(server: ServerProcess, env: Record<string, string>, sandbox: TestSandbox) {
    this.#server = server
    this.#env = env
    this.sandbox = sandbox
  }

  /** `more`: additional settings; `prepare`: runs before the shop opens; `isNew`: an empty shop, not the demo. */
  static async open(
    more: Record<string, string> = {},
    prepare: (dataDir: string) => Promise<unknown> = async () => undefined,
    isNew = false,
  ): Promise<Shop> {
    const port = await freePort()
    const publicUrl = `http://127.0.0.1:${port}`
    const sandbox = await testSandbox()
    await sandbox.tell(publicUrl)
    const dataDir = isNew ? mkdtempSync(join(tmpdir(), 'murmur-shop-')) : copyDemoShop()
    await prepare(dataDir)
    const env = {
      ...sandbox.env,
      ...{ DATA_DIR: dataDir, PORT: port, PUBLIC_URL: publicUrl, DEMO: isNew ? '0' : '1' },
      ...more,
    }
    return new Shop(await startServer(env), env, sandbox)
  }

  get url(): string {
    return this.#server.url
  }

  get dataDir(): string {
    return this.#env.DATA_DIR!
  }

  /** Stops in order, as an owner does. */
  stop = () => this.#server.stop()
  /** Kills the server, as a power cut would. */
  kill = () => this.#server.kill(true)

  /** Suspends the server: connections are accepted but get no response, as on a train. */
  hang = () => this.#server.hang()
  wake = () => this.#server.wake()

  /** Restarts with the same data; `release` is the folder of another release. */
  async start(release?: string): Promise<void> {
    this.#server = await startServer(this.#env, release)
  }

  /** Imports the owner's content again while the shop is open, with changed `files`: text or JSON by name. */
  async bringIn(files: Readonly<Record<string, unknown>>): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'murmur-content-'))
    for (const [name, content] of Object.entries(files))
      if (content === 'as it is') cpSync(join('content/demo', name), join(folder, name), { recursive: true })
      else writeFileSync(join(folder, name), JSON.stringify(content))
    await this.murmur('import', folder)
    rmSync(folder, { recursive: true })
  }

  /** Runs a command of the owner's while the shop is open, and returns what it printed. */
  async murmur(...words: readonly string[]): Promise<string> {
    const command = ['--import', './server/db/quick-imports.ts', 'tools/murmur.ts', ...words]
    const { stdout } = await promisify(execFile)(process.execPath, command, {
      env: { ...process.env, ...this.#env },
    })
    return stdout
  }

  /**
   * The address of an account that no other journey has used in this shop. A `reader` owns two audiobooks and
   * has listened to half of one; a `nell` owns that one and two e-books; an `avid` owns nothing.
   */
  someone(series: keyof typeof SERIES): string {
    const number = this.#taken.get(series) ?? SERIES[series]
    if (number === 0) throw new Error(`All ${SERIES[series]} of ${series} have played`)
    this.#taken.set(series, number - 1)
    return `${series}+${String(number).padStart(2, '0')}@murmur.example`
  }

  async close(): Promise<void> {
    await this.#server.stop()
    await this.sandbox.close()
    rmSync(this.#env.DATA_DIR!, { recursive: true, force: true })
  }
}

/** The number of accounts of each kind in the demo (docs/demo.md). */
const SERIES = { reader: 30, nell: 30, avid: 20 }

interface DeviceWish {
  readonly viewport?: { readonly width: number; readonly height: number }
  /** An account to start logged in as, for journeys that are not about logging in. */
  readonly of?: string
  /**
   * Enables the service worker: for offline use, new releases and background work. It caches the whole app,
   * which costs seconds; without it every request goes over the network.
   */
  readonly worker?: boolean
  /** A touch screen. */
  readonly touch?: boolean
}

interface Fixtures {
  /** Another device with its own storage, service worker and network. Closed when the journey ends. */
  device: (wish?: DeviceWish) => Promise<BrowserContext>
}

/** `SLOW_LINE=1` delays every response, so that a test which doesn't wait for one also fails on a fast machine. */
async function slowDown(device: BrowserContext): Promise<void> {
  if (!process.env.SLOW_LINE) return
  device.on('page', async (page) => {
    const client = await device.newCDPSession(page)
    await client.send('Network.enable')
    const line = { offline: false, latency: 1_500, downloadThroughput: -1, uploadThroughput: -1 }
    await client.send('Network.emulateNetworkConditions', line)
  })
}

export const test = base.extend<Fixtures, { shop: Shop }>({
  shop: [
    // eslint-disable-next-line no-empty-pattern -- Playwright asks for the pattern
    async ({}, use) => {
      const shop = await Shop.open()
      await use(shop)
      await shop.close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ shop }, use) => use(shop.url),
  context: async ({ context }, use) => {
    await slowDown(context)
    await use(context)
  },
  // eslint-disable-next-line no-empty-pattern -- Playwright asks for the pattern
  viewport: async ({}, use) => use(DESKTOP),
  device: async ({ browser, shop }, use) => {
    const open: BrowserContext[] = []
    await use(async ({ viewport = DESKTOP, of, worker = false, touch = false } = {}) => {
      const context = await browser.newContext({
        baseURL: shop.url,
        viewport,
        hasTouch: touch,
        serviceWorkers: worker ? 'allow' : 'block',
        ...(of ? { storageState: await storedSession(shop.url, of) } : {}),
      })
      if (worker) expectWorker(context)
      await soundNeedsAPress(context)
      await slowDown(context)
      open.push(context)
      return context
    })
    for (const context of open) await context.close()
  },
})

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
] as const
/** `OTHER_SIZE=1` swaps them (`npm run test:long`): phone journeys then run on a desktop, and the other way round. */
export const [PHONE, DESKTOP] = process.env.OTHER_SIZE ? [SIZES[1], SIZES[0]] : SIZES

/** Logs in through the form. */
export async function logIn(page: Page, email: string, password = 'murmur-demo'): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('main').getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await expect(page).not.toHaveURL(/\/login/)
}
