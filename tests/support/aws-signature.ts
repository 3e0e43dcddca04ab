import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export interface SignedRequest {
  readonly method: string
  /** Path and query, exactly as sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

/** The credentials that requests must be signed with. */
export interface BucketKeys {
  readonly keyId: string
  readonly secret: string
  readonly region: string
}

/**
 * The S3 error code for a request, or undefined if it is signed as AWS Signature Version 4 requires (in the header or
 * in the query). Written from the specification, independently of the library that signs.
 */
export function signatureFault(request: SignedRequest, keys: BucketKeys, now: Date): string | undefined {
  const signed = inHeader(request) ?? inAddress(request)
  if (!signed) return 'AccessDenied'
  const { credential, datetime, expires, signature } = signed
  if (credential !== `${keys.keyId}/${scopeOf(datetime, keys)}`) return 'InvalidAccessKeyId'
  const age = (now.getTime() - timeOf(datetime)) / 1000
  if (age < -900) return 'RequestTimeTooSkewed'
  if (age > (expires ?? 900)) return expires === undefined ? 'RequestTimeTooSkewed' : 'AccessDenied'
  return signature === signatureOf(request, signed, keys) ? undefined : 'SignatureDoesNotMatch'
}

interface Signed {
  readonly credential: string
  readonly signedHeaders: string
  readonly signature: string
  readonly datetime: string
  readonly payload: string
  /** For presigned URLs. */
  readonly expires?: number
}

function inHeader({ headers }: SignedRequest): Signed | undefined {
  const found = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
    headers.authorization ?? '',
  )
  if (!found) return undefined
  const [, credential = '', signedHeaders = '', signature = ''] = found
  const payload = String(headers['x-amz-content-sha256'])
  return { credential, signedHeaders, signature, datetime: String(headers['x-amz-date']), payload }
}

function inAddress({ url }: SignedRequest): Signed | undefined {
  const query = new URL(url, 'http://store').searchParams
  const signature = query.get('X-Amz-Signature')
  if (!signature || query.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') return undefined
  return {
    credential: query.get('X-Amz-Credential') ?? '',
    signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
    signature,
    datetime: query.get('X-Amz-Date') ?? '',
    payload: 'UNSIGNED-PAYLOAD',
    expires: Number(query.get('X-Amz-Expires')),
  }
}

function signatureOf(
  { method, url, headers }: SignedRequest,
  { signedHeaders, datetime, payload }: Signed,
  keys: BucketKeys,
): string {
  const { pathname, searchParams } = new URL(url, 'http://store')
  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
  const canonical = [
    method,
    pathname
      .split('/')
      .map((part) => encoded(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    ...signedHeaders
      .split(';')
      .map((name) => `${name}:${String(headers[name]).trim().replaceAll(/\s+/g, ' ')}`),
    '',
    signedHeaders,
    payload,
  ].join('\n')
  const scope = scopeOf(datetime, keys)
  const toSign = ['AWS4-HMAC-SHA256', datetime, scope, sha256(canonical)].join('\n')
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${keys.secret}`)
  return hmac(key, toSign).toString('hex')
}

const scopeOf = (datetime: string, { region }: BucketKeys) =>
  `${datetime.slice(0, 8)}/${region}/s3/aws4_request`

const timeOf = (datetime: string) =>
  Date.parse(datetime.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

export const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
