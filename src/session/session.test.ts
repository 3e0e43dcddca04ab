// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readValue, removeValue, writeValue } from '#storage/values.ts'
import type { User } from '#contract/account.ts'
import { connectivity } from '#net/connectivity.ts'
import { configureNet, type SessionEnd } from '#net/settings.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { soon } from '#tests/support/wait-for.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { logIn } from './log-in.ts'
import { registerUserScope } from './user-scope.ts'
import { removeUser, logOut } from './log-out.ts'
import { restore, startSession, keepToken, userChanged } from './session.ts'

import { becomeVisitor, currentSession } from './store.ts'

const uuid = '11111111-1111-4111-8111-111111111111'
const user = {
  uuid,
  email: 'nell@murmur.example',
  firstName: 'Nell',
  lastName: 'Hart',
  fullName: 'Nell Hart',
}
/** Another user of this device. */
const anna = { ...user, uuid: uuid.replaceAll('1', '2'), firstName: 'Anna', fullName: 'Anna Hart' }
/** Nell's first tokens, and those after a refresh. */
const [T1, T2, T9] = [tokenOf(uuid, 't1'), tokenOf(uuid, 't2'), tokenOf(uuid, 't9')]
const json = (body: unknown, status = 200) =>
  fromShop(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

let stop: () => void
let ends: SessionEnd[]
let asked: string[]

function serve(answer: (path: string) => Response | Promise<Response>) {
  asked = []
  configureNet({
    origin: 'http://shop.test',
    fetch: async (input, init) => {
      const { pathname } = new URL(new Request(input, init).url)
      asked.push(pathname)
      return answer(pathname)
    },
  })
}
const shop = (path: string) => {
  if (path === '/api/login') return json({ token: T1, refresh_token: 'r1' })
  if (path === '/api/logged-user') return json(user)
  if (path === '/api/logout') return fromShop(null, { status: 204 })
  return json({}, 404)
}
const tokensHere = () =>
  ['token', 'refresh_token', 'tokenRefreshedDate'].map((key) => localStorage.getItem(key))
const remembered = () => readValue('rememberedUser')

/** Resolves after all effects of an answer that has arrived. */
const drained = async () => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve))
}

async function loggedIn() {
  localStorage.setItem('token', T1)
  localStorage.setItem('refresh_token', 'r1')
  localStorage.setItem('tokenRefreshedDate', new Date(0).toISOString())
  await writeValue('rememberedUser', { uuid, firstName: 'Nell', fullName: 'Nell Hart' })
}

beforeEach(async () => {
  localStorage.clear()
  await Promise.all([removeValue('rememberedUser'), removeValue('tokens'), removeValue('pendingLogouts')])
  becomeVisitor()
  ends = []
  stop = startSession({ onEnded: (end) => ends.push(end) })
  serve(shop)
})
afterEach(() => stop())

