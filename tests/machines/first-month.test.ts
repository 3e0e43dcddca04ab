import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { mp3 } from '#importer/fixtures/owners-folder.ts'
import { Customer } from '#tests/support/http-customer.ts'
import {
  badFiles,
  badLists,
  writeAudiobookshelf,
  writeBadFiles,
  writeCalibre,
  writeCatalogues,
} from '#tests/support/foreign-libraries.ts'
import { mailServer } from '#tests/support/mail-server.ts'
import { objectStore } from '#tests/support/object-store.ts'
import { startPostgres } from '#tests/support/postgres.ts'
import { testSandbox } from '#tests/support/sandbox.ts'
import { freePort, startSources } from '#tests/support/server-process.ts'

/**
 * The first day and the first month of a shop according to the documents: their example files and commands verbatim,
 * books from other programs, and customers who pay in the sandbox. `MONTH_LOG=FILE` stores the commands' output.
 */
const ROOT = join(import.meta.dirname, '../..')
const document = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const SHOPKEEPING = ['content', 'titles', 'import', 'discount-codes', 'cards', 'newsletter', 'support']
  .map((name) => document(`docs/operations/${name}.md`))
  .join('\n')
const CONFIGURATION = document('docs/operations/configuration.md')

const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close()
})

interface Said {
  readonly code: number
  readonly text: string
}

/** A shop's owner, who runs the commands from the documents. */
class Owner {
  readonly folder = mkdtempSync(join(tmpdir(), 'murmur-month-'))
  readonly env: Record<string, string>

  constructor(env: Record<string, string>) {
    this.env = { DEMO: '0', DATA_DIR: join(this.folder, 'shop'), ...env }
    mkdirSync(this.env.DATA_DIR!, { recursive: true })
    closings.push(() => rmSync(this.folder, { recursive: true, force: true }))
  }

  path = (name: string) => join(this.folder, name)

  put(name: string, content: string | Buffer): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), content)
  }

  environment = (more: Record<string, string> = {}) => ({
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: this.folder,
    LC_ALL: 'C.UTF-8',
    ...this.env,
    ...more,
  })

  /** Runs a line of a document. Relative paths are in the owner's folder; every prompt is answered with yes. */
  type(line: string, more: Record<string, string> = {}): Promise<Said> {
    const typed = line
      .replaceAll(/(?<=[\s=])\.\/(?=[a-z])/g, `${this.folder}/`)
      .replaceAll(
        /(?<=\s)(?:catalogue\.(?:csv|xml)|prices\.csv|newsletter\.md)/g,
        `${this.folder}/my-shop/$&`,
      )
      .replaceAll(/(?<=(?:--report|>) )(?=[a-z])/g, `${this.folder}/`)
      .replaceAll(/(?<=\s)\/srv\/audiobooks/g, this.path('audiobookshelf'))
      .replaceAll(/(?<=\s)DATA_DIR\/drafts/g, `${this.env.DATA_DIR}/drafts`)
    const answered = typed.includes('--because') ? `${typed} --yes` : typed
    return new Promise((resolve) => {
      execFile(
        'bash',
        ['-c', answered],
        { cwd: ROOT, env: this.environment(more), maxBuffer: 64 * 1024 * 1024 },
        (error, out, err) => {
          const said = { code: error ? Number(error.code ?? 1) : 0, text: out + err }
          if (process.env.MONTH_LOG)
            appendFileSync(process.env.MONTH_LOG, `$ ${answered}\n${said.text}[${said.code}]\n\n`)
          resolve(said)
        },
      )
    })
  }

  /** Runs a command and expects it to succeed. */
  async does(line: string, says = /^/): Promise<string> {
    const { code, text } = await this.type(line)
    // oxlint-disable-next-line vitest/no-standalone-expect -- called by tests
    expect([line, code, text]).toEqual([line, 0, expect.stringMatching(says)])
    return text
  }
}

