import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Agent as PlainAgent, type IncomingMessage, request as askPlainly } from 'node:http'
import { Agent, request } from 'node:https'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { LRUCache } from 'lru-cache'
import { errorCode } from '../../log/error-code.ts'
import { atMost } from '../../lru.ts'
import type { BucketSettings, MediaSettings } from '../../settings/media-settings.ts'
import { changed } from './files.ts'
import {
  type Content,
  type MediaStore,
  MissingMedia,
  type Said,
  type StoredMedia,
  StoreUnavailable,
} from './media-store.ts'
import type { Part } from './parts.ts'
import { COVERS, typeOf } from './paths.ts'

/** Stored files never change, so their sizes can be cached: the chapters of a few hundred titles. */
const KNOWN_SIZES = 20_000
/** Small pictures, which every visitor requests. */
const SMALL_BYTES = 128 * 1024
const KEPT_BYTES = 32 * 1024 * 1024
/** Within this time all listeners get the same signed address, so that a CDN can cache the file. */
const SAME_ADDRESS_MS = 30 * 60_000
/** Longer than nearly every chapter; a player that needs the file later asks for a new address. */
const ADDRESS_LIVES_SECONDS = 2 * 3600
const MOST_BYTES = 5 * 1024 ** 3

export class S3Store implements MediaStore {
  readonly name: string
  readonly #requests: S3Requests
  readonly #cdnOrigin: string | undefined
  readonly #sizes = new LRUCache<string, number>(atMost(KNOWN_SIZES))
  readonly #small = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ length }) => length || 1,
  })
  readonly #now: () => Date

  constructor(
    bucket: BucketSettings,
    {
      cdnOrigin,
      silentMs,
      now = () => new Date(),
    }: Partial<Pick<MediaSettings, 'cdnOrigin'>> & {
      readonly silentMs?: number
      readonly now?: () => Date
    } = {},
  ) {
    this.name = bucket.url
    this.#requests = new S3Requests(bucket, { silentMs, now })
    this.#cdnOrigin = cdnOrigin
    this.#now = now
  }

  size(path: string): Promise<number | undefined> {
    return Promise.resolve(this.#sizes.get(path) ?? this.#sizeThere(path, 'ask'))
  }

  async read(path: string, first: number, last: number): Promise<Part | Readable> {
    const key = `${first} ${last} ${path}`
    const kept = this.#small.get(key)
    if (kept) return atHand(kept)
    const answer = await this.#got(path, { range: `bytes=${first}-${last}` }, 206)
    if (!path.startsWith(COVERS) || last - first >= SMALL_BYTES) return answer
    const bytes = await buffer(answer)
    this.#small.set(key, bytes)
    return atHand(bytes)
  }

  async stream(path: string): Promise<Readable> {
    return this.#got(path, {}, 200)
  }

  async put(path: string, content: Content): Promise<void> {
    const bytes = content instanceof Uint8Array ? content.length : content.bytes
    // Query the store instead of the cache: a clean-up may have deleted the file.
    if ((await this.#sizeThere(path, 'askPatiently')) === bytes) return
    if (bytes > MOST_BYTES)
      throw new Error(`${path} is larger than the 5 GB that an object store takes in one piece.`)
    const sha256 =
      content instanceof Uint8Array ? createHash('sha256').update(content).digest('hex') : content.sha256
    const headers = {
      'content-length': String(bytes),
      'content-type': typeOf(path),
      'x-amz-content-sha256': sha256,
    }
    const body = () => (content instanceof Uint8Array ? content : unchanged(content.file, sha256))
    const answer = await this.#requests.askPatiently({ method: 'PUT', path, headers, body }, [200, 201, 204])
    answer.resume()
    this.#sizes.set(path, bytes)
  }

  async remove(path: string): Promise<void> {
    this.#sizes.delete(path)
    const answer = await this.#requests.askPatiently({ method: 'DELETE', path }, [200, 204, 404])
    answer.resume()
  }

  async *list(): AsyncGenerator<StoredMedia> {
    for (let from: string | undefined = ''; from !== undefined;) {
      const query = { 'list-type': '2', ...(from ? { 'continuation-token': from } : {}) }
      const answer = await this.#requests.askPatiently({ method: 'GET', query }, [200])
      const page = await pageOf(await text(answer))
      yield* page.files
      from = page.next
    }
  }

  async sign(path: string, { type, disposition }: Said): Promise<string> {
    const signedAt = new Date(Math.floor(this.#now().getTime() / SAME_ADDRESS_MS) * SAME_ADDRESS_MS)
    const query = {
      'X-Amz-Expires': String(ADDRESS_LIVES_SECONDS),
      'response-content-type': type,
      // A CDN may cache it as long as the address is valid; a browser must not, because other people may use it too.
      'response-cache-control': this.#cdnOrigin
        ? `private, max-age=0, s-maxage=${ADDRESS_LIVES_SECONDS}`
        : 'private, no-store',
      ...(disposition ? { 'response-content-disposition': disposition } : {}),
    }
    const url = await this.#requests.address(path, query, signedAt)
    return this.#cdnOrigin ? this.#cdnOrigin + url.pathname + url.search : url.href
  }

  close(): void {
    this.#requests.close()
  }

  async #sizeThere(path: string, ask: 'ask' | 'askPatiently'): Promise<number | undefined> {
    const answer = await this.#requests[ask]({ method: 'HEAD', path }, [200, 404])
    answer.resume()
    if (answer.statusCode === 404) return undefined
    const bytes = Number(answer.headers['content-length'])
    this.#sizes.set(path, bytes)
    return bytes
  }

  async #got(path: string, headers: Readonly<Record<string, string>>, status: number): Promise<Readable> {
    const answer = await this.#requests.ask({ method: 'GET', path, headers }, [status, 404])
    if (answer.statusCode === status) return answer
    answer.resume()
    this.#sizes.delete(path)
    throw new MissingMedia(`${path} is missing`)
  }
}

const atHand = (bytes: Buffer): Part => ({ bytes, done: () => undefined })

/** The last chunk waits for the verification, so that a changed file is never stored. */
async function* unchanged(file: string, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let before: Buffer | undefined
  const pieces: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: 1 << 20 })
  for await (const piece of pieces) {
    hash.update(piece)
    if (before) yield before
    before = piece
  }
  if (hash.digest('hex') !== sha256) throw changed(file)
  if (before) yield before
}

