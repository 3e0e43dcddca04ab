import { beforeEach, describe, expect, test, vi } from 'vitest'
import { fromShop } from '#tests/support/shop-response.ts'
import { call } from './call.ts'
import { NetProblem } from './problem.ts'
import { exchange } from './send.ts'
import { renewToken } from './refresh.ts'
import { configureNet, type SessionEnd, type Tokens } from './settings.ts'

const json = (body: unknown, status = 200) =>
  fromShop(JSON.stringify(body), { status, headers: { 'content-type': 'application/ld+json' } })
const unauthorised = () => json({ code: 401, message: 'Expired JWT Token' }, 401)

let kept: Tokens | undefined
let ends: SessionEnd[]
let answered: boolean[]

/** A fake server: maps path and token to an answer, and counts its requests. */
function serve(answer: (path: string, token: string | null, body: string) => Response | Promise<Response>) {
  const asked: string[] = []
  configureNet({
    origin: 'http://shop.test',
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const path = new URL(request.url).pathname + new URL(request.url).search
      asked.push(`${request.method} ${path}`)
      return answer(path, request.headers.get('xtoken'), await request.text())
    },
  })
  return asked
}

beforeEach(() => {
  kept = { token: 'old', refreshToken: 'r1' }
  ends = []
  answered = []
  configureNet({
    exchange,
    renew: renewToken,
    tokens: {
      read: async () => kept,
      peek: () => kept,
      readNewest: async () => kept,
      write: async (tokens) => void (kept = tokens),
      lend: async () => undefined,
      clear: async () => void (kept = undefined),
    },
    onSessionEnded: (end) => void ends.push(end),
    onAnswer: (well) => void answered.push(well),
  })
})

const loggedUser = () => call('GET /api/logged-user')

describe('an expired token', () => {
  test('SESS-08: a 401 is followed by one refresh with the stored token and a replay', async () => {
    const bodies: string[] = []
    const asked = serve((path, token, body) => {
      if (path === '/api/token/refresh') {
        bodies.push(body)
        return json({ token: 'new', refresh_token: 'r2' })
      }
      return token === 'Bearer new' ? json({ uuid: 'u' }) : unauthorised()
    })
    await expect(loggedUser()).resolves.toMatchObject({ uuid: 'u' })
    expect(asked).toEqual(['GET /api/logged-user', 'POST /api/token/refresh', 'GET /api/logged-user'])
    expect(bodies).toEqual([JSON.stringify({ refresh_token: 'r1' })])
    expect(kept).toEqual({ token: 'new', refreshToken: 'r2' })
  })

  test('trap 20: five calls with one expired token make one refresh, and all are answered', async () => {
    const asked = serve((path, token) => {
      if (path === '/api/token/refresh') return json({ token: 'new', refresh_token: 'r2' })
      return token === 'Bearer new' ? json({ uuid: 'u' }) : unauthorised()
    })
    const answers = await Promise.all(Array.from({ length: 5 }, loggedUser))
    expect(answers).toHaveLength(5)
    expect(asked.filter((line) => line === 'POST /api/token/refresh')).toHaveLength(1)
  })

  test('trap 20: uses another tab’s newer token instead of refreshing again', async () => {
    const asked = serve((_path, token) => {
      if (token === 'Bearer theirs') return json({ uuid: 'u' })
      kept = { token: 'theirs', refreshToken: 'r9' }
      return unauthorised()
    })
    await loggedUser()
    expect(asked).toEqual(['GET /api/logged-user', 'GET /api/logged-user'])
  })

  test('SESS-09: a refused refresh clears the tokens and reports whether a screen was waiting', async () => {
    serve(() => unauthorised())
    await expect(loggedUser()).rejects.toMatchObject({ status: 401 })
    expect(kept).toBeUndefined()
    expect(ends).toEqual([{ reason: 'refused', background: false }])

    kept = { token: 'old', refreshToken: 'r1' }
    await expect(call('GET /api/logged-user', { background: true })).rejects.toMatchObject({ status: 401 })
    expect(ends[1]).toEqual({ reason: 'refused', background: true })
  })

  test('SESS-09: the waiting screen is notified even if a background call was refused first', async () => {
    serve(() => unauthorised())
    const behind = call('GET /api/logged-user', { background: true })
    const [first, ...others] = [behind, loggedUser(), loggedUser()]
    await expect(first).rejects.toMatchObject({ status: 401 })
    for (const other of others) await expect(other).rejects.toMatchObject({ status: 401 })
    expect(ends).toEqual([
      { reason: 'refused', background: true },
      { reason: 'refused', background: false },
    ])
  })

  test('a log-out during a call is not reported as an expired session', async () => {
    serve(() => {
      kept = undefined
      return unauthorised()
    })
    await expect(loggedUser()).rejects.toMatchObject({ status: 401 })
    expect(ends).toEqual([])
  })

  test.each([
    ['a broken server', () => json({}, 500)],
    ['a proxy without its server', () => new Response('<html>', { status: 502 })],
    ['no answer', () => Promise.reject(new TypeError('fetch failed'))],
    ['a limit', () => json({}, 429)],
  ])('SESS-09: the tokens stay if a refresh gets %s', async (_what, refreshed) => {
    serve((path) => (path === '/api/token/refresh' ? refreshed() : unauthorised()))
    // Callers must not take this for a broken answer about the user (SESS-11).
    await expect(loggedUser()).rejects.toSatisfy(
      (problem) => problem instanceof NetProblem && (problem.unreachable || problem.status === 429),
    )
    expect(kept).toEqual({ token: 'old', refreshToken: 'r1' })
    expect(ends).toEqual([])
  })

  test('SESS-10: without a refresh token a 401 just clears the token', async () => {
    kept = { token: 'old', refreshToken: undefined }
    const asked = serve(() => unauthorised())
    await expect(loggedUser()).rejects.toMatchObject({ status: 401 })
    expect(asked).toEqual(['GET /api/logged-user'])
    expect(kept).toBeUndefined()
    expect(ends).toEqual([{ reason: 'no-refresh-token', background: false }])
  })

  test('a replay that is refused again does not refresh again', async () => {
    const asked = serve((path) =>
      path === '/api/token/refresh' ? json({ token: 'new', refresh_token: 'r2' }) : unauthorised(),
    )
    await expect(loggedUser()).rejects.toMatchObject({ status: 401 })
    expect(asked).toHaveLength(3)
  })
})

