import { BadSetting } from './bad-setting.ts'

export interface BucketSettings {
  /** URL of the bucket, path-style or virtual-hosted, without keys, query and trailing slash. */
  readonly url: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
}

export type Delivery = 'server' | 'store' | 'proxy'

export interface MediaSettings {
  readonly bucket: BucketSettings | undefined
  readonly delivery: Delivery
  /** Origin of a CDN in front of the store; signed addresses point to it. */
  readonly cdnOrigin: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/** @throws {BadSetting} whose message never contains a key */
export function mediaSettings(env: Environment): MediaSettings {
  const bucket = env.MEDIA_S3_URL ? bucketOf(env.MEDIA_S3_URL) : undefined
  const delivery = deliveryOf(env.MEDIA_DELIVERY || 'server')
  if (delivery === 'store' && !bucket)
    throw new BadSetting('MEDIA_DELIVERY=store needs a store: set MEDIA_S3_URL too.')
  if (delivery === 'proxy' && bucket)
    throw new BadSetting(
      'MEDIA_DELIVERY=proxy is for media in DATA_DIR. With MEDIA_S3_URL it is server or store.',
    )
  if (env.MEDIA_CDN_URL && delivery !== 'store')
    throw new BadSetting('MEDIA_CDN_URL is for MEDIA_DELIVERY=store: set it too.')
  return { bucket, delivery, cdnOrigin: env.MEDIA_CDN_URL ? originOf(env.MEDIA_CDN_URL) : undefined }
}

export const mediaOrigin = ({ bucket, delivery, cdnOrigin }: MediaSettings): string | undefined =>
  bucket && delivery === 'store' ? (cdnOrigin ?? new URL(bucket.url).origin) : undefined

const FORM =
  'MEDIA_S3_URL must be the address of a bucket such as https://KEY:SECRET@s3.example/bucket?region=eu.'

function bucketOf(text: string): BucketSettings {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new BadSetting(`${FORM} In a key or a secret / is written %2F, + is %2B and = is %3D.`)
  const url = new URL(text)
  const [keyId, secret] = [plain(url.username), plain(url.password)]
  if (!keyId || !secret) throw new BadSetting(`${FORM} Key or secret is missing.`)
  const strange = [...url.searchParams.keys()].find((name) => name !== 'region')
  if (strange !== undefined) throw new BadSetting(`${FORM} After the ? only region may stand.`)
  return {
    url: url.origin + url.pathname.replace(/\/+$/, ''),
    region: url.searchParams.get('region') || regionOf(url.hostname),
    keyId,
    secret,
  }
}

function plain(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Taken from the host name of a large provider; other stores have only one region. */
const regionOf = (host: string): string =>
  host.endsWith('.r2.cloudflarestorage.com')
    ? 'auto'
    : (/(?:^|\.)s3[.-](?:dualstack\.)?([a-z0-9-]+)\.[a-z0-9-]+\.[a-z.]+$/.exec(host)?.[1] ?? 'us-east-1')

function deliveryOf(text: string): Delivery {
  if (text === 'server' || text === 'store' || text === 'proxy') return text
  throw new BadSetting(`MEDIA_DELIVERY must be server, store or proxy, not '${text}'.`)
}

function originOf(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text) || new URL(text).pathname !== '/')
    throw new BadSetting(
      `MEDIA_CDN_URL must be an address without a path, such as https://media.shop.example.`,
    )
  return new URL(text).origin
}
