import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { feedTopic } from '#contract/limits.ts'
import { asInTheImage, settingsInCompose } from '#tests/support/as-in-the-image.ts'
import {
  expectNothingLost,
  hearOn,
  type Listener,
  LISTENERS_KEY,
  someListeners,
  whatWasKept,
} from '#tests/support/listeners.ts'
import { closeStreams, listenTo } from '#tests/support/live-stream.ts'
import { findNginx, type Proxy, startNginx } from '#tests/support/nginx.ts'
import { findPostgres, type RunningPostgres, startPostgres } from '#tests/support/postgres.ts'
import { inDatabase } from '#tests/support/shop-under-load.ts'
import { freePort, type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { changeOver, type Slot, SLOTS } from '../../tools/change-over.ts'

const LONGEST = { timeout: 1_200_000 }
const closings: (() => unknown)[] = []
afterEach(async () => {
  closeStreams()
  for (const close of closings.splice(0).toReversed()) await close()
})

interface House {
  readonly postgres: RunningPostgres
  readonly root: string
  readonly listeners: readonly Listener[]
  readonly env: (service: string, port: string) => Record<string, string>
}

/** PostgreSQL, the built shop as the image has it, and the settings of compose.yml. */
async function house(): Promise<House> {
  const [postgres, root, dataDir] = [
    await startPostgres(),
    asInTheImage(),
    mkdtempSync(join(tmpdir(), 'murmur-machines-')),
  ]
  closings.push(() => [root, dataDir].forEach((folder) => rmSync(folder, { recursive: true, force: true })))
  closings.push(() => postgres.stop())
  const listeners = await inDatabase(postgres.url, (database) => someListeners(database, 10))
  const here = {
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    APP_KEYS: LISTENERS_KEY,
    CODE_KEY: LISTENERS_KEY,
    DEMO: '0',
  }
  return {
    postgres,
    root,
    listeners,
    // As nginx.conf wants it; compose.yml has another proxy.
    env: (service, PORT) => settingsInCompose(service, { ...here, PORT, DRAIN_SECONDS: '15' }),
  }
}

/** People who browse, log in and hear on, until they are told that it is over; each call that failed. */
function peopleAt({ url, complaints }: Proxy, listeners: readonly Listener[]) {
  const work = { isOver: false }
  const failed: string[] = []
  const ask = async (path: string, wanted: number, body?: object) => {
    const answer = await fetch(url + path, {
      ...(body
        ? { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
        : {}),
    }).catch((error: unknown) => String(error))
    if (typeof answer === 'string' || answer.status !== wanted)
      failed.push(`${path}: ${typeof answer === 'string' ? answer : answer.status}`)
    else await answer.arrayBuffer()
  }
  const browse = async () => {
    while (!work.isOver) {
      for (const path of ['/', '/browse', '/api/audio_books', '/api/styles', '/api/health/live'])
        await ask(path, 200)
      await pause(20)
    }
  }
  const logIn = async () => {
    for (let number = 0; !work.isOver; number++) {
      const { email, password } = listeners[number % listeners.length]!.user
      await ask('/api/login', 200, { email, password })
      // An address may not try more often than a hundred times in an hour.
      await pause(2_000)
    }
  }
  const done = Promise.all([
    browse(),
    browse(),
    logIn(),
    ...listeners.map((listener) => hearOn(listener, () => url, work)),
  ])
  // Told at the end.
  done.catch((error: unknown) => failed.push(`${String(error)}\n${complaints().slice(-2_000)}`))
  return {
    failed,
    end: async () => {
      work.isOver = true
      await done.catch(() => undefined)
    },
  }
}

async function expectNobodyNoticed(
  { failed, end }: ReturnType<typeof peopleAt>,
  { postgres, listeners }: House,
) {
  await end()
  expect(failed).toEqual([])
  for (const { broken, refused } of listeners) expect([broken.count, refused.count]).toEqual([0, 0])
  expectNothingLost(listeners, await inDatabase(postgres.url, whatWasKept))
}

describe.runIf(process.env.LONG && findPostgres() && findNginx())(
  'behind nginx with the example configuration',
  () => {
    test(
      'the servers of compose.yml begin anew one after the other, and no call fails',
      LONGEST,
      async () => {
        const built = await house()
        const ports = [await freePort(), await freePort(), await freePort()]
        const servers: ServerProcess[] = []
        const start = (index: number) => startServer(built.env(`web-${index + 1}`, ports[index]!), built.root)
        for (const index of ports.keys()) servers.push(await start(index))
        const jobs = await startServer(built.env('jobs', await freePort()), built.root)
        closings.push(() => Promise.all([...servers, jobs].map((server) => server.stop())))
        const proxy = await startNginx(ports)
        closings.push(() => proxy.close())
        const people = peopleAt(proxy, built.listeners)
        const { user, headers } = built.listeners[0]!
        const listen = () =>
          listenTo(proxy.url, { token: headers.xtoken.replace('Bearer ', ''), topic: feedTopic(user.id) })
        let stream = await listen()
        await stream.next()
        for (const index of ports.keys()) {
          expect(await servers[index]!.end()).toBe(0)
          servers[index] = await start(index)
          // A stream that was ended in order is listened to again.
          if (stream.isOver()) stream = await listen()
          await stream.next()
        }
        await expectNobodyNoticed(people, built)
      },
    )

    test('one machine changes over from slot to slot and back, and no call fails', LONGEST, async () => {
      const built = await house()
      const ports: Record<Slot, string> = { '0': await freePort(), '1': await freePort() }
      const running = new Map<Slot, ServerProcess>()
      const task = {
        supervisor: {
          isRunning: async (slot: Slot) => running.has(slot),
          start: async (slot: Slot) =>
            void running.set(
              slot,
              await startServer({ ...built.env('web-1', ports[slot]), ROLE: 'all' }, built.root),
            ),
          end: async (slot: Slot) => {
            expect(await running.get(slot)!.end()).toBe(0)
            running.delete(slot)
          },
          isReady: async (slot: Slot) => (await fetch(`http://127.0.0.1:${ports[slot]}/api/health/ready`)).ok,
          keep: async () => undefined,
        },
        prepare: async () => true,
        sharesDatabase: true,
        say: () => undefined,
      }
      closings.push(() => Promise.all([...running.values()].map((server) => server.stop())))
      await changeOver(task)
      const proxy = await startNginx(SLOTS.map((slot) => ports[slot]))
      closings.push(() => proxy.close())
      const people = peopleAt(proxy, built.listeners)
      await changeOver(task)
      expect([...running.keys()]).toEqual(['1'])
      await changeOver(task)
      expect([...running.keys()]).toEqual(['0'])
      await expectNobodyNoticed(people, built)
    })
  },
)
