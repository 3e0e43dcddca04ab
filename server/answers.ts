import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly body: Buffer
  readonly brotli: Buffer | undefined
  readonly gzip: Buffer | undefined
}

interface Options {
  /** Bytes kept in all; the answers used longest ago go first. */
  readonly maxBytes: number
  /** The header that names the visitor's country, lower-case; believed only from a trusted proxy. */
  readonly countryOf: (request: IncomingMessage) => string
}

/**
 * Answers that are the same for every visitor of a country: API answers without a token and whole pages.
 * They are looked up before the framework sees the request, and dropped together when the catalogue changes.
 */
export class PublicAnswers {
  readonly #kept = new Map<string, KeptAnswer>()
  readonly #options: Options
  #bytes = 0
  /** Rises with every `clear`, so that an answer computed before a change is not kept after it. */
  generation = 0

  constructor(options: Options) {
    this.#options = options
  }

  keyOf(request: IncomingMessage): string {
    return `${this.#options.countryOf(request)} ${request.url}`
  }

  get(key: string): KeptAnswer | undefined {
    const kept = this.#kept.get(key)
    if (kept) {
      // A Map keeps insertion order: taking out and putting back makes it the newest.
      this.#kept.delete(key)
      this.#kept.set(key, kept)
    }
    return kept
  }

  keep(
    key: string,
    generation: number,
    status: number,
    headers: Record<string, string>,
    body: Buffer,
  ): KeptAnswer {
    const kept: KeptAnswer = {
      status,
      headers,
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      body,
      ...compressed(body),
    }
    if (generation !== this.generation) return kept
    this.#forget(key)
    this.#kept.set(key, kept)
    this.#bytes += sizeOf(kept)
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#options.maxBytes) break
      this.#forget(oldest)
    }
    return kept
  }

  /** The same answer under another key, for addresses that differ in spelling only. */
  alias(key: string, existing: string): void {
    const kept = this.#kept.get(existing)
    if (!kept || key === existing || this.#kept.has(key)) return
    this.#kept.set(key, kept)
    this.#bytes += sizeOf(kept)
  }

  clear(): void {
    this.generation += 1
    this.#kept.clear()
    this.#bytes = 0
  }

  /** Answers from memory, if it can; true when the request is done. */
  answered(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    if (request.headers.xtoken !== undefined || request.headers.authorization !== undefined) return false
    const kept = this.get(this.keyOf(request))
    if (!kept) return false
    send(kept, request, response)
    return true
  }

  #forget(key: string): void {
    const kept = this.#kept.get(key)
    if (!kept) return
    this.#kept.delete(key)
    this.#bytes -= sizeOf(kept)
  }
}

function send(kept: KeptAnswer, request: IncomingMessage, response: ServerResponse): void {
  if (kept.status === 200 && matches(request.headers['if-none-match'], kept.etag)) {
    response.writeHead(304, { ...kept.headers, etag: kept.etag })
    response.end()
    return
  }
  const accepts = request.headers['accept-encoding'] ?? ''
  const [encoding, body] =
    kept.brotli && accepts.includes('br')
      ? (['br', kept.brotli] as const)
      : kept.gzip && accepts.includes('gzip')
        ? (['gzip', kept.gzip] as const)
        : ([undefined, kept.body] as const)
  response.writeHead(kept.status, {
    ...kept.headers,
    ...(encoding ? { 'content-encoding': encoding } : {}),
    'content-length': body.length,
    etag: kept.etag,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

export const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))

// Below this a compressed form saves less than its headers cost.
const WORTH_COMPRESSING = 1_000

function compressed(body: Buffer): { brotli: Buffer | undefined; gzip: Buffer | undefined } {
  if (body.length < WORTH_COMPRESSING) return { brotli: undefined, gzip: undefined }
  return {
    brotli: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    gzip: gzipSync(body, { level: 6 }),
  }
}

const sizeOf = (kept: KeptAnswer) => kept.body.length + (kept.brotli?.length ?? 0) + (kept.gzip?.length ?? 0)
