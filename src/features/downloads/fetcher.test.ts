import { describe, expect, test, vi } from 'vitest'
import { CHUNK_BYTES } from '#storage/sound-path.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { fetchFile, FetchRefused, type FetchedChunk, type FetchPorts } from './fetcher.ts'

const sound = new Uint8Array(2 * CHUNK_BYTES + 7).map((_, at) => at % 256)
const forever = new AbortController().signal

/** A media server with ranges. `spoil` may replace its answer. */
function media(spoil: (count: number, first: number) => Response | Error | undefined = () => undefined) {
  const asked: string[] = []
  const fetchPort: FetchPorts['fetch'] = async (_input, init) => {
    const range = new Headers(init?.headers).get('range') ?? ''
    asked.push(range)
    const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(range) ?? []
    const spoilt = spoil(asked.length, Number(from))
    if (spoilt instanceof Error) throw spoilt
    if (spoilt) return spoilt
    const last = Math.min(Number(to), sound.length - 1)
    return fromShop(sound.slice(Number(from), last + 1), {
      status: 206,
      headers: {
        'content-range': `bytes ${from}-${last}/${sound.length}`,
        'content-type': 'audio/mpeg',
      },
    })
  }
  return { asked, fetchPort }
}

async function run(server: ReturnType<typeof media>, options: { have?: number[]; bytes?: number } = {}) {
  const chunks: FetchedChunk[] = []
  const addresses: boolean[] = []
  let waits = 0
  const ports: FetchPorts = {
    fetch: server.fetchPort,
    address: async (fresh) => {
      addresses.push(fresh)
      return '/media/sound/x'
    },
    untilRetry: async () => void waits++,
  }
  const failure = await fetchFile(
    { bytes: options.bytes ?? sound.length },
    new Set(options.have),
    ports,
    async (chunk) => void chunks.push(chunk),
    forever,
  ).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { chunks, failure, addresses, waits: () => waits, asked: server.asked }
}

const same = (chunks: FetchedChunk[]) =>
  Buffer.concat(chunks.map(({ bytes }) => Buffer.from(bytes))).equals(Buffer.from(sound))

