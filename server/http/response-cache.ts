import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompress, brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { acceptsLinkedData } from './accepts-linked-data.ts'

export const REQUEST_ID = 'x-request-id'

export interface Sent {
  readonly encoding?: 'br' | 'gzip'
  readonly bytes: Buffer
}

class KeptBody {
  readonly bytes: Buffer
  #brotli: Buffer | undefined
  #gzip: Buffer | undefined
  #sentAsBrotli = 0
  #isDense = false
  static #isCompressing = false

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /**
   * Compressed at the first hit, because most addresses are requested once; once more and densely, outside the event
   * loop, if they are requested often. That makes the home page of the demo 11 % smaller, and takes half a second.
   */
  form(accepts: string): Sent {
    const { bytes } = this
    if (bytes.length < WORTH_COMPRESSING) return { bytes }
    if (accepts.includes('br')) {
      this.#sentAsBrotli += 1
      if (this.#sentAsBrotli >= DENSELY_AFTER) this.#compressDensely()
      return { encoding: 'br', bytes: (this.#brotli ??= brotliCompressSync(bytes, brotliOf(5))) }
    }
    if (accepts.includes('gzip'))
      return { encoding: 'gzip', bytes: (this.#gzip ??= gzipSync(bytes, { level: 6 })) }
    return { bytes }
  }

  /** One response at a time, because the threads that do it also check passwords and read files. */
  #compressDensely(): void {
    if (this.#isDense || KeptBody.#isCompressing) return
    this.#isDense = KeptBody.#isCompressing = true
    brotliCompress(this.bytes, brotliOf(constants.BROTLI_MAX_QUALITY), (error, dense) => {
      KeptBody.#isCompressing = false
      if (!error) this.#brotli = dense
    })
  }

  /** Bytes in memory. The compressed forms, whether they exist yet or not, add about half of the body. */
  get size(): number {
    return Math.max(1, Math.ceil(this.bytes.length * 1.5))
  }
}

export class KeptAnswer extends KeptBody {
  readonly route: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string

  constructor(route: string, { status, headers, body }: Made) {
    super(body)
    this.route = route
    this.status = status
    this.headers = headers
    // The same bytes with another content type are another response.
    const type = headers['content-type'] ?? ''
    this.etag = `"${createHash('sha256').update(type).update(body).digest('base64url').slice(0, 22)}"`
  }
}

interface Made {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Headers that belong to one request; strip them before caching. */
const OF_ONE_REQUEST: ReadonlySet<string> = new Set(['content-length', REQUEST_ID])

export const headersToKeep = (headers: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || OF_ONE_REQUEST.has(name) ? [] : [[name, String(value)]],
    ),
  )

interface Options {
  /** Maximum bytes in total; the least recently used responses are evicted first. */
  readonly maxBytes: number
  readonly countryOf: (request: IncomingMessage) => string
}

/** Responses for all visitors from a country: looked up before Fastify, and dropped when the catalogue changes. */
export class PublicAnswers {
  readonly #kept: LRUCache<string, KeptAnswer>
  readonly #options: Options
  readonly #shared: LRUCache<string, KeptBody>
  /** Incremented by `clear`, so that a response computed before a change is not stored after it. */
  generation = 0

  constructor(options: Options) {
    this.#options = options
    this.#kept = new LRUCache({
      maxSize: options.maxBytes,
      sizeCalculation: ({ size }) => size,
    })
    this.#shared = new LRUCache({
      maxSize: options.maxBytes / 2,
      sizeCalculation: ({ size }) => size,
    })
  }

  keyOf(request: IncomingMessage): string {
    const form = acceptsLinkedData(request) ? ' as linked data' : ''
    return `${this.#options.countryOf(request)} ${request.url}${form}`
  }

  get(key: string): KeptAnswer | undefined {
    return this.#kept.get(key)
  }

  keep(key: string, generation: number, route: string, made: Made): KeptAnswer {
    const kept = new KeptAnswer(route, made)
    if (generation === this.generation) this.#kept.set(key, kept)
    return kept
  }

  async shared(
    {
      key,
      generation,
      accepts,
    }: { readonly key: string; readonly generation: number; readonly accepts: string },
    make: () => Promise<string | ArrayBuffer | Buffer>,
  ): Promise<Sent> {
    const known = generation === this.generation ? this.#shared.get(key) : undefined
    if (known) return known.form(accepts)
    const made = await make()
    const bytes = typeof made === 'string' ? Buffer.from(made) : Buffer.from(new Uint8Array(made))
    if (generation === this.generation) this.#shared.set(key, new KeptBody(bytes))
    return { bytes }
  }

  alias(key: string, existing: string): void {
    const kept = this.#kept.peek(existing)
    if (kept && key !== existing && !this.#kept.has(key)) this.#kept.set(key, kept)
  }

  clear(): void {
    this.generation += 1
    this.#kept.clear()
    this.#shared.clear()
  }

  get size(): { readonly answers: number; readonly bytes: number } {
    return { answers: this.#kept.size, bytes: this.#kept.calculatedSize }
  }

  /** Answers from memory if possible; undefined if the request must be handled. */
  answered(request: IncomingMessage, response: ServerResponse, requestId: string): KeptAnswer | undefined {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    if (request.headers.xtoken !== undefined || request.headers.authorization !== undefined) return undefined
    const kept = this.get(this.keyOf(request))
    if (kept) send(kept, request, response, requestId)
    return kept
  }
}

function send(kept: KeptAnswer, request: IncomingMessage, response: ServerResponse, requestId: string): void {
  if (kept.status === 200 && matches(request.headers['if-none-match'], kept.etag)) {
    response.writeHead(304, { ...kept.headers, [REQUEST_ID]: requestId, etag: kept.etag })
    response.end()
    return
  }
  const { encoding, bytes } = kept.form(request.headers['accept-encoding'] ?? '')
  response.writeHead(kept.status, {
    ...kept.headers,
    [REQUEST_ID]: requestId,
    ...(encoding ? { 'content-encoding': encoding } : {}),
    'content-length': bytes.length,
    etag: kept.etag,
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

export const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))

const brotliOf = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } })

const DENSELY_AFTER = 3

// Below this, compression saves less than its headers cost.
const WORTH_COMPRESSING = 1_000
