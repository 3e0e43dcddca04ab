import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { expectNothingLost } from '#tests/support/listeners.ts'
import { type ShopUnderLoad, shopUnderLoad } from '#tests/support/shop-under-load.ts'
import { type RunningPostgres, startPostgres } from '#tests/support/postgres.ts'
import { soon } from '#tests/support/wait-for.ts'

const LONG = Boolean(process.env.LONG)
const LONGEST = { timeout: LONG ? 1_200_000 : 300_000 }

const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close()
})

async function anyPostgres(options: Parameters<typeof startPostgres>[0]): Promise<RunningPostgres> {
  const postgres = await startPostgres(options)
  closings.push(() => postgres.stop())
  return postgres
}

async function underLoad(databaseUrl: string, instances = 1): Promise<ShopUnderLoad> {
  const shop = await shopUnderLoad({ databaseUrl, instances, listeners: LONG ? 20 : 8 })
  closings.push(() => shop.close())
  return shop
}

const status = async (shop: ShopUnderLoad, path: string) => (await fetch(shop.url() + path)).status

describe('playback continues', () => {
  test(
    'while PostgreSQL crashes and restarts: clients are told to retry, and nothing is lost',
    LONGEST,
    async () => {
      const postgres = await anyPostgres({})
      const shop = await underLoad(postgres.url)
      for (let round = 0; round < (LONG ? 10 : 1); round++) {
        await postgres.kill()
        await soon(async () => expect(await status(shop, '/api/health/ready')).toBe(503))
        expect(await status(shop, '/api/health/live')).toBe(200)
        await postgres.start()
        await shop.promisesMore()
      }
      expect(shop.refused()).toBeGreaterThan(0)
      // The shop's servers kept running.
      expect(shop.broken()).toBe(0)
      expectNothingLost(...(await shop.end()))
    },
  )

  describe.runIf(LONG)('in a long run', () => {
    test('while the address of PostgreSQL is moved to its standby', LONGEST, async () => {
      const postgres = await anyPostgres({})
      const standby = await postgres.standby()
      closings.push(() => standby.stop())
      const address = join(mkdtempSync(join(tmpdir(), 'murmur-address-')), 'database')
      symlinkSync(postgres.folder, address)
      const shop = await underLoad(`postgresql://postgres@/postgres?host=${encodeURIComponent(address)}`, 2)
      await postgres.kill()
      await soon(() => expect(shop.refused()).toBeGreaterThan(0))
      const promoting = new pg.Client({ connectionString: standby.url })
      await promoting.connect()
      await promoting.query('select pg_promote()')
      await promoting.end()
      symlinkSync(standby.folder, `${address}.new`)
      renameSync(`${address}.new`, address)
      await shop.promisesMore()
      expect(shop.broken()).toBe(0)
      expectNothingLost(...(await shop.end()))
    })

    test('while others have used up the connections of PostgreSQL', LONGEST, async () => {
      const postgres = await anyPostgres({ settings: { max_connections: 12 } })
      const shop = await underLoad(postgres.url)
      const others: pg.Client[] = []
      const takeAll = async () => {
        for (;;) {
          const other = new pg.Client({ connectionString: postgres.url })
          other.on('error', () => undefined)
          const refusal = await other.connect().then(
            () => undefined,
            (error: { code?: string }) => error.code,
          )
          if (refusal === '53300') return
          others.push(other)
        }
      }
      await takeAll()
      // Close the other connections rather than the shop's, which it would keep open.
      const theirs = others.map((other) => (other as unknown as { processID: number }).processID)
      await others[0]!.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> all($1)`,
        [theirs],
      )
      await takeAll()
      await soon(() => expect(shop.refused()).toBeGreaterThan(0))
      expect(await status(shop, '/api/health/live')).toBe(200)
      await Promise.all(others.map((other) => other.end()))
      await shop.promisesMore()
      expect(shop.broken()).toBe(0)
      expectNothingLost(...(await shop.end()))
    })

    test.runIf(mayMount())(
      'while the disk of the embedded PostgreSQL is full: it is said, what is there is read, and it goes on by itself',
      LONGEST,
      async () => {
        const dataDir = mkdtempSync(join(tmpdir(), 'murmur-small-disk-'))
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=700', 'tmpfs', dataDir])
        closings.push(() => {
          execFileSync('umount', ['-l', dataDir])
          rmSync(dataDir, { recursive: true })
        })
        const shop = await shopUnderLoad({ dataDir, listeners: 20 })
        closings.push(() => shop.close())
        const filler = join(dataDir, 'filler')
        expect(() => writeFileSync(filler, Buffer.alloc(400_000_000))).toThrow('ENOSPC')
        await soon(() => expect(shop.refused()).toBeGreaterThan(0))
        expect(await status(shop, '/api/health/live')).toBe(200)
        expect(await status(shop, '/api/health/ready')).toBe(503)
        await pause(2_000)
        rmSync(filler)
        // PostgreSQL stops when it cannot write its WAL, and the server restarts it until there is space.
        await shop.promisesMore()
        expect(shop.broken()).toBe(0)
        expectNothingLost(...(await shop.end()))
      },
    )

    // Mounting a separate disk needs permission.
    test.runIf(mayMount())(
      'while the disk of PostgreSQL is full: it is said, what is there is read, and it goes on by itself',
      LONGEST,
      async () => {
        let disk = ''
        const postgres = await anyPostgres({
          prepare: (data, owner) => {
            disk = data
            mkdirSync(data)
            const whose = owner ? `,uid=${owner.uid},gid=${owner.gid}` : ''
            execFileSync('mount', ['-t', 'tmpfs', '-o', `size=256m,mode=700${whose}`, 'tmpfs', data])
          },
        })
        // Unmounted after PostgreSQL has ended and before its folder is removed.
        closings.pop()
        closings.push(async () => {
          await postgres.kill()
          execFileSync('umount', ['-l', disk])
          await postgres.stop()
        })
        const shop = await underLoad(postgres.url)
        const filler = join(disk, 'filler')
        expect(() => writeFileSync(filler, Buffer.alloc(300_000_000))).toThrow('ENOSPC')
        await soon(() => expect(shop.refused()).toBeGreaterThan(0))
        expect(await status(shop, '/api/audio_books')).toBe(200)
        expect(await status(shop, '/api/health/ready')).toBe(503)
        await pause(2_000)
        rmSync(filler)
        // It has stopped because it could not write its WAL, and the owner has to start it.
        await postgres.start()
        await shop.promisesMore()
        expect(shop.broken()).toBe(0)
        expectNothingLost(...(await shop.end()))
      },
    )
  })
})

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
