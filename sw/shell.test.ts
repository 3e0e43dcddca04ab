import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { putTitle } from '#storage/sound-store.ts'
import { removeValue, writeValue } from '#storage/values.ts'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { fakeCaches } from '#tests/support/fake-caches.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import type { FetchCall } from './request-handler.ts'

const SHOP = 'http://shop.test'
const FILES = 'murmur-shell'
type Release = [url: string, revision: string | null][]
/** Two names differ per release: the shell's revision and a chunk's hash. */
const release = (name: string): Release => [
  ['/index.html', name],
  [`/assets/app-${name}.js`, null],
  ['/assets/font.woff2', null],
]

let network: (request: Request) => Response | Promise<Response>
let registration: { navigationPreload?: { enable: () => Promise<void> } }
let claimed: number
let preloads: number
/** The worker's background work after an answer. */
let behind: Promise<unknown>[]

/** Installs a release's worker with its files. Its caches outlive it. */
async function install(name: string) {
  vi.resetModules()
  const shell = await import('./shell.ts')
  shell.installShell(release(name).map(([url, revision]) => ({ url, revision })))
  const cache = await caches.open(FILES)
  for (const [url, revision] of release(name)) {
    const address = revision ? `${SHOP}${url}?__WB_REVISION__=${revision}` : SHOP + url
    await cache.put(address, new Response(`${url} of ${name}`))
  }
  return shell
}
async function activate(name: string) {
  const shell = await install(name)
  await shell.trimReleases({ clients: { claim: async () => void claimed++ }, registration })
  return shell
}
type Shell = Awaited<ReturnType<typeof install>>

function asked(
  path: string,
  { mode = 'cors', method = 'GET', preload = undefined as Response | undefined } = {},
) {
  const request = new Request(SHOP + path, { method })
  // Only a browser can create a navigation request.
  Object.defineProperty(request, 'mode', { value: mode })
  const waitUntil = (work: Promise<unknown>) => void behind.push(work)
  return { request, preloadResponse: Promise.resolve(preload), waitUntil } as unknown as FetchCall
}
const file = (shell: Shell, path: string, how = {}) =>
  shell.handleAsset(asked(path, how), new URL(SHOP + path))
const page = (shell: Shell, path: string, how = {}) =>
  shell.handleNavigation(asked(path, { mode: 'navigate', ...how }), new URL(SHOP + path))
const text = async (answer: Promise<Response> | undefined) => (await answer)?.text()
const names = async () =>
  (await (await caches.open(FILES)).keys()).map(({ url }) => url.slice(SHOP.length)).sort()

beforeEach(() => {
  vi.useRealTimers()
  ;[claimed, preloads] = [0, 0]
  behind = []
  network = silence
  vi.stubGlobal('caches', fakeCaches())
  vi.stubGlobal('fetch', async (input: Request | string) =>
    network(input instanceof Request ? input : new Request(new URL(input, SHOP))),
  )
  vi.stubGlobal('location', new URL(`${SHOP}/service-worker.js`))
  // Workbox reads the worker's global here.
  vi.stubGlobal('self', {})
  registration = { navigationPreload: { enable: async () => void preloads++ } }
})

describe('releases', () => {
  test('trap 16: files used only by releases before the previous one are removed', async () => {
    await activate('one')
    await activate('two')
    expect(await names()).toEqual([
      '/assets/app-one.js',
      '/assets/app-two.js',
      '/assets/font.woff2',
      '/index.html?__WB_REVISION__=one',
      '/index.html?__WB_REVISION__=two',
    ])
    await activate('three')
    expect(await names()).toEqual([
      '/assets/app-three.js',
      '/assets/app-two.js',
      // All releases use it.
      '/assets/font.woff2',
      '/index.html?__WB_REVISION__=three',
      '/index.html?__WB_REVISION__=two',
    ])
  })

  test("activating a release again makes it the newest and doesn't duplicate it", async () => {
    for (const name of ['one', 'two', 'two', 'one']) await activate(name)
    expect(await names()).toContain('/assets/app-two.js')
    await activate('three')
    expect(await names()).toContain('/assets/app-one.js')
    expect(await names()).not.toContain('/assets/app-two.js')
  })

  test('an installed release that is not active yet leaves the running one as it is', async () => {
    const running = await activate('one')
    await install('two')
    expect(await text(file(running, '/index.html'))).toBe('/index.html of one')
  })

  test('takes over open pages, and enables navigation preload if the browser has it', async () => {
    await activate('one')
    expect([claimed, preloads]).toEqual([1, 1])
    registration = {}
    await expect(activate('two')).resolves.toBeDefined()
  })
})

