import { Agent as PlainAgent, type IncomingMessage, request as askPlainly } from 'node:http'
import { Agent, request } from 'node:https'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { BucketSettings } from '../../settings/media-settings.ts'
import { errorCode } from '../../log/error-code.ts'
import { StoreUnavailable } from './media-store.ts'

export interface Asked {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** In the bucket; undefined for the bucket itself. */
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

export class S3Requests {
  readonly #bucket: BucketSettings
  readonly #silentMs: number
  readonly #now: () => Date
  /** Signing keys, which are valid for a day. */
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

  /**
   * Sends a request and returns the response if its status is expected. Its body must be read or destroyed.
   *
   * @throws {StoreUnavailable}
   */
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
