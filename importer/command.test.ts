import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rmSync, symlinkSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '#server/db/open.ts'
import { freshDataDir } from '#tests/support/database.ts'
import { storeAddress } from '#server/settings/running-address.ts'
import { SERVER_ENVIRONMENT } from '../tools/server-command.ts'
import { mp3, OwnersFolder, picture } from './fixtures/owners-folder.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The same as `npm run import`, with a compile cache for speed. */
const MURMUR = ['--import', './server/db/quick-imports.ts', 'tools/murmur.ts']
const owner = new OwnersFolder()
const elsewhere = new OwnersFolder()
let dataDir: string
let server: OpenDatabase

beforeAll(async () => {
  dataDir = await freshDataDir()
  server = await openDatabase({ dataDir })
  owner
    .put('2 good/1.mp3', mp3({ album: 'Peat', artist: 'Niall Garvey' }))
    .put('2 good/cover.png', await picture('#334422'))
    .put('10 typo/book.json', '{\n  "titel": "Peat"\n}')
    .put('3 covered/1.mp3', mp3({ album: 'Ash' }))
    .put('loose.mp3', mp3({}))
  elsewhere.put('a book/1.mp3', mp3({ album: 'Elsewhere' })).put('cover.png', await picture('#111111'))
  symlinkSync(elsewhere.folder('a book'), owner.folder('4 elsewhere'))
  symlinkSync(elsewhere.folder('cover.png'), owner.folder('3 covered/cover.png'))
  // A link to a file inside the folder is accepted.
  symlinkSync('cover.png', owner.folder('2 good/front.png'))
})
afterAll(async () => {
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
  owner.remove()
  elsewhere.remove()
})

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly errors: string
}

const command = (...given: string[]): Promise<Ended> => run([...MURMUR, 'import', ...given])

const run = (given: readonly string[]): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, given, {
      cwd: ROOT,
      env: {
        ...process.env,
        ...SERVER_ENVIRONMENT,
        DATA_DIR: dataDir,
        DATABASE_URL: '',
        APP_KEYS: 'k'.repeat(32),
        PORT: '',
        PUBLIC_URL: '',
      },
    })
    const [out, errors]: [string[], string[]] = [[], []]
    child.stdout.on('data', (piece: Buffer) => out.push(piece.toString()))
    child.stderr.on('data', (piece: Buffer) => errors.push(piece.toString()))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out: out.join(''), errors: errors.join('') }))
  })

describe('npm run import', () => {
  test('a command that checks first opens a shop while the server has the database open', async () => {
    const asked = [...MURMUR, 'titles', 'show', 'nowhere']
    expect(await run(asked)).toMatchObject({
      code: 1,
      out: '',
      errors: 'There is no title nowhere. npm run titles -- find WORDS looks for one.\n',
    })
  })

  test('a command prints links to the address at which the shop was started', async () => {
    storeAddress(dataDir, 'http://localhost:4170')
    const asked = [...MURMUR, 'outlets', 'add']
    expect(await run([...asked, '--name', 'Quay Books', '--email', 'quay@books.example'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('chooses a password at http://localhost:4170/forgot-password'),
    })
  })

  test('a command on a machine whose clock is an hour behind uses the database’s time', async () => {
    await server.db.execute(sql`create schema ahead`)
    await server.db.execute(
      sql`create function ahead.clock_timestamp() returns timestamptz language sql
          as $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$`,
    )
    const searchPath = (path: string) =>
      server.db.execute(
        sql.raw(
          `do $$ begin execute format('alter database %I set search_path = ${path}', current_database()); end $$`,
        ),
      )
    await searchPath('ahead, pg_catalog, public')
    const made = [...MURMUR, 'codes', 'make', 'SPRING', '--percent', '20', '--because', 'spring', '--yes']
    expect(await run(made)).toMatchObject({ code: 0 })
    await searchPath('public')
    const { rows } = await server.db.execute<{ minutes: string }>(
      sql`select extract(epoch from at - now()) / 60 as minutes from logbook`,
    )
    expect(rows.map(({ minutes }) => Math.round(Number(minutes)))).toEqual([60])
  })

  test('runs while the server has the database open, and reports one line per title', async () => {
    let heard = 0
    await server.listen('catalogue_changed', () => void heard++)
    const dry = await command(owner.path, '--dry-run')
    expect(dry).toMatchObject({ code: 1, errors: '' })
    expect(dry.out).toContain('Dry run: nothing was written.')
    expect((await server.db.execute(sql`select 1 from books`)).rows).toEqual([])

    const real = await command(owner.path)
    expect(real.code).toBe(1)
    expect(real.out.split('\n')).toEqual([
      'refused  loose.mp3: lies beside the folders of the titles; put it into a folder of its own.',
      'refused  4 elsewhere: is a link that leads out of the folder; put what it leads to there, or import it by itself.',
      'created  peat: Peat (audiobook, 1 chapter, 2 s)',
      expect.stringMatching(/^ {9}note: No price: the audiobook is listed but not sold/),
      'refused  3 covered: cover.png is a link that leads out of this folder; put what it leads to here.',
      'refused  10 typo: book.json line 2: "titel" is not a key of book.json; did you mean "title"?',
      '1 created, 0 changed, 0 same, 4 refused.',
      '',
    ])
    expect((await server.db.execute(sql`select slug from books`)).rows).toEqual([{ slug: 'peat' }])
    await expect.poll(() => heard).toBe(1)
  })

  test('accepts the folder of a single title, and exits with 0 if nothing was refused', async () => {
    const { code, out } = await command(join(owner.path, '2 good'))
    expect(out).toContain('0 created, 0 changed, 1 same, 0 refused.')
    expect(code).toBe(0)
  })

  test('a catalogue without prices gets the price that the owner passes', async () => {
    owner.put('lists/unpriced.csv', 'title,format\nUnpriced,e-book\n')
    const list = join(owner.path, 'lists/unpriced.csv')
    const told = /1 without a price: .* cannot be bought, and search leaves them out\. --price/
    expect((await command(list, '--dry-run')).out).toMatch(told)
    const priced = await command(list, '--dry-run', '--price', '9.99')
    expect(priced).toMatchObject({ code: 0, errors: '' })
    expect(priced.out).not.toMatch(told)
    expect((await command(list, '--price', 'cheap')).errors).toContain('--price is an amount in pounds')
  })

  test('listening: imports places from a file with the same command and reports what it left out', async () => {
    owner.put('places.json', { 'nobody@murmur.example': [{ title: 'Peat', currentTime: 5 }] })
    expect(await command('places', join(owner.path, 'places.json'), '--dry-run')).toEqual({
      code: 1,
      out: 'left out nobody@murmur.example, “Peat”: nobody here has the address nobody@murmur.example.\n0 found, 0 not begun, 1 left out. Dry run: nothing was written.\n',
      errors: '',
    })
  })

  test('says how it is used', async () => {
    const help = await command('--help')
    expect(help).toMatchObject({ code: 0, errors: '' })
    expect(help.out).toMatch(/^Usage: npm run import/)
    for (const given of [[], ['a', 'b'], ['--dryrun', 'a']]) {
      const { code, errors } = await command(...given)
      expect(code).toBe(1)
      expect(errors).toContain('Usage: npm run import -- [source] [options]')
    }
    expect(await command('/no/such/folder')).toMatchObject({
      code: 1,
      errors: '/no/such/folder is not a folder.\n',
    })
  })
})