interface Listed {
  readonly ListBucketResult: {
    readonly Contents?: readonly {
      readonly Key: string
      readonly Size: string
      readonly LastModified: string
    }[]
    readonly IsTruncated?: string
    readonly NextContinuationToken?: string
  }
}

async function pageOf(answer: string): Promise<{ files: StoredMedia[]; next: string | undefined }> {
  const { XMLParser } = await import('fast-xml-parser')
  const xml = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'Contents' })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented S3 format
  const { ListBucketResult: result } = xml.parse(answer) as Listed
  const files = (result.Contents ?? []).map(({ Key, Size, LastModified }) => ({
    path: Key,
    bytes: Number(Size),
    changedAt: new Date(LastModified),
  }))
  return { files, next: result.IsTruncated === 'true' ? result.NextContinuationToken : undefined }
}

interface Asked {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  readonly path?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: () => Uint8Array | AsyncIterable<Uint8Array>
}

/** Without any data in either direction for this long, the store counts as unavailable. */
const SILENT_MS = 5_000
/** After the whole file was sent, the store only answers when it is stored safely. */
const SILENT_AFTER_SENDING_MS = 60_000
const PAUSES_MS = [300, 1500]

class S3Requests {
  readonly #bucket: BucketSettings
  readonly #silentMs: number
  readonly #now: () => Date
  readonly #cache = new Map<string, ArrayBuffer>()
  readonly #agents = { http: new PlainAgent({ keepAlive: true }), https: new Agent({ keepAlive: true }) }

  constructor(
    bucket: BucketSettings,
    { silentMs = SILENT_MS, now }: { readonly silentMs?: number | undefined; readonly now: () => Date },
  ) {
    this.#now = now
    this.#bucket = bucket
    this.#silentMs = silentMs
  }