describe('files', () => {
  test('the running release’s files are answered by revision, without the network', async () => {
    await activate('one')
    const shell = await activate('two')
    expect(await text(file(shell, '/index.html'))).toBe('/index.html of two')
    expect(await text(file(shell, '/assets/app-two.js'))).toBe('/assets/app-two.js of two')
  })

  test('trap 16: a tab of the previous release finds its chunks by name', async () => {
    await activate('one')
    const shell = await activate('two')
    expect(await text(file(shell, '/assets/app-one.js'))).toBe('/assets/app-one.js of one')
  })

  test('a file that the browser cleared away is fetched from the network', async () => {
    const shell = await activate('one')
    await (await caches.open(FILES)).delete(`${SHOP}/assets/app-one.js`)
    network = () => new Response('anew')
    expect(await text(file(shell, '/assets/app-one.js'))).toBe('anew')
  })

  test.each([
    ['what belongs to no release', '/robots.txt', {}],
    ['what is written', '/assets/app-one.js', { method: 'POST' }],
    ['a page', '/index.html', { mode: 'navigate' }],
  ])('%s is not a file of the shell', async (_what, path, how) => {
    expect(file(await activate('one'), path, how)).toBeUndefined()
  })
})

describe('pages', () => {
  test('a page is the server’s answer, even an error', async () => {
    const shell = await activate('one')
    network = () => fromShop('not here', { status: 404 })
    expect(await text(page(shell, '/audiobooks/salt'))).toBe('not here')
  })

  test('a preloaded page is not fetched again', async () => {
    const shell = await activate('one')
    expect(await text(page(shell, '/', { preload: fromShop('rendered') }))).toBe('rendered')
  })

  test.each([
    ['there is no network', silence],
    ['the server stammers', () => fromShop('', { status: 502 })],
  ])('trap 22: if %s the bare shell is shown', async (_what, answer) => {
    const shell = await activate('one')
    network = answer
    expect(await text(page(shell, '/library'))).toBe('/index.html of one')
  })

  test('trap 22: the server gets three seconds, no longer', async () => {
    const shell = await activate('one')
    network = () => new Promise(() => undefined)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let shown: string | undefined
    const answered = text(page(shell, '/audiobooks/salt')).then((words) => (shown = words))
    // The device's own store doesn't use these timers.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(2_900)
    expect(shown).toBeUndefined()
    await vi.advanceTimersByTimeAsync(200)
    await answered
    expect(shown).toBe('/index.html of one')
  })

  test('without a shell the server’s error is shown, and without either the browser’s', async () => {
    const shell = await activate('one')
    await caches.delete(FILES)
    network = () => fromShop('closed for a moment', { status: 503 })
    expect(await text(page(shell, '/'))).toBe('closed for a moment')
    network = silence
    await expect(page(shell, '/')).rejects.toThrow('Failed to fetch')
  })

  test.each(['/api/docs', '/media/zip/1.zip', '/dev/mail', '/metrics', '/.well-known/assetlinks.json'])(
    '%s is not a page, so the shell does not replace it',
    async (path) => {
      const shell = await activate('one')
      network = silence
      await expect(page(shell, path)).rejects.toThrow('Failed to fetch')
      network = () => new Response('', { status: 503 })
      expect((await page(shell, path))?.status).toBe(503)
    },
  )

  test("requests that aren't navigations, or aren't GET, are not pages", async () => {
    const shell = await activate('one')
    expect(page(shell, '/library', { mode: 'cors' })).toBeUndefined()
    expect(page(shell, '/library', { method: 'POST' })).toBeUndefined()
  })
})

describe('captive portals', () => {
  const html = { 'content-type': 'text/html' }

  test.each([200, 403, 404, 502])(
    'trap 22: a captive portal’s or host’s page with status %s is not shown as ours',
    async (status) => {
      const shell = await activate('one')
      network = () => new Response('Welcome to Train WiFi', { status, headers: html })
      expect(await text(page(shell, '/audiobooks/salt'))).toBe('/index.html of one')
    },
  )

  test('trap 22: a redirect is not accepted for an own screen, but is for another page', async () => {
    const shell = await activate('one')
    const sentOn = new Response(null)
    Object.defineProperty(sentOn, 'type', { value: 'opaqueredirect' })
    network = () => sentOn
    expect(await text(page(shell, '/library'))).toBe('/index.html of one')
    expect(await page(shell, '/get-book')).toBe(sentOn)
  })

  test('trap 22: a captive portal’s sign-in page is shown as it is', async () => {
    const shell = await activate('one')
    network = () => new Response('Welcome to Train WiFi', { headers: html })
    const signIn = shell.handleNavigation(
      asked('/?network', { mode: 'navigate' }),
      new URL(`${SHOP}/?network`),
    )
    expect(await text(signIn)).toBe('Welcome to Train WiFi')
  })
})