describe('a proof of identity', () => {
  const refusal = () => json({ reason: 'proof_needed', 'hydra:description': 'Is it you?' }, 403)
  const gift = () => call('POST /api/users/known', { body: { email: 'a@b.c' } })

  test('paying: a call that needs the password is sent again, whole, once it was given', async () => {
    let proved = false
    const bodies: string[] = []
    serve((_path, _token, body) => {
      bodies.push(body)
      return proved ? json({ known: true }) : refusal()
    })
    configureNet({ prove: async () => (proved = true) })
    await expect(gift()).resolves.toEqual({ known: true })
    expect(bodies).toEqual(['{"email":"a@b.c"}', '{"email":"a@b.c"}'])
  })

  test('paying: if the user doesn’t give the password, the call fails with the server’s message', async () => {
    const asked = serve(refusal)
    configureNet({ prove: async () => false })
    await expect(gift()).rejects.toMatchObject({ status: 403, description: 'Is it you?' })
    expect(asked).toHaveLength(1)
  })
})

describe('answers', () => {
  test("trap 22: a captive portal’s page with status 200 doesn't count as a connection", async () => {
    serve(() => new Response('<html>Welcome aboard</html>', { headers: { 'content-type': 'text/html' } }))
    await expect(call('GET /api/audio_books')).rejects.toMatchObject({ kind: 'offline', unreachable: true })
    expect(answered).toEqual([false])
  })

  test.each([200, 401, 403, 404, 422, 500, 503])(
    'trap 22: a captive portal’s %s, even in JSON, is no connection and ends no session',
    async (status) => {
      serve(() => new Response('{}', { status, headers: { 'content-type': 'application/json' } }))
      await expect(loggedUser()).rejects.toMatchObject({ kind: 'offline', unreachable: true })
      expect(answered).toEqual([false])
      expect(kept).toBeDefined()
      expect(ends).toEqual([])
    },
  )

  test("trap 22: a server that doesn't answer is given up after the time-out", async () => {
    vi.useFakeTimers()
    serve(() => new Promise<Response>(() => undefined))
    const outcome = call('GET /api/audio_books', { timeoutMs: 3_000 }).catch((problem: unknown) => problem)
    await vi.advanceTimersByTimeAsync(3_100)
    await expect(outcome).resolves.toMatchObject({ kind: 'offline', status: 0 })
    vi.useRealTimers()
  })

  test('trap 22: an answer that stops in its middle is given up after the time-out', async () => {
    vi.useFakeTimers()
    serve(() => {
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
      })
      return fromShop(body, { headers: { 'content-type': 'application/ld+json' } })
    })
    const outcome = call('GET /api/audio_books', { timeoutMs: 3_000 }).catch((problem: unknown) => problem)
    await vi.advanceTimersByTimeAsync(6_100)
    await expect(outcome).resolves.toMatchObject({ kind: 'offline', status: 0 })
    vi.useRealTimers()
  })

  test('a POST with a body is replayed whole, with the new token', async () => {
    const sent: [string, string | null][] = []
    serve((path, token, body) => {
      if (path === '/api/token/refresh') return json({ token: 'new', refresh_token: 'r2' })
      sent.push([body, token])
      return token === 'Bearer new' ? fromShop(null, { status: 204 }) : unauthorised()
    })
    await expect(call('POST /api/users/known', { body: { email: 'a@b.c' } })).resolves.toBeUndefined()
    expect(sent).toEqual([
      ['{"email":"a@b.c"}', 'Bearer old'],
      ['{"email":"a@b.c"}', 'Bearer new'],
    ])
  })

  test('a body is given to the browser as text: a stream ends with the page', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(async () => fromShop(null, { status: 204 }))
    configureNet({ origin: 'http://shop.test', fetch })
    await call('POST /api/users/known', { body: { email: 'a@b.c' }, keepalive: true })
    expect(fetch.mock.calls).toMatchObject([[{ keepalive: true }, { body: '{"email":"a@b.c"}' }]])
  })

  test('an answer that says when to try again is passed on with it', async () => {
    serve(() => {
      const answer = json({}, 503)
      answer.headers.set('retry-after', '5')
      return answer
    })
    await expect(call('GET /api/audio_books')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 })
  })

  test('a refusal carries the server’s description and violations', async () => {
    serve(() =>
      json(
        {
          'hydra:description': 'email: Email must be valid',
          violations: [{ propertyPath: 'email', message: 'Email must be valid' }],
        },
        422,
      ),
    )
    const body = { email: 'x', password: 'y' }
    await expect(call('POST /api/login', { body, anonymous: true })).rejects.toMatchObject({
      kind: 'refused',
      status: 422,
      description: 'email: Email must be valid',
      violations: [{ propertyPath: 'email', message: 'Email must be valid' }],
    })
  })

  test('a 503 counts as unreachable, a 500 as an answer', () => {
    expect(new NetProblem('server', 503).unreachable).toBe(true)
    expect(new NetProblem('server', 500).unreachable).toBe(false)
  })

  test('parameters are escaped, filters sorted and joined, and a PATCH is a merge patch', async () => {
    let type = ''
    configureNet({
      fetch: async (input, init) => {
        const request = new Request(input, init)
        type = request.headers.get('content-type') ?? ''
        return json({ url: request.url })
      },
    })
    const list = (await call('GET /api/audio_books', {
      query: { page: 2, 'styles[]': [3, 1], itemsPerPage: 12 },
    })) as unknown as { url: string }
    expect(new URL(list.url).search).toBe('?itemsPerPage=12&page=2&styles%5B%5D=3%2C1')

    const moved = (await call('PATCH /api/user_audio_book_times/{id}', {
      params: { id: 'a/b' },
      body: { chapter: 1, seconds: 2 },
    })) as unknown as { url: string }
    expect(new URL(moved.url).pathname).toBe('/api/user_audio_book_times/a%2Fb')
    expect(type).toBe('application/merge-patch+json')
  })

  test("an answer from the worker’s cache doesn't count as contact with the server", async () => {
    configureNet({
      fetch: async () =>
        fromShop('{}', { headers: { 'content-type': 'application/json', 'x-murmur-kept': 'silence' } }),
    })
    await call('GET /api/audio_books')
    expect(answered).toEqual([false])
  })
})
