import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AudioBook } from '#contract/catalogue.ts'
import { SHOP_HEADER } from '#contract/limits.ts'
import { aUser, inLibrary, signedIn } from '#tests/support/builders.ts'
import { freePort } from '#tests/support/server-process.ts'
import { aSoundingBook } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { soon } from '#tests/support/wait-for.ts'

const isInstalled = spawnSync('nginx', ['-v']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'murmur-proxy-'))
let shop: TestShop
let address: string
let proxy: string
let end: () => Promise<void>

beforeAll(async () => {
  if (!isInstalled) return
  shop = await testShop({ env: { MEDIA_DELIVERY: 'proxy' } })
  const user = await aUser(shop)
  const book = await aSoundingBook(shop, [{ title: 'Dusk', bytes: Buffer.from('0123456789') }])
  await inLibrary(shop, user, book)
  const headers = await signedIn(shop, user)
  const seen: AudioBook = (await shop.app.inject({ url: `/api/audio_books/${book.slug}`, headers })).json()
  address = seen.audioFiles[0]!.url
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = shop.app.server.address() as AddressInfo
  proxy = `http://127.0.0.1:${await freePort()}`
  const { start, stop } = nginx(port)
  end = stop
  await start()
})
afterAll(async () => {
  await end?.()
  await shop?.close()
  rmSync(folder, { recursive: true })
})

/** docs/operations/deployment/nginx-media.conf with other paths. */
function nginx(port: number) {
  const location = readFileSync(
    join(import.meta.dirname, '../../../docs/operations/deployment/nginx-media.conf'),
    'utf8',
  )
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
     events {}
     http {
       access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
       uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
       server {
         listen ${new URL(proxy).host};
         location / { proxy_pass http://127.0.0.1:${port}; }
         ${location.replace('/srv/murmur/data/media/', `${shop.mediaDir}/`)}
       }
     }`,
  )
  const running = spawn('nginx', ['-c', config, '-p', folder, '-e', `${folder}/error.log`], {
    stdio: 'ignore',
  })
  const ended = once(running, 'exit')
  return {
    start: () => soon(() => fetch(proxy)),
    stop: async () => {
      running.kill('SIGTERM')
      await ended
    },
  }
}

test.skipIf(!isInstalled)(
  'nginx sends what the shop lets somebody have, by range and in the shop’s name',
  async () => {
    const part = await fetch(proxy + address, { headers: { range: 'bytes=3-5' } })
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      '345',
      'bytes 3-5/10',
    ])
    expect(part.headers.get('content-type')).toBe('audio/mpeg')
    expect(part.headers.get('cache-control')).toBe('private, no-store')
    expect(part.headers.get(SHOP_HEADER)).toBe(shop.config.details.version)
    const whole = await fetch(proxy + address, { method: 'HEAD' })
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, '10'])
  },
)

test.skipIf(!isInstalled)('nobody gets at the folder without the shop’s word', async () => {
  const path = new URL(address, proxy).pathname.replace('/media/sound/', '')
  expect((await fetch(`${proxy}/media-files/${path.slice(0, 2)}/${path}`)).status).toBe(404)
  expect((await fetch(proxy + address.replace(/sig=.*/, 'sig=x'))).status).toBe(403)
})