describe('logging in and out', () => {
  test('SESS-01: tokens and their date are stored, and the device remembers its user', async () => {
    await logIn('nell@murmur.example', 'murmur-demo')
    expect(tokensHere()).toEqual([T1, 'r1', expect.stringMatching(/^\d{4}-.*Z$/)])
    expect(await readValue('tokens')).toMatchObject({ token: T1, refreshToken: 'r1' })
    expect(await remembered()).toMatchObject({ uuid, firstName: 'Nell', email: user.email })
    expect(currentSession()).toMatchObject({ status: 'user', user: { email: user.email }, owner: { uuid } })
  })

  test('ROLE-14: a bookshop’s account stores nothing on the device, however it logs in', async () => {
    const desk = { ...user, outlet: { name: 'Corner House Books' } }
    serve((path) => (path === '/api/logged-user' ? json(desk) : shop(path)))
    await logIn('corner@murmur.example', 'murmur-demo')
    expect(currentSession()).toMatchObject({ status: 'user', user: { outlet: desk.outlet }, owner: null })
    becomeVisitor()
    await restore()
    expect(currentSession()).toMatchObject({ status: 'user', user: { outlet: desk.outlet }, owner: null })
    expect(await remembered()).toBeNull()
  })

  test('a log-in whose user cannot be loaded stores nothing', async () => {
    serve((path) => (path === '/api/logged-user' ? json({}, 503) : shop(path)))
    await expect(logIn('nell@murmur.example', 'x')).rejects.toMatchObject({ status: 503 })
    expect(tokensHere()).toEqual([null, null, null])
    expect(await remembered()).toBeUndefined()
  })

  test('a log-in that gets another user’s cached answer fails and stores nothing', async () => {
    await writeValue('rememberedUser', { uuid: anna.uuid, firstName: 'Anna', fullName: 'Anna Hart' })
    await restore()
    serve((path) => (path === '/api/logged-user' ? json(anna) : shop(path)))
    await expect(logIn('nell@murmur.example', 'x')).rejects.toMatchObject({ kind: 'offline' })
    expect(tokensHere()).toEqual([null, null, null])
    expect(currentSession()).toMatchObject({ status: 'ended', owner: { uuid: anna.uuid } })
  })

  test('SESS-03: log-out removes tokens and date, after the outbox has tried to send', async () => {
    await logIn('nell@murmur.example', 'murmur-demo')
    const left: (string | null)[] = []
    registerUserScope('places', {
      leave: async () => void left.push(localStorage.getItem('token')),
      close: () => left.push('closed'),
    })
    await logOut()
    expect(left).toEqual([T1, 'closed'])
    expect(tokensHere()).toEqual([null, null, null])
    expect(await readValue('tokens')).toBeUndefined()
    expect(await remembered()).toBeUndefined()
    expect(asked).toContain('/api/logout')
    expect(currentSession()).toMatchObject({ status: 'visitor', owner: null })
  })

  test('a log-out without a network does not wait for it', async () => {
    await loggedIn()
    await restore()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    serve(() => new Promise<Response>(() => undefined))
    const left = logOut()
    await vi.advanceTimersByTimeAsync(7_000)
    vi.useRealTimers()
    await left
    expect(tokensHere()).toEqual([null, null, null])
    expect(currentSession().status).toBe('visitor')
  })
})

describe('a log-out in a tunnel', () => {
  test('ends the session here at once, and on the server once there is a network', async () => {
    await loggedIn()
    let isOffline = false
    serve((path) => {
      if (isOffline) throw new TypeError('Failed to fetch')
      return shop(path)
    })
    await restore()
    isOffline = true
    await logOut()
    expect(tokensHere()).toEqual([null, null, null])
    expect(await readValue('pendingLogouts')).toEqual(['r1'])

    isOffline = false
    connectivity.note(false)
    connectivity.note(true)
    await soon(async () => expect(await readValue('pendingLogouts')).toEqual([]))
    expect(asked.filter((path) => path === '/api/logout').length).toBeGreaterThan(1)
  })
})

describe('a browser that stores nothing', () => {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  test.each(['throws', 'hangs'])(
    'with blocked storage and a database that %s, users can log in and out',
    async (how) => {
      vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(refuse)
      vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(
        how === 'throws'
          ? refuse
          : () =>
              ({
                objectStore: () => ({
                  get: () => ({}),
                  put: () => ({}),
                  delete: () => ({}),
                  transaction: {},
                }),
              }) as never,
      )
      vi.stubGlobal('caches', { keys: async () => refuse() })
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const settled = async (work: Promise<unknown>) => {
        const done = work.then(() => 'done')
        for (let seconds = 0; seconds < 15; seconds++) await vi.advanceTimersByTimeAsync(1_000)
        vi.useRealTimers()
        expect(await done).toBe('done')
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      }
      await settled(restore())
      expect(currentSession()).toMatchObject({ ready: true, status: 'visitor' })
      await settled(logIn('nell@murmur.example', 'murmur-demo'))
      expect(currentSession()).toMatchObject({ status: 'user', owner: { uuid } })
      await settled(restore())
      expect(currentSession()).toMatchObject({ status: 'user', owner: { uuid } })
      await settled(logOut())
      expect(currentSession()).toMatchObject({ status: 'visitor', owner: null })
      vi.useRealTimers()
    },
  )
})

