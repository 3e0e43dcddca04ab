import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { mediaSettings } from '#server/settings/media-settings.ts'
import { sha256, signatureFault } from '#tests/support/aws-signature.ts'
import { type ObjectStore, objectStore } from '#tests/support/object-store.ts'
import { fingerprint } from './files.ts'
import { MissingMedia, StoreUnavailable } from './media-store.ts'
import { S3Store } from './s3-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'murmur-s3-'))
let there: ObjectStore
/** With the shop's own timeout, except where a timeout is tested: a busy machine is silent for a while too. */
const opened = (url = there.url, silentMs?: number) =>
  new S3Store(mediaSettings({ MEDIA_S3_URL: url }).bucket!, silentMs === undefined ? {} : { silentMs })
let store: S3Store

beforeAll(async () => {
  there = await objectStore()
  store = opened()
})
afterEach(() => {
  there.fault = undefined
  there.pageSize = 1000
})
afterAll(async () => {
  store.close()
  await there.close()
  rmSync(folder, { recursive: true })
})

/** From “Authenticating Requests (AWS Signature Version 4)” of Amazon S3’s API reference. */
const EXAMPLE = {
  keyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const HOST = 'examplebucket.s3.amazonaws.com'
const AT = '20130524T000000Z'
const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const PUT = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072'
const now = new Date('2013-05-24T00:00:00Z')

test.each([
  [
    'GET',
    '/test.txt',
    { range: 'bytes=0-9' },
    NOTHING,
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'PUT',
    '/test%24file.text',
    { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    PUT,
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  ['GET', '/?lifecycle', {}, NOTHING, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  [
    'GET',
    '/?max-keys=2&prefix=J',
    {},
    NOTHING,
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
] as const)(
  '%s %s is signed, and read by the front, as AWS has published it',
  async (method, path, more, hash, signature) => {
    const signer = new AwsV4Signer({
      ...{ method, url: `https://${HOST}${path}`, service: 's3', region: EXAMPLE.region, datetime: AT },
      ...{ accessKeyId: EXAMPLE.keyId, secretAccessKey: EXAMPLE.secret, allHeaders: true },
      headers: { ...more, 'x-amz-content-sha256': hash },
    })
    const { headers } = await signer.sign()
    expect(headers.get('authorization')).toMatch(new RegExp(`Signature=${signature}$`))
    const request = { method, url: path, headers: { ...Object.fromEntries(headers), host: HOST } }
    expect(signatureFault(request, EXAMPLE, now)).toBeUndefined()
    expect(signatureFault({ ...request, method: 'DELETE' }, EXAMPLE, now)).toBe('SignatureDoesNotMatch')
    expect(signatureFault({ ...request, headers: { host: HOST } }, EXAMPLE, now)).toBe('AccessDenied')
  },
)

test('an address is signed as in AWS’s published examples, and is refused if changed or expired', async () => {
  const query =
    'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
    '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
    '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404'
  const signer = new AwsV4Signer({
    ...{
      method: 'GET',
      url: `https://${HOST}/test.txt`,
      service: 's3',
      region: EXAMPLE.region,
      datetime: AT,
    },
    ...{ accessKeyId: EXAMPLE.keyId, secretAccessKey: EXAMPLE.secret, signQuery: true },
  })
  const { url } = await signer.sign()
  expect(url.searchParams.get('X-Amz-Signature')).toBe(new URLSearchParams(query).get('X-Amz-Signature'))
  const fault = (at: string, when = now) =>
    signatureFault({ method: 'GET', url: at, headers: { host: HOST } }, EXAMPLE, when)
  expect(fault(`/test.txt?${query}`)).toBeUndefined()
  expect(fault(`/best.txt?${query}`)).toBe('SignatureDoesNotMatch')
  expect(fault(`/test.txt?${query.replace('86400', '86401')}`)).toBe('SignatureDoesNotMatch')
  expect(fault(`/test.txt?${query}`, new Date('2013-05-25T00:00:01Z'))).toBe('AccessDenied')
})

test('a file is stored once, under its name, and can be read whole or in part', async () => {
  const file = join(folder, 'long.mp3')
  const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => at % 251))
  writeFileSync(file, bytes)
  const known = await fingerprint(file)
  await store.put('ab/long.mp3', { file, ...known })
  expect(await store.size('ab/long.mp3')).toBe(bytes.length)
  expect((await buffer(await store.stream('ab/long.mp3'))).equals(bytes)).toBe(true)
  const part = await store.read('ab/long.mp3', 1_000_000, 1_000_009)
  expect(part).toBeInstanceOf(Readable)
  expect(await buffer(part as Readable)).toEqual(bytes.subarray(1_000_000, 1_000_010))
  const puts = () => there.asked.filter(({ method }) => method === 'PUT').length
  const before = puts()
  await opened().put('ab/long.mp3', { file, ...known })
  expect(puts()).toBe(before)
})

test('a file that changed while it was sent is refused, and its name does not exist', async () => {
  const file = join(folder, 'changing.mp3')
  writeFileSync(file, 'a chapter')
  const known = await fingerprint(file)
  for (const other of ['a chaptre', Buffer.alloc(9)]) {
    writeFileSync(file, other)
    await expect(store.put('ab/changing.mp3', { file, ...known })).rejects.toThrow(
      /changed while it was being copied/,
    )
  }
  expect(await store.size('ab/changing.mp3')).toBeUndefined()
})

test('a missing file has no size and no bytes, and can be removed again', async () => {
  expect(await store.size('ab/none.mp3')).toBeUndefined()
  await expect(store.stream('ab/none.mp3')).rejects.toBeInstanceOf(MissingMedia)
  await store.put('ab/some.mp3', Buffer.from('some'))
  await store.remove('ab/some.mp3')
  await store.remove('ab/some.mp3')
  await expect(store.read('ab/some.mp3', 0, 1)).rejects.toBeInstanceOf(MissingMedia)
  expect(await store.size('ab/some.mp3')).toBeUndefined()
})

test('a popular cover is fetched once', async () => {
  await store.put('covers/ab/abc-330.webp', Buffer.from('a picture'))
  for (let visitor = 0; visitor < 3; visitor += 1)
    expect(await store.read('covers/ab/abc-330.webp', 0, 8)).toMatchObject({
      bytes: Buffer.from('a picture'),
    })
  const gets = there.asked.filter(({ method, path }) => method === 'GET' && path.endsWith('abc-330.webp'))
  expect(gets).toHaveLength(1)
  await store.remove('covers/ab/abc-330.webp')
})

test('a list of many pages contains every file once, with size and date', async () => {
  const paths = ['c1', 'c2', 'c3', 'c4', 'c5'].map((id) => `covers/${id}/${id}-330.webp`)
  for (const path of paths) await store.put(path, Buffer.from(path))
  there.pageSize = 2
  const before = there.asked.length
  const listed = (await Array.fromAsync(store.list())).filter(({ path }) => path.startsWith('covers/'))
  expect(there.asked.length - before).toBeGreaterThanOrEqual(3)
  expect(listed.map(({ path }) => path)).toEqual(paths)
  for (const { bytes, changedAt } of listed) {
    expect(bytes).toBe('covers/c1/c1-330.webp'.length)
    expect(Date.now() - changedAt.getTime()).toBeLessThan(60_000)
  }
})

test('a signed address is short-lived, sets type and file name, and gives access to this file only', async () => {
  await store.put('ab/book.epub', Buffer.from('an e-book'))
  const disposition = `attachment; filename="A book.epub"; filename*=UTF-8''A%20b%C3%B6%2Bok%21.epub`
  const address = await store.sign('ab/book.epub', { type: 'application/epub+zip', disposition })
  expect(Number(new URL(address).searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(7200)
  const answer = await fetch(address, { headers: { range: 'bytes=3-8' } })
  expect([answer.status, await answer.text()]).toEqual([206, 'e-book'])
  expect(answer.headers.get('content-type')).toBe('application/epub+zip')
  expect(answer.headers.get('content-disposition')).toBe(disposition)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  for (const other of [
    address.replace('book.epub', 'long.mp3'),
    address.replace(/Signature=..../, 'Signature=0000'),
    address.replace(/\?.*/, ''),
  ])
    expect((await fetch(other)).status).toBe(403)
})

test('all listeners get the same address of a file for half an hour, at the CDN if there is one', async () => {
  const bucket = mediaSettings({ MEDIA_S3_URL: there.url }).bucket!
  const at = (time: string) =>
    new S3Store(bucket, {
      cdnOrigin: 'https://media.shop.example',
      now: () => new Date(`2026-11-23T${time}Z`),
    }).sign('ab/long.mp3', { type: 'audio/mpeg' })
  const address = await at('10:00:01')
  expect(address).toMatch(/^https:\/\/media\.shop\.example\/media\/ab\/long\.mp3\?/)
  expect(await at('10:29:59')).toBe(address)
  expect(await at('10:30:00')).not.toBe(address)
  // A CDN requests the file from the store under the store's own name.
  const signed = new URL(
    await new S3Store(bucket, { cdnOrigin: 'https://media.shop.example' }).sign('ab/long.mp3', {
      type: 'audio/mpeg',
    }),
  )
  expect((await fetch(there.origin + signed.pathname + signed.search)).status).toBe(200)
})

test('requests are signed with the shop’s time, not the machine’s', async () => {
  const { bucket } = mediaSettings({ MEDIA_S3_URL: there.url })
  const hourAgo = new S3Store(bucket!, { now: () => new Date(Date.now() - 3_600_000) })
  await expect(hourAgo.size('ab/never-asked-for.mp3')).rejects.toThrow('403')
  hourAgo.close()
})

test('a store that is unreachable, silent or broken is reported as unavailable, without its address', async () => {
  const failed = async (work: () => Promise<unknown>) => {
    const error = await work().then(
      () => expect.fail('it answered'),
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(String(error)).not.toMatch(/S3RVER|127\.0\.0\.1|Signature=/)
    return String(error)
  }
  const fresh = opened()
  there.fault = 500
  expect(await failed(() => fresh.size('ab/long.mp3'))).toContain('500')
  expect(await failed(() => fresh.stream('ab/long.mp3'))).toContain('500 (InternalError)')
  there.fault = 'silent'
  expect(await failed(() => opened(there.url, 200).read('ab/long.mp3', 0, 9))).toContain('gone silent')
  there.fault = undefined
  const wrong = opened(there.url.replace(':S3RVER@', ':another@'))
  expect(await failed(() => wrong.stream('ab/long.mp3'))).toContain('403 (SignatureDoesNotMatch)')
  const nobody = opened('http://K:S@127.0.0.1:1/media')
  expect(await failed(() => nobody.size('ab/long.mp3'))).toContain('ECONNREFUSED')
})

test('sound that is interrupted is an error and never a shorter file', async () => {
  there.fault = 'torn'
  await expect(store.stream('ab/long.mp3').then(buffer)).rejects.toThrow()
})

test('background work retries when the store is overloaded', async () => {
  there.fault = 503
  const before = there.asked.length
  const put = store.put('ab/later.mp3', Buffer.from('later'))
  await expect.poll(() => there.asked.length).toBeGreaterThan(before)
  there.fault = undefined
  await put
  expect(await text(await store.stream('ab/later.mp3'))).toBe('later')
})

test('a paused listener keeps the connection, and one who disconnects releases it', async () => {
  const bytes = Buffer.alloc(20_000_000, sha256('noise'))
  await store.put('ab/pause.mp3', bytes)
  const impatient = opened(there.url, 1_500)
  const paused = await impatient.stream('ab/pause.mp3')
  await new Promise((resolve) => paused.once('readable', resolve))
  // Meanwhile other requests time out, one after another.
  there.fault = 'silent'
  for (let other = 0; other < 2; other += 1)
    await expect(impatient.size(`ab/${other}.mp3`)).rejects.toThrow('gone silent')
  there.fault = undefined
  expect((await buffer(paused)).equals(bytes)).toBe(true)
  const left = await store.stream('ab/pause.mp3')
  expect(left).toBeInstanceOf(Readable)
  left.destroy()
  await expect.poll(() => there.asked.at(-1)?.path).toBe('/media/ab/pause.mp3')
})