  /** The response's body must be read or destroyed. @throws {StoreUnavailable} */
  async ask(asked: Asked, expected: readonly number[]): Promise<IncomingMessage> {
    const answer = await this.#send(asked)
      .catch((error: unknown) => {
        // The store closed this keep-alive connection at the same moment.
        if (isReset(error)) return this.#send(asked)
        throw error
      })
      .catch(unreachable)
    if (expected.includes(answer.statusCode!)) return answer
    const said = await text(answer).catch(() => '')
    const code = /<Code>(\w+)<\/Code>/.exec(said)?.[1]
    throw new StoreUnavailable(
      `The store of media answered ${answer.statusCode}${code ? ` (${code})` : ''} to ${asked.method}.`,
      { cause: answer.statusCode },
    )
  }

  /** The same for background work: retries if the store is overloaded. */
  async askPatiently(asked: Asked, expected: readonly number[]): Promise<IncomingMessage> {
    for (const pauseMs of PAUSES_MS)
      try {
        return await this.ask(asked, expected)
      } catch (error) {
        const { cause: status } = error instanceof StoreUnavailable ? error : { cause: 400 }
        if (typeof status === 'number' && status < 500 && status !== 429) throw error
        await pause(pauseMs)
      }
    return this.ask(asked, expected)
  }

  async address(path: string, query: Readonly<Record<string, string>>, signedAt: Date): Promise<URL> {
    const { url } = await this.#signer(this.#url(path, query), {
      method: 'GET',
      signQuery: true,
      datetime: inBasicFormat(signedAt),
    }).sign()
    // Some servers decode a plus as a space, others as a plus.
    url.search = url.search.replaceAll('+', '%20')
    return url
  }

  close(): void {
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  async #send({ method, path = '', query = {}, headers = {}, body }: Asked): Promise<IncomingMessage> {
    const datetime = inBasicFormat(this.#now())
    const signed = await this.#signer(this.#url(path, query), { method, headers, datetime }).sign()
    const options = { method, headers: Object.fromEntries(signed.headers), timeout: this.#silentMs }
    const isPlain = signed.url.protocol === 'http:'
    const asking = isPlain
      ? askPlainly(signed.url, { ...options, agent: this.#agents.http })
      : request(signed.url, { ...options, agent: this.#agents.https })
    return new Promise((resolve, reject) => {
      let answer: IncomingMessage | undefined
      asking.on('timeout', () => {
        // Received data that a paused listener has not read yet is not the store's silence.
        if (answer?.readableLength) asking.setTimeout(this.#silentMs)
        else asking.destroy(new StoreUnavailable('The store of media has gone silent.'))
      })
      asking.on('error', (error) => {
        answer?.destroy(error)
        reject(error)
      })
      asking.once('response', (response) => {
        answer = response
        // Readers of the body get the error; without a reader it must not crash the process.
        answer.on('error', () => undefined)
        resolve(answer)
      })
      asking.once('finish', () => method === 'PUT' && asking.setTimeout(SILENT_AFTER_SENDING_MS))
      const content = body?.()
      if (content === undefined || content instanceof Uint8Array) asking.end(content)
      else pipeline(Readable.from(content), asking).catch(reject)
    })
  }

  #url(path: string, query: Readonly<Record<string, string>>): string {
    const url = new URL(`${this.#bucket.url}/${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url.href
  }

  #signer(url: string, more: object): AwsV4Signer {
    const { keyId: accessKeyId, secret: secretAccessKey, region } = this.#bucket
    return new AwsV4Signer({
      url,
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      cache: this.#cache,
      ...more,
    })
  }
}

const inBasicFormat = (at: Date): string => at.toISOString().replaceAll(/[:-]|\.\d{3}/g, '')

const isReset = (error: unknown): boolean => errorCode(error) === 'ECONNRESET' || errorCode(error) === 'EPIPE'

/** The message contains no URL, which may include a signature. An unreadable local file is not the store's fault. */
function unreachable(error: Error): never {
  const code = errorCode(error)
  if (typeof code !== 'string' || error instanceof StoreUnavailable || 'path' in error) throw error
  throw new StoreUnavailable(`The store of media cannot be reached (${code}).`, { cause: error })
}