describe('an account that changes', () => {
  test('a new access token of the same session is stored with the existing refresh token', async () => {
    await loggedIn()
    await keepToken(T9)
    expect(tokensHere()).toEqual([T9, 'r1', expect.stringMatching(/^\d{4}-.*Z$/)])
    expect(await readValue('tokens')).toMatchObject({ token: T9, refreshToken: 'r1' })
  })

  test('ACC-36: deleting the account removes all local data and sends no request', async () => {
    await loggedIn()
    await restore()
    await soon(() => expect(asked).toContain('/api/logged-user'))
    asked.length = 0
    await removeUser(uuid)
    expect(tokensHere()).toEqual([null, null, null])
    expect(await remembered()).toBeUndefined()
    expect(currentSession()).toMatchObject({ status: 'visitor', owner: null })
    expect(asked).toEqual([])
  })

  test('an answer that arrives after its user’s log-out changes nothing', async () => {
    await loggedIn()
    await restore()
    await soon(() => expect(currentSession().user).not.toBeNull())
    await userChanged({ ...user, fullName: 'Nora Hart' } as User)
    expect(currentSession().owner?.fullName).toBe('Nora Hart')
    await logOut()
    await userChanged({ ...user, fullName: 'Somebody' } as User)
    expect(currentSession()).toMatchObject({ status: 'visitor', user: null })
  })
})

describe('returning to the page', () => {
  test('trap 22: a remembered user is shown at once, without waiting for the server', async () => {
    await loggedIn()
    serve(() => new Promise<Response>(() => undefined))
    await restore()
    expect(currentSession()).toMatchObject({ ready: true, status: 'user', owner: { uuid }, user: null })
  })

  test('an answer to a request from before a log-out is ignored', async () => {
    await loggedIn()
    let answer: (response: Response) => void = () => undefined
    serve((path) =>
      path === '/api/logged-user' ? new Promise<Response>((resolve) => (answer = resolve)) : shop(path),
    )
    await restore()
    await soon(() => expect(asked).toContain('/api/logged-user'))
    await logOut()
    answer(json(user))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(currentSession()).toMatchObject({ status: 'visitor', owner: null })
    expect(await remembered()).toBeUndefined()
  })

  test("another user’s cached answer doesn't change who is logged in", async () => {
    await loggedIn()
    serve((path) => (path === '/api/logged-user' ? json(anna) : shop(path)))
    await restore()
    await soon(() => expect(asked).toContain('/api/logged-user'))
    await drained()
    expect(currentSession()).toMatchObject({ status: 'user', owner: { uuid }, user: null })
    expect(await remembered()).toMatchObject({ uuid })
    expect(tokensHere()[0]).toBe(T1)
  })

  test('tokens without a remembered user wait for the server’s answer', async () => {
    localStorage.setItem('token', T1)
    await restore()
    expect(currentSession()).toMatchObject({ status: 'user', user: { uuid } })
  })

  test('SESS-11: a 500 while loading the user ends the session; the downloads’ owner stays', async () => {
    await loggedIn()
    serve(() => json({}, 500))
    await restore()
    await soon(() => expect(currentSession().status).toBe('ended'))
    expect(tokensHere()).toEqual([null, null, null])
    expect(currentSession().owner?.uuid).toBe(uuid)
    expect(await remembered()).toBeDefined()
  })

  test.each([502, 503, 504, 0])('SESS-11: %s keeps everything', async (status) => {
    await loggedIn()
    serve(() => (status ? json({}, status) : Promise.reject(new TypeError('fetch failed'))))
    await restore()
    await soon(() => expect(asked.length).toBeGreaterThan(0))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(tokensHere()[0]).toBe(T1)
    expect(currentSession()).toMatchObject({ status: 'user', owner: { uuid } })
  })

  test('SESS-09: a refused refresh ends the session as a background call and keeps the owner', async () => {
    await loggedIn()
    serve(() => json({ code: 401 }, 401))
    await restore()
    await soon(() => expect(ends).toEqual([{ reason: 'refused', background: true }]))
    expect(tokensHere()).toEqual([null, null, null])
    expect(currentSession()).toMatchObject({ status: 'ended', owner: { uuid } })
  })

  test('ROLE-16: without a token the remembered user is still known, and no other user is', async () => {
    await writeValue('rememberedUser', { uuid, firstName: 'Nell', fullName: 'Nell Hart' })
    await restore()
    expect(currentSession()).toMatchObject({ status: 'ended', owner: { uuid } })
    await removeValue('rememberedUser')
    await restore()
    expect(currentSession()).toMatchObject({ status: 'visitor', owner: null })
  })
})

