import { expect, test } from 'vitest'
import { mediaOrigin, mediaSettings } from './media-settings.ts'

const url = 'https://GK31:s%2Fecr%2Bet%3D@garage.example/sound?region=garage'

test('without settings, media are in DATA_DIR and delivered by the shop itself', () => {
  const settings = mediaSettings({})
  expect(settings).toEqual({ bucket: undefined, delivery: 'server', cdnOrigin: undefined })
  expect(mediaOrigin(settings)).toBeUndefined()
})

test('a bucket is read with its keys and region, in both URL styles', () => {
  expect(mediaSettings({ MEDIA_S3_URL: url }).bucket).toEqual({
    url: 'https://garage.example/sound',
    region: 'garage',
    keyId: 'GK31',
    secret: 's/ecr+et=',
  })
  const regionOf = (host: string) => mediaSettings({ MEDIA_S3_URL: `https://k:s@${host}` }).bucket?.region
  expect(regionOf('media.s3.eu-west-2.amazonaws.com')).toBe('eu-west-2')
  expect(regionOf('s3.dualstack.eu-west-2.amazonaws.com/media')).toBe('eu-west-2')
  expect(regionOf('s3.eu-central-003.backblazeb2.com/media')).toBe('eu-central-003')
  expect(regionOf('abc.r2.cloudflarestorage.com/media')).toBe('auto')
  expect(regionOf('seaweed.lan:8333/media')).toBe('us-east-1')
})

test('another origin is allowed only if listeners are sent there', () => {
  const origin = (env: Record<string, string>) => mediaOrigin(mediaSettings({ MEDIA_S3_URL: url, ...env }))
  expect(origin({})).toBeUndefined()
  expect(origin({ MEDIA_DELIVERY: 'store' })).toBe('https://garage.example')
  expect(origin({ MEDIA_DELIVERY: 'store', MEDIA_CDN_URL: 'https://cdn.example/' })).toBe(
    'https://cdn.example',
  )
})

test('an invalid setting is refused by name, and the message contains no key', () => {
  const refusal = (env: Record<string, string>): string => {
    try {
      mediaSettings(env)
    } catch (error) {
      return String(error)
    }
    return 'nothing'
  }
  for (const wrong of [
    'GK31',
    'ftp://GK31:secret@host/b',
    'https://GK31:kni/ght@host/b',
    'https://host/b',
    'https://GK31:kni%zzght@host/b',
    `${url}&x=1`,
  ])
    expect(refusal({ MEDIA_S3_URL: wrong })).toMatch(/MEDIA_S3_URL must be(?!.*(?:GK31|kni|ght))/)
  expect(refusal({ MEDIA_DELIVERY: 'store' })).toContain('set MEDIA_S3_URL too')
  expect(refusal({ MEDIA_DELIVERY: 'proxy', MEDIA_S3_URL: url })).toContain('for media in DATA_DIR')
  expect(refusal({ MEDIA_DELIVERY: 'cdn' })).toContain('MEDIA_DELIVERY must be server, store or proxy')
  expect(refusal({ MEDIA_S3_URL: url, MEDIA_CDN_URL: 'https://cdn.example' })).toContain(
    'MEDIA_DELIVERY=store',
  )
  const inPath = { MEDIA_S3_URL: url, MEDIA_DELIVERY: 'store', MEDIA_CDN_URL: 'https://cdn.example/media' }
  expect(refusal(inPath)).toContain('without a path')
})