/** The commands of a document's code blocks, without their comments. */
const commandsOf = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^(npm run (?:--silent )?${name}(?: -- .*)?)$`, 'gm'))].map(([, line]) =>
    line!.replace(/\s+#.*$/, ''),
  )

async function openedShop(env: Record<string, string>) {
  const [mails, sandbox, PORT] = await Promise.all([mailServer(), testSandbox(), freePort()])
  closings.push(
    () => mails.close(),
    () => sandbox.close(),
  )
  const owner = new Owner({ ...env, PORT, SMTP_URL: mails.url, ...sandbox.env })
  await sandbox.tell(`http://127.0.0.1:${PORT}`)
  let server = await startSources(owner.env)
  closings.push(() => server.end())
  const restart = async (more: Record<string, string>) => {
    await server.end()
    server = await startSources(Object.assign(owner.env, more))
  }
  return { owner, restart, end: () => server.end(), where: { url: () => server.url, sandbox, mails } }
}

type Opened = Awaited<ReturnType<typeof openedShop>>

/** Steps 1 to 4 of Installation, with the examples of Configuration and Shopkeeping. */
async function firstDay({ owner }: Opened): Promise<void> {
  const sold = /```json\n("plans":[\s\S]*?)```/.exec(CONFIGURATION)![1]!
  owner.put('shop/shop.json', `{ "name": "Low Tide Press",\n${sold}}`)
  await owner.does('npm run new-shop -- --check', /Low Tide Press/)
  await owner.does('npm run new-shop -- --pages')
  expect((await owner.type('npm run import -- DATA_DIR/drafts')).text).toContain('gap')
  const drafts = join(owner.env.DATA_DIR!, 'drafts/pages')
  for (const name of readdirSync(drafts))
    writeFileSync(
      join(drafts, name),
      readFileSync(join(drafts, name), 'utf8').replaceAll(/\[\[[^[\]]*\]\]/g, 'Whitby'),
    )
  await owner.does('npm run import -- DATA_DIR/drafts', /5 created/)

  await writeAudiobookshelf(owner.path('audiobookshelf'))
  await writeCalibre(owner.path('calibre'))
  await writeBadFiles(owner.path('bad'))
  writeCatalogues(owner.path('lists'))
  await owner.does('npm run import -- /srv/audiobooks --dry-run', /Guessed from the names of the folders/)
  await owner.does('npm run import -- /srv/audiobooks --price 9.99', /8 created.* 0 refused/)
  await owner.does('npm run import -- /srv/audiobooks', /0 created, 0 changed, 8 same, 0 refused/)
  const calibre = await owner.type('npm run import -- ./calibre')
  expect(calibre.text).toMatch(/2 created, .*1 refused/)
  expect(calibre.text).toContain('The Warden - Anthony Trollope.azw3')
  const bad = await owner.type('npm run import -- ./bad')
  for (const { name, says } of badFiles) expect([name, bad.text]).toEqual([name, expect.stringMatching(says)])
  for (const [name, says] of badLists) {
    const { code, text } = await owner.type(`npm run import -- ./lists/${name} --dry-run`)
    expect([name, code, text]).toEqual([name, 1, expect.stringMatching(says)])
  }

  for (const [, name, text] of SHOPKEEPING.matchAll(/^`([^`\n]+)`\n\n```\w+\n([\s\S]*?)^```$/gm))
    owner.put(`my-shop/${name}`, text!)
  for (const title of ['low-water', 'high-water'])
    for (const number of ['1', '2'])
      owner.put(`my-shop/titles/${title}/${number}.mp3`, mp3({ title: number }))
  await owner.does('npm run import -- ./my-shop --dry-run', / 0 refused/)
  await owner.does('npm run import -- ./my-shop', / 0 refused/)
  await owner.does('npm run import -- ./my-shop', /0 created, 0 changed, \d+ same, 0 refused/)
}

/** Prices, lists, codes and cards from Shopkeeping. */
async function stocked({ owner, where }: Opened): Promise<void> {
  await owner.does('npm run titles -- list --missing price', /middlemarch/)
  owner.put('covers/9780306406157.png', readFileSync(join(ROOT, 'public/icons/icon-192.png')))
  for (const line of commandsOf(SHOPKEEPING, 'import').filter((one) => one.includes('catalogue')))
    await owner.does(line)
  await owner.does('npm run import -- --pictures ./covers')
  await Customer.register(where, 'ida@frost.example')
  for (const name of ['titles', 'codes'])
    for (const line of commandsOf(SHOPKEEPING, name)) await owner.does(line)
  await owner.does('npm run titles -- price --missing price 6.49 --because "first prices"', /Middlemarch/)
  await owner.does('npm run import -- /srv/audiobooks', /0 created, 0 changed, 8 same, 0 refused/)
  for (const name of ['outlets', 'cards'])
    for (const line of commandsOf(SHOPKEEPING, name)) await owner.does(line)
  const printed = readdirSync(owner.path('cards')).filter((name) => name.endsWith('.pdf'))
  expect(printed).toHaveLength(1)
  expect(
    readFileSync(owner.path(`cards/${printed[0]}`))
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  await owner.does('npm run payments:set-up', /api\/webhooks\/stripe/)
}

/** Card, PayPal, a gift, a code, another country, the free trial, two memberships and a card from a bookshop. */
async function sold({ owner, where }: Opened): Promise<void> {
  const nell = await Customer.register(where, 'nell@post.example')
  await nell.buy(['audio_books/low-water', 'e_books/middlemarch'])
  await nell.buy(['audio_books/the-time-machine'], { by: 'PayPal' })
  await nell.buy([
    { title: 'audio_books/frankenstein-or-the-modern-prometheus', giftEmail: 'friend@post.example' },
  ])
  await nell.buy(['audio_books/pride-and-prejudice'], { couponCode: 'FIVER' })
  expect(await nell.library()).toEqual([
    'low-water',
    'middlemarch',
    'pride-and-prejudice',
    'the-time-machine',
  ])
  const irish = await Customer.register(where, 'orla@post.example', 'IE')
  await irish.buy(['audio_books/high-water', 'e_books/barchester-towers'])

  await nell.tryMembership()
  await nell.mailed(/trial/i)
  const tess = await Customer.register(where, 'tess@post.example')
  await tess.join(CAPTAIN)
  await tess.giveMembership(DECKHAND, 'friend2@post.example')

  const desk = await Customer.byMail(where, 'desk@corner-house.example')
  const table = readdirSync(owner.path('cards')).find((name) => name.endsWith('.csv'))
  const [, , number, code] = readFileSync(owner.path(`cards/${table}`), 'utf8')
    .split('\n')[1]!
    .split(',')
  const card = { token: number!.replaceAll(' ', ''), buyerEmail: 'guest@post.example' }
  await desk.ask('POST', '/api/audiobook-cards/activate', card)
  await irish.ask('POST', '/api/audiobook-cards/redeem', { token: code })
  expect(await irish.library()).toContain('low-water')
}

/** The keys `avid-month` and `reader-month`. */
const CAPTAIN = 1
const DECKHAND = 4

/** Refunds, support, the newsletter and the accountant's reports. */
async function served({ owner, where }: Opened): Promise<void> {
  const because = '--because "she called"'
  const orderOf = async (words: string): Promise<string> =>
    /M-\d+/.exec(await owner.does(`npm run orders -- find ${words}`))![0]
  const irish = await orderOf('"High Water"')
  await owner.does(
    `npm run orders -- refund ${irish} --line 1 --keep --amount 3.00 ${because}`,
    /3\.00 went back/,
  )
  await owner.does(
    `npm run orders -- refund ${await orderOf('"The Time Machine"')} ${because}`,
    /9\.99 went back/,
  )
  await owner.does(
    `npm run orders -- refund ${await orderOf('Middlemarch')} --line 2 ${because}`,
    /6\.49 went back/,
  )
  const quarter = 'npm run sales -- --quarter 2020-Q1'
  const year = new Date().getFullYear()
  const sales = (by: string) =>
    owner.does(`npm run sales -- --from ${year - 1}-01-01 --to ${year + 1}-12-31 --by ${by}`)
  await owner.does(quarter, /Nothing was sold/)
  // The refunded £3.00 belong to the audiobook at 23%, not to the e-book at 9%.
  const rates = await sales('rate')
  expect(rates).toMatch(/IE 23% .*£3\.00 +£0\.56/)
  expect(rates).toMatch(/IE 9% .*£0\.00 +£0\.00 +£6\.49/)
  for (const by of ['title', 'publisher', 'author', 'country', 'code'])
    expect(/Total .*/.exec(await sales(by))![0].split(/\s{2,}/)).toEqual(
      /Total .*/.exec(rates)![0].split(/\s{2,}/),
    )
  for (const line of [
    'orders -- resend M-100001',
    `orders -- deliver ${irish}`,
    'people -- credit nell@post.example',
    'people -- note nell@post.example',
    'people -- block orla@post.example',
    'people -- unblock orla@post.example',
    'members -- end tess@post.example',
    'members -- give orla@post.example 3',
  ])
    await owner.does(`npm run ${line} ${because}`)
  for (const line of ['members -- show tess@post.example', 'mails -- waiting', 'withdrawals -- waiting'])
    await owner.does(`npm run ${line}`)

  const reader = 'reader@post.example'
  await fetch(`${where.url()}/api/newsletters`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: reader }),
  })
  const asked = () => where.mails.received.findLast(({ to }) => to.includes(reader))
  await expect.poll(asked).toBeDefined()
  const whole = asked()!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const token = /newsletter-signup\?confirm=([\w-]+)/.exec(whole)![1]!
  await fetch(`${where.url()}/api/newsletters/confirm/${token}`, { method: 'POST' })
  for (const line of commandsOf(SHOPKEEPING, 'newsletter')) await owner.does(line)
  await expect.poll(() => asked()!.headers.get('list-unsubscribe')).toContain('/newsletter/unsubscribe/')
}

/**
 * Moves the media into a bucket while the shop is open, as "Media in an object store" describes, and streams from it.
 */
async function servedFromABucket({ owner, restart, where }: Opened): Promise<void> {
  const bucket = await objectStore()
  closings.push(() => bucket.close())
  const place = { MEDIA_S3_URL: bucket.url, MEDIA_DELIVERY: 'store' }
  await owner.type('npm run media:move', place).then(({ code }) => expect(code).toBe(0))
  await restart(place)
  await owner.does('npm run media:move')

  const listener = await Customer.register(where, 'listener@post.example')
  await owner.does('npm run titles -- give "Low Water" listener@post.example --because "for the paper"')
  const { audioFiles } = await listener.ask<{ audioFiles: { url: string }[] }>(
    'GET',
    '/api/audio_books/low-water',
  )
  const sent = await fetch(where.url() + audioFiles[0]!.url, { redirect: 'manual' })
  expect(sent.status).toBe(302)
  const address = sent.headers.get('location')!
  expect(address.startsWith(`${bucket.origin}/media/`)).toBe(true)
  const heard = Buffer.from(await (await fetch(address)).arrayBuffer())
  expect(heard.equals(mp3({ title: '1' }))).toBe(true)
  const forged = address.replace(
    /(X-Amz-Signature=)./,
    (whole, name) => `${name}${whole.endsWith('0') ? 1 : 0}`,
  )
  expect((await fetch(forged)).status).toBe(403)
  await owner.does('npm run doctor -- --deep', /files? of sound and text, all there and unharmed/)
  await owner.does('npm run media:sweep')
}

/** Makes a backup of the running shop. Kills a first restore, and completes a second one into an empty place. */
async function savedAndRestored({ owner }: Opened, place: Record<string, string>): Promise<void> {
  const file = owner.path('murmur.backup')
  await owner.does(`npm run backup -- ${file}`)
  await owner.does(`npm run backup -- --check ${file}`, /can be restored/)
  const restored = owner.path('restored')
  const there = { ...place, DATA_DIR: restored }
  const killed = spawn(
    process.execPath,
    ['--import', './server/db/quick-imports.ts', 'tools/murmur.ts', 'restore', file],
    {
      cwd: ROOT,
      env: owner.environment(there),
      stdio: 'ignore',
    },
  )
  const gone = once(killed, 'exit')
  await expect
    .poll(() => existsSync(join(restored, 'restoring')), { interval: 5, timeout: 60_000 })
    .toBe(true)
  killed.kill('SIGKILL')
  await gone
  for (const command of ['doctor', 'titles -- list', 'orders -- find nell']) {
    const { code, text } = await owner.type(`npm run ${command}`, there)
    expect([command, code, text]).toEqual([command, 1, expect.stringContaining('npm run restore -- FILE')])
  }
  expect((await owner.type(`npm run restore -- ${file}`, there)).text).toMatch(/The shop of .* is back/)
  expect((await owner.type('npm run orders -- find nell', there)).text).toContain('M-100001')
}

/**
 * Moves the embedded database to a server: kills a first attempt, completes a second one. Both shops stay readable.
 */
async function moved({ owner }: Opened, databaseUrl: string): Promise<void> {
  const into = {
    DATABASE_URL: databaseUrl,
    APP_KEYS: readFileSync(join(owner.env.DATA_DIR!, 'app.key'), 'utf8'),
    CODE_KEY: readFileSync(join(owner.env.DATA_DIR!, 'code.key'), 'utf8'),
  }
  const killed = spawn(
    process.execPath,
    ['--import', './server/db/quick-imports.ts', 'tools/murmur.ts', 'database', 'move'],
    {
      cwd: ROOT,
      env: owner.environment(into),
      stdio: 'ignore',
    },
  )
  const gone = once(killed, 'exit')
  await pause(1_000)
  killed.kill('SIGKILL')
  await gone
  const killedAt = await owner.type('npm run database:move', into)
  // The first attempt may have finished within the second.
  expect(killedAt.text).toMatch(/Moved [\d,]+ rows|not empty/)
  for (const where of [{}, into])
    expect((await owner.type('npm run orders -- find nell', where)).text).toContain('M-100001')
  expect(await owner.type('npm run audit -- --all', into)).toMatchObject({ code: 0 })
}

test.runIf(process.env.LONG).each(['embedded', 'postgres'] as const)(
  'the first month of a shop by the documents, on the %s database',
  async (engine) => {
    const postgres = await startPostgres()
    closings.push(() => postgres.stop())
    const database = async (name: string) => {
      const client = new pg.Client({ connectionString: postgres.url })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return postgres.url.replace('/postgres?', `/${name}?`)
    }
    const keys = { APP_KEYS: 'a'.repeat(64), CODE_KEY: 'b'.repeat(64) }
    const shop = await openedShop(
      engine === 'postgres' ? { DATABASE_URL: await database('murmur'), ...keys } : {},
    )
    const { owner } = shop
    expect((await owner.type('npm run doctor')).text).toContain('npm run payments:set-up')
    await firstDay(shop)
    await stocked(shop)
    await sold(shop)
    await served(shop)
    await servedFromABucket(shop)
    for (const line of ['npm run doctor -- --deep', 'npm run todo', 'npm run audit -- --all'])
      await owner.does(line)
    await savedAndRestored(shop, engine === 'postgres' ? { DATABASE_URL: await database('restored') } : {})
    await shop.end()
    if (engine === 'embedded') await moved(shop, await database('moved'))
  },
  1_800_000,
)
