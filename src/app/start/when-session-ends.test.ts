// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { keepPlace } from '#sync/outbox.ts'
import { putTitle } from '#storage/sound-store.ts'
import { readValue, writeValue } from '#storage/values.ts'
import { configureNet } from '#net/settings.ts'
import { exchange } from '#net/send.ts'
import { restore, startSession } from '#session/session.ts'
import { becomeVisitor, currentSession } from '#session/store.ts'
import { currentToast, dismissToast } from '#ui/toast.ts'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { soon } from '#tests/support/wait-for.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { whenSessionEnds } from './when-session-ends.ts'

const [nell, anna] = [crypto.randomUUID(), crypto.randomUUID()]
let stop: () => void
afterEach(() => {
  const said = currentToast()
  if (said) dismissToast(said.id)
  becomeVisitor()
  stop()
  localStorage.clear()
})

/** Nell’s phone; the server answers its token refresh with `status`. */
async function phoneAnswered(status: number) {
  stop = startSession({
    onEnded: whenSessionEnds({ navigate: async () => undefined, latestLocation: { href: '/' } } as never),
  })
  const json = (code: number) =>
    fromShop(JSON.stringify({ code }), { status: code, headers: { 'content-type': 'application/json' } })
  configureNet({
    origin: 'http://shop.test',
    exchange,
    fetch: async (input, init) =>
      json(new Request(input, init).url.endsWith('/token/refresh') ? status : 401),
  })
  localStorage.setItem('token', tokenOf(nell))
  localStorage.setItem('refresh_token', 'r1')
  await writeValue('rememberedUser', { uuid: nell, firstName: 'Nell', fullName: 'Nell Hart' })
  for (const uuid of [nell, anna]) {
    await keepPlace(uuid, { slug: 'salt', chapter: 1, seconds: 12 })
    await putTitle(uuid, aStoredTitle())
  }
  await restore()
}
const databases = async () =>
  (await indexedDB.databases()).map(({ name = '' }) => name).filter((name) => name !== 'murmur-device')

test('an expired session removes nothing from the device', async () => {
  await phoneAnswered(401)
  await soon(() => expect(currentSession()).toMatchObject({ status: 'ended', owner: { uuid: nell } }))
  expect(await databases()).toHaveLength(4)
})

test('a remote logout or a deleted account removes the user’s data and no other user’s', async () => {
  await phoneAnswered(410)
  await soon(() => expect(currentSession()).toMatchObject({ status: 'visitor', owner: null }))
  await soon(async () =>
    expect((await databases()).sort()).toEqual([`murmur-places-${anna}`, `murmur-sound-${anna}`]),
  )
  expect([localStorage.getItem('token'), localStorage.getItem('refresh_token')]).toEqual([null, null])
  expect(await readValue('rememberedUser')).toBeUndefined()
  expect(currentToast()?.text).toMatch(/logged out from elsewhere/)
})
