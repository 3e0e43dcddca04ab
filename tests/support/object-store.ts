import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import S3rver from '@20minutes/s3rver'
import { sha256, signatureFault } from './aws-signature.ts'

/** An S3 server over HTTP that requires signatures, and fails on request. */
export interface ObjectStore {
  /** For `MEDIA_S3_URL`. */
  readonly url: string
  readonly origin: string
  /** The requests it got, and their status. */
  readonly asked: {
    readonly method: string
    readonly path: string
    readonly status: number
    /** Through a presigned URL, not by the shop itself. */
    readonly byAddress: boolean
  }[]
  /** `silent`: accepts requests and never responds; `torn`: breaks off in the middle; a number: that status. */
  fault: 'silent' | 'torn' | number | undefined
  /** Whether CORS lets pages of other origins read the responses. */
  letsPagesRead: boolean
  /** Files per page of a listing. */
  pageSize: number
  close(): Promise<void>
}

/** The only keys that the server behind accepts. */
const KEYS = { keyId: 'S3RVER', secret: 'S3RVER', region: 'eu-test-1' }
const CORS = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod>
  <AllowedHeader>range</AllowedHeader><ExposeHeader>content-range</ExposeHeader></CORSRule></CORSConfiguration>`

/**
 * The server behind accepts unsigned requests, so this proxy checks each one. It refuses wrong keys and signatures,
 * expired URLs, and bodies that don't match their hash, as AWS specifies.
 */
export async function objectStore(): Promise<ObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), 'murmur-objects-'))
  const behind = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory, allowMismatchedSignatures: true },
    configureBuckets: [{ name: 'media', configs: [CORS] }],
  })
  const { port: portBehind } = await behind.run()
  const asked: ObjectStore['asked'] = []

  const front = createServer((request, response) => {
    response.once('close', () =>
      asked.push({
        method: request.method!,
        path: request.url!.replace(/\?.*/, ''),
        status: response.headersSent ? response.statusCode : 0,
        byAddress: request.url!.includes('X-Amz-Signature'),
      }),
    )
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const body = await buffer(request)
    if (store.fault === 'silent') return
    if (typeof store.fault === 'number') return refuse(response, store.fault, 'InternalError')
    const isPreflight = method === 'OPTIONS'
    const fault = isPreflight ? undefined : signatureFault({ method, url, headers }, KEYS, new Date())
    if (fault) return refuse(response, 403, fault)
    const hash = headers['x-amz-content-sha256']
    if (hash && hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body))
      return refuse(response, 400, 'XAmzContentSHA256Mismatch')
    const path = url.replace(/continuation-token=[^&]*&?/, '')
    const asking = ask({ port: portBehind, method, path, headers }).end(body)
    response.once('close', () => asking.destroy())
    const [answered] = (await once(asking, 'response')) as [IncomingMessage]
    const query = new URL(url, store.origin).searchParams
    if (query.has('list-type')) {
      const page = pageOf(await text(answered), query.get('continuation-token'), store.pageSize)
      return void response.writeHead(answered.statusCode!, { 'content-type': 'application/xml' }).end(page)
    }
    if (!store.letsPagesRead) delete answered.headers['access-control-allow-origin']
    response.writeHead(answered.statusCode!, answered.headers)
    if (store.fault !== 'torn') return void answered.pipe(response)
    const bytes = await buffer(answered)
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
  }

  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { port } = front.address() as AddressInfo
  const store: ObjectStore = {
    url: `http://${KEYS.keyId}:${KEYS.secret}@127.0.0.1:${port}/media?region=${KEYS.region}`,
    origin: `http://127.0.0.1:${port}`,
    asked,
    fault: undefined,
    letsPagesRead: true,
    pageSize: 1000,
    close: async () => {
      front.closeAllConnections()
      front.close()
      await behind.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
  return store
}

/** One page of a whole listing: the pagination of the server behind needs a cipher that OpenSSL has dropped. */
function pageOf(list: string, token: string | null, size: number): string {
  const files = list.match(/<Contents>.*?<\/Contents>/gs) ?? []
  const from = token === null ? 0 : Number(/\d+/.exec(Buffer.from(token, 'base64').toString()))
  const to = from + size
  // Include every character that a URL has to encode.
  const next = Buffer.from(`\u{3fb}${to}\u{7ff}`).toString('base64')
  const more = to < files.length ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${to < files.length}</IsTruncated>${more}${files.slice(from, to).join('')}</ListBucketResult>`
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}
