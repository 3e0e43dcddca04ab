import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AudioBook } from '#contract/catalogue.ts'
import { type OpenDatabase, openDatabase } from '#server/db/open.ts'
import { mails } from '#server/db/schema/mails.ts'
import { mediaFolder } from '#server/integrations/media/open-media.ts'
import { pauseWaitingMail } from '#server/integrations/mail/queries.ts'
import { aUser, inLibrary, signedIn } from '#tests/support/builders.ts'
import { freshDataDir } from '#tests/support/database.ts'
import { objectStore } from '#tests/support/object-store.ts'
import { freePort, startSources } from '#tests/support/server-process.ts'
import { aSoundingBook } from '#tests/support/catalogue-builders.ts'
import { SERVER_ENVIRONMENT } from '../../tools/server-command.ts'

const KEY = 'k'.repeat(64)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'murmur-commands-'))
let dataDir: string
let server: OpenDatabase

beforeAll(async () => {
  dataDir = await freshDataDir()
  server = await openDatabase({ dataDir })
})
afterAll(async () => {
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

const run = (...given: string[]) => runWith({}, ...given)

const runWith = (
  env: Record<string, string>,
  ...given: string[]
): Promise<{ code: number | null; out: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--import', './server/db/quick-imports.ts', 'tools/murmur.ts', ...given],
      {
        cwd: ROOT,
        env: {
          ...process.env,
          ...SERVER_ENVIRONMENT,
          DATA_DIR: dataDir,
          DATABASE_URL: '',
          BACKUP_PASSPHRASE: 'owls',
          ...env,
        },
      },
    )
    const out: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => out.push(piece.toString()))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out: out.join('') }))
  })

// Each test starts a process. The functions that the commands call have their own tests.
test.runIf(process.env.LONG)(
  'an owner backs up a running shop, is refused what would harm it, runs the doctor, and releases mail that waited',
  async () => {
    const file = join(folder, 'shop.backup')
    const made = await run('backup', file)
    expect(made).toEqual({ code: 0, out: expect.stringMatching(/holds \d+ rows, the keys, and 0 files/) })
    expect((await run('backup', file)).out).toContain('Choose another name.')
    expect(await run('backup')).toEqual({
      code: 1,
      out: expect.stringContaining('Usage: npm run backup'),
    })
    expect(await run('restore', file)).toEqual({
      code: 1,
      out: expect.stringMatching(/There is a shop in .+ already/),
    })

    const doctor = await run('doctor')
    expect(doctor.out).toMatch(/^fine {4}settings/)
    expect(doctor.out.trim().split('\n')).toHaveLength(22)

    await server.db
      .insert(mails)
      .values({ key: '1', kind: 'order_confirmed', recipient: 'una@post.example', data: {} })
    await pauseWaitingMail(server.db, [])
    expect((await run('restore', '--mail', 'show')).out).toContain('1  order confirmed')
    expect(await run('restore', '--mail', 'drop')).toEqual({
      code: 0,
      out: '1 mail is dropped, and will never be sent.\n',
    })
  },
)

test.runIf(process.env.LONG)(
  'a shop with media in a folder is restored into a bucket, and delivers its sound from there',
  async () => {
    const stock = { db: server.db, config: { appKeys: [KEY] as [string] }, now: () => new Date() }
    const listener = await aUser(stock)
    const bytes = randomBytes(300_000)
    const book = await aSoundingBook({ ...stock, media: mediaFolder(dataDir) }, [{ title: 'Tide', bytes }])
    await inLibrary(stock, listener, book)
    const headers = await signedIn(stock, listener)
    const file = join(folder, 'to-a-bucket.backup')
    const keys = { APP_KEYS: KEY, CODE_KEY: KEY }
    expect((await runWith(keys, 'backup', file)).out).toContain('1 file')

    const there = await objectStore()
    const settings = { ...keys, DATA_DIR: join(folder, 'elsewhere'), MEDIA_S3_URL: there.url }
    const restored = await runWith(settings, 'restore', file)
    expect(restored).toEqual({ code: 0, out: expect.stringContaining('is back, with') })
    expect(restored.out).not.toContain('missing')
    const shop = await startSources({ ...settings, DEMO: '0', PORT: await freePort() })
    try {
      const title = await fetch(`${shop.url}/api/audio_books/${book.slug}`, { headers })
      const { audioFiles } = (await title.json()) as AudioBook
      const sound = await fetch(shop.url + audioFiles[0]!.url)
      expect(Buffer.from(await sound.arrayBuffer()).equals(bytes)).toBe(true)
      expect(there.asked.some(({ method, status }) => method === 'GET' && status < 300)).toBe(true)
    } finally {
      await shop.stop()
      await there.close()
    }
  },
)

test.runIf(process.env.LONG)(
  'media:sweep lists an unreferenced file and removes it only when asked to',
  async () => {
    const path = `ab/${'ab'.repeat(32)}.mp3`
    const file = join(dataDir, 'media', path)
    mkdirSync(join(dataDir, 'media/ab'), { recursive: true })
    writeFileSync(file, Buffer.alloc(2_000_000))
    const day = new Date('2026-03-01T08:00:00Z')
    utimesSync(file, day, day)
    const shown = await run('media', 'sweep')
    expect(shown.out).toContain(`${path}  2 MB  2026-03-01\nNothing names 1 file (2 MB).`)
    expect([shown.code, existsSync(file)]).toEqual([0, true])
    expect((await run('media', 'sweep', '--yes')).out).toContain('1 file removed.')
    expect(existsSync(file)).toBe(false)
  },
)