describe('another tab', () => {
  test('a log-out there logs out here', async () => {
    await logIn('nell@murmur.example', 'murmur-demo')
    for (const key of ['token', 'refresh_token', 'tokenRefreshedDate']) localStorage.removeItem(key)
    await removeValue('rememberedUser')
    const channel = new BroadcastChannel('murmur-session')
    channel.postMessage('out')
    await soon(() => expect(currentSession()).toMatchObject({ status: 'visitor', owner: null }))
    channel.close()
  })

  test('a token that another tab only renewed causes no request for the user', async () => {
    await loggedIn()
    await restore()
    await soon(() => expect(currentSession().user).not.toBeNull())
    asked.length = 0
    const put = (oldValue: string, newValue: string) =>
      dispatchEvent(new StorageEvent('storage', { key: 'token', oldValue, newValue }))
    put(T1, T2)
    await drained()
    expect(asked).toEqual([])
    put(tokenOf(anna.uuid), T2)
    await soon(() => expect(asked).toEqual(['/api/logged-user']))
  })

  /** The test answers the first request for the user, the fake server the later ones. */
  async function askedBefore() {
    await loggedIn()
    let answer: (response: Response) => void = () => undefined
    const first = new Promise<Response>((resolve) => (answer = resolve))
    serve((path) => (asked.length === 1 ? first : path === '/api/logged-user' ? json(anna) : shop(path)))
    await restore()
    await soon(() => expect(asked).toEqual(['/api/logged-user']))
    return answer
  }
  function tell(news: 'in' | 'out') {
    const channel = new BroadcastChannel('murmur-session')
    channel.postMessage(news)
    channel.close()
  }

  test('a log-in there applies here too, even if a late answer names the previous user', async () => {
    const answer = await askedBefore()
    await writeValue('rememberedUser', { uuid: anna.uuid, firstName: 'Anna', fullName: 'Anna Hart' })
    localStorage.setItem('token', tokenOf(anna.uuid))
    tell('in')
    await soon(() => expect(currentSession().user).toMatchObject({ firstName: 'Anna' }))
    answer(json(user))
    await drained()
    expect(currentSession()).toMatchObject({ owner: { uuid: anna.uuid }, user: { firstName: 'Anna' } })
    expect(await remembered()).toMatchObject({ uuid: anna.uuid })
  })

  test('a log-out there applies here, even if a request for the user fails later', async () => {
    const answer = await askedBefore()
    localStorage.clear()
    await removeValue('rememberedUser')
    tell('out')
    await soon(() => expect(currentSession().status).toBe('visitor'))
    answer(json({}, 503))
    await drained()
    expect(currentSession()).toMatchObject({ status: 'visitor', owner: null })
  })

  test('trap 20: newer tokens of another tab are found while local storage is still stale', async () => {
    await loggedIn()
    await writeValue('tokens', { token: T2, refreshToken: 'r2', at: Date.now() + 1 })
    let replayed = ''
    configureNet({
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const token = request.headers.get('xtoken') ?? ''
        if (new URL(request.url).pathname !== '/api/logged-user') throw new Error('nobody should refresh')
        if (token !== `Bearer ${T2}`) return json({ code: 401 }, 401)
        replayed = token
        return json(user)
      },
    })
    await restore()
    await soon(() => expect(replayed).toBe(`Bearer ${T2}`))
    expect(localStorage.getItem('refresh_token')).toBe('r2')
  })
})