describe('fetching a chapter', () => {
  test('requests a mebibyte at a time, in order', async () => {
    const { chunks, asked } = await run(media())
    expect(asked).toEqual([`bytes=0-1048575`, 'bytes=1048576-2097151', `bytes=2097152-${sound.length - 1}`])
    expect(same(chunks)).toBe(true)
  })

  test('trap 11: stored chunks are not fetched again', async () => {
    const { chunks, asked } = await run(media(), { have: [0, 2] })
    expect(asked).toEqual(['bytes=1048576-2097151'])
    expect(chunks.map(({ index }) => index)).toEqual([1])
  })

  test('PLAY-10: after no answer, a 5xx or a truncated answer it waits and retries', async () => {
    const torn = () =>
      fromShop(sound.slice(0, 10), {
        status: 206,
        headers: { 'content-range': `bytes 0-1048575/${sound.length}` },
      })
    const spoilt = [new TypeError('fetch failed'), fromShop('', { status: 503 }), torn()]
    const outcome = await run(media((count) => spoilt[count - 1]))
    expect(outcome.waits()).toBe(3)
    expect(same(outcome.chunks)).toBe(true)
  })

  test('an expired URL is replaced by a fresh one, once', async () => {
    const outcome = await run(media((count) => (count === 2 ? fromShop('', { status: 403 }) : undefined)))
    expect(outcome.addresses).toEqual([false, false, true, false])
    expect(same(outcome.chunks)).toBe(true)
    expect(outcome.waits()).toBe(0)
  })

  test('ends if a fresh URL is refused as well', async () => {
    const outcome = await run(media(() => fromShop('', { status: 403 })))
    expect(outcome.failure).toBeInstanceOf(FetchRefused)
    expect(outcome.addresses).toEqual([false, true])
  })

  test('trap 4: a different file under the same URL is not stored', async () => {
    const grown = () =>
      fromShop(sound.slice(0, CHUNK_BYTES), {
        status: 206,
        headers: { 'content-range': `bytes 0-1048575/${sound.length + 1}` },
      })
    const outcome = await run(media(grown))
    expect(outcome.failure).toMatchObject({ reason: 'changed' })
    expect(outcome.chunks).toEqual([])
  })

  test('a range beyond the end of the file means that it has changed, so nothing is retried', async () => {
    const outcome = await run(media(() => fromShop(null, { status: 416 })))
    expect(outcome).toMatchObject({ failure: { reason: 'changed' }, asked: ['bytes=0-1048575'], chunks: [] })
    expect(outcome.addresses).toEqual([false])
  })

  test('trap 22: a captive portal’s page is not stored as sound', async () => {
    const portal = () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
    const outcome = await run(media((count) => (count === 1 ? portal() : undefined)))
    expect(outcome.waits()).toBe(1)
    expect(same(outcome.chunks)).toBe(true)
  })

  test('trap 22: after a captive portal’s refusal it retries with the same URL', async () => {
    const refused = new Response('', { status: 403 })
    const outcome = await run(media((count) => (count <= 3 ? refused : undefined)))
    expect(outcome.failure).toBeUndefined()
    expect(outcome.waits()).toBe(3)
    expect(outcome.addresses).not.toContain(true)
  })

  test('redirected sound is stored, and a refusal of the media storage requests a fresh URL', async () => {
    vi.stubGlobal('location', { origin: 'https://shop.example' })
    const fromStore = (answer: Response) =>
      Object.defineProperties(answer, {
        redirected: { value: true },
        url: { value: 'https://store.example/media/x?X-Amz-Signature=1' },
      })
    const outcome = await run(
      media((count, first) => {
        if (count === 2) return fromStore(new Response('', { status: 403 }))
        const bytes = sound.slice(first, first + CHUNK_BYTES)
        const range = `bytes ${first}-${first + bytes.length - 1}/${sound.length}`
        const headers = { 'content-range': range, 'content-type': 'audio/mpeg' }
        return fromStore(new Response(bytes, { status: 206, headers }))
      }),
    )
    vi.unstubAllGlobals()
    expect(same(outcome.chunks)).toBe(true)
    expect([outcome.waits(), outcome.addresses]).toEqual([0, [false, false, true, false]])
  })

  test('trap 4: without range support, a complete file is accepted and split', async () => {
    const whole = () => fromShop(sound, { headers: { 'content-type': 'audio/mpeg' } })
    const { chunks, asked } = await run(media(whole))
    expect(asked).toHaveLength(1)
    expect(chunks.map(({ bytes }) => bytes.byteLength)).toEqual([CHUNK_BYTES, CHUNK_BYTES, 7])

    const short = () => fromShop(sound.slice(0, 100), { headers: { 'content-type': 'audio/mpeg' } })
    const torn = await run(media((count) => (count === 1 ? short() : undefined)))
    expect(torn.waits()).toBe(1)
    expect(same(torn.chunks)).toBe(true)
  })

  test('a file without ranges is stored as it arrives, and continued after a break', async () => {
    let given = 0
    let most = 0
    const stored: number[] = []
    const stream = (breaksAfter: number) =>
      new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            const piece = sound.slice(given, given + CHUNK_BYTES / 4)
            if (given >= breaksAfter) return controller.error(new TypeError('network error'))
            given += piece.length
            most = Math.max(most, given - stored.length * CHUNK_BYTES)
            controller.enqueue(piece)
            if (given >= sound.length) controller.close()
          },
        },
        { highWaterMark: 0 },
      )
    let opened = 0
    let waits = 0
    const ports: FetchPorts = {
      fetch: async () => {
        given = 0
        return fromShop(stream(opened++ === 0 ? 1.5 * CHUNK_BYTES : Infinity))
      },
      address: async () => '/media/sound/x',
      untilRetry: async () => void waits++,
    }
    await fetchFile(
      { bytes: sound.length },
      new Set(),
      ports,
      async ({ index }) => void stored.push(index),
      forever,
    )
    expect([stored, opened, waits]).toEqual([[0, 1, 2], 2, 1])
    // At most the part that is being split.
    expect(most).toBeLessThanOrEqual(2 * CHUNK_BYTES)
  })

  test('a file of unknown size gets its size from the first answer', async () => {
    const { chunks, asked } = await run(media(), { bytes: 0 })
    expect(asked).toHaveLength(3)
    expect(same(chunks)).toBe(true)
  })

  test('an abort ends it at once', async () => {
    const stop = new AbortController()
    const server = media(() => {
      stop.abort()
      return new TypeError('aborted')
    })
    const ports: FetchPorts = {
      fetch: server.fetchPort,
      address: async () => '/x',
      untilRetry: async () => undefined,
    }
    await expect(
      fetchFile({ bytes: 10 }, new Set(), ports, async () => undefined, stop.signal),
    ).rejects.toThrow('aborted')
    expect(server.asked).toHaveLength(1)
  })
})