describe('from the device', () => {
  const owner = '11111111-1111-4111-8111-111111111111'
  const shownAfter = async (path: string, ms: number) => {
    const shell = await activate('one')
    network = () => new Promise(() => undefined)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let shown: string | undefined
    const answered = text(page(shell, path)).then((words) => (shown = words))
    // The device's own store doesn't use these timers.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(ms)
    const then = shown
    await vi.advanceTimersByTimeAsync(3_000)
    await answered
    return then
  }
  beforeEach(async () => {
    await removeValue('rememberedUser')
    await writeValue('rememberedUser', { uuid: owner, firstName: '', fullName: '' })
    await putTitle(owner, aStoredTitle({ key: 'audio/stored' }))
    await putTitle(owner, aStoredTitle({ key: 'ebook/stored' }))
  })

  test.each(['/library', '/downloads', '/player/stored', '/read/stored'])(
    'trap 22: %s waits 300 ms for a hanging network',
    async (path) => {
      expect(await shownAfter(path, 250)).toBeUndefined()
      expect(await shownAfter(path, 310)).toBe('/index.html of one')
    },
  )

  test('trap 22: the installed app opens within a second on a network that hangs', async () => {
    expect(await shownAfter('/', 400)).toBeUndefined()
    expect(await shownAfter('/', 600)).toBe('/index.html of one')
  })

  test('HOME-18: home opens at once for a user with a started title, and not for another user', async () => {
    await writeValue('started', owner)
    expect(await shownAfter('/', 1)).toBe('/index.html of one')
    await writeValue('started', 'somebody-else')
    expect(await shownAfter('/', 400)).toBeUndefined()
    await removeValue('started')
  })

  test('HOME-18: a server that is only slower than the device is not taken for silent', async () => {
    await writeValue('started', owner)
    const shell = await activate('one')
    const { isServerSilent } = await import('./silence.ts')
    let answer = (_response: Response) => {}
    network = () => new Promise((resolve) => (answer = resolve))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    expect(await text(page(shell, '/'))).toBe('/index.html of one')
    expect(isServerSilent()).toBe(false)
    await vi.advanceTimersByTimeAsync(310)
    expect(isServerSilent()).toBe(true)
    answer(fromShop('rendered'))
    await vi.advanceTimersByTimeAsync(0)
    expect(isServerSilent()).toBe(false)
    await removeValue('started')
  })

  test.each(['/audiobooks/stored', '/ebooks/stored'])(
    'trap 22: %s, a stored title’s page, waits 500 ms for a hanging network',
    async (path) => {
      expect(await shownAfter(path, 400)).toBeUndefined()
      expect(await shownAfter(path, 600)).toBe('/index.html of one')
    },
  )

  test.each(['/player/elsewhere', '/read/elsewhere', '/audiobooks/elsewhere'])(
    '%s, which is not on this device, waits for the server',
    async (path) => {
      expect(await shownAfter(path, 1_500)).toBeUndefined()
    },
  )

  test('a faster server shows its page', async () => {
    const shell = await activate('one')
    network = () => fromShop('rendered')
    expect(await text(page(shell, '/library'))).toBe('rendered')
  })
})

describe('a shell that the browser cleared away', () => {
  const shellPage = (name: string) =>
    fromShop(`<script src="/assets/app-${name}.js"></script>`, { headers: { 'content-type': 'text/html' } })

  test('trap 11: comes back with the next page that the server answers', async () => {
    const shell = await activate('one')
    await caches.delete(FILES)
    network = ({ url }) => (url.endsWith('.html') ? shellPage('one') : fromShop('again'))
    await page(shell, '/audiobooks')
    await Promise.all(behind)
    network = silence
    expect(await text(page(shell, '/library'))).toContain('app-one.js')
    expect(await text(file(shell, '/assets/app-one.js'))).toBe('again')
  })

  test('trap 16: is not filled with a later release’s page, nor with a captive portal’s', async () => {
    const shell = await activate('one')
    for (const answer of [
      shellPage('two'),
      new Response('WiFi', { headers: { 'content-type': 'text/html' } }),
    ]) {
      await caches.delete(FILES)
      network = ({ url }) => (url.endsWith('.html') ? answer.clone() : fromShop('rendered'))
      await page(shell, '/audiobooks')
      await Promise.all(behind)
      expect(await names()).toEqual(['/assets/app-one.js', '/assets/font.woff2'])
    }
  })
})

test('an owner’s change reaches the stored shell with the next page', async () => {
  const shell = await activate('one')
  const said = (version: string) => {
    const answer = fromShop(`<script id="shop">${version}</script>`, {
      headers: { 'content-type': 'text/html' },
    })
    answer.headers.set('x-murmur-shop', version)
    return answer
  }
  let asks = 0
  const visit = async (version: string) => {
    network = ({ url }) => {
      if (url.endsWith('/index.html')) asks += 1
      return said(version)
    }
    await page(shell, '/audiobooks')
    await Promise.all(behind)
    network = silence
    return text(page(shell, '/library'))
  }
  expect(await visit('Murmur')).toContain('Murmur')
  expect(await visit('Harbour')).toContain('Harbour')
  expect(await visit('Harbour')).toContain('Harbour')
  expect(asks).toBe(2)
  // If the new shell can't be fetched, the stored one stays.
  network = ({ url }) => (url.endsWith('/index.html') ? silence() : said('Quay'))
  await page(shell, '/audiobooks')
  await Promise.all(behind)
  network = silence
  expect(await text(page(shell, '/library'))).toContain('Harbour')
})

function silence(): Promise<Response> {
  return Promise.reject(new TypeError('Failed to fetch'))
}
