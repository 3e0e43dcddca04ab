// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noteContact } from '#storage/away.ts'
import { readClock } from '#storage/clock.ts'
import { countWaiting, keepPlace } from '#sync/outbox.ts'
import { placesDb } from '#storage/places-db.ts'
import { putTitle, readTitle } from '#storage/sound-store.ts'
import { readValue, writeValue } from '#storage/values.ts'
import { connectivity } from '#net/connectivity.ts'
import { startSession } from '#session/session.ts'
import { becomeEnded, becomeUser, becomeVisitor, currentSession } from '#session/store.ts'
import { currentToast, dismissToast } from '#ui/toast.ts'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { soon } from '#tests/support/wait-for.ts'
import { followContact } from './follow-contact.ts'

const DAY = 24 * 3600_000
let nell: { uuid: string; firstName: string; fullName: string }
let stops: (() => void)[]

/** A phone whose last contact with the server was `days` ago. */
async function away(days: number) {
  await writeValue('rememberedUser', nell)
  localStorage.setItem('token', 'one')
  await noteContact({ ...readClock(), page: 'before', wallMs: Date.now() - days * DAY })
  await putTitle(nell.uuid, aStoredTitle())
  await placesDb.use(nell.uuid, (db) =>
    db.bookmarks.put({
      id: 'b',
      slug: 'weather',
      chapter: 1,
      seconds: 2,
      note: 'Sent',
      madeAtMs: 0,
      confirmed: 1,
    }),
  )
  await keepPlace(nell.uuid, { slug: 'salt', chapter: 1, seconds: 12 })
}
const start = () => {
  connectivity.lost()
  stops.push(followContact())
}
const held = async () => ({
  sound: (await readTitle(nell.uuid, aStoredTitle().key)) !== undefined,
  notes: await placesDb.use(nell.uuid, (db) => db.bookmarks.count()),
  waiting: await countWaiting(nell.uuid),
})
const days = async () => Math.round(((await readValue('away'))?.elapsedMs ?? 0) / DAY)

beforeEach(() => {
  nell = { uuid: crypto.randomUUID(), firstName: 'Nell', fullName: 'Nell Hart' }
  stops = [startSession()]
})
afterEach(() => {
  const said = currentToast()
  if (said) dismissToast(said.id)
  becomeVisitor()
  stops.forEach((stop) => stop())
  connectivity.note(true)
  localStorage.clear()
})

test('after 30 days without the server a device removes its user’s data, except what was never sent', async () => {
  await away(31)
  becomeUser(nell, null)
  start()
  await soon(() => expect(currentToast()?.text).toMatch(/couldn’t reach us for 30 days/))
  expect(await held()).toEqual({ sound: false, notes: 0, waiting: 1 })
  expect(currentSession()).toMatchObject({ status: 'visitor', owner: null })
  expect([await readValue('rememberedUser'), localStorage.getItem('token')]).toEqual([undefined, null])
})

test('before that it warns how many days are left, and removes nothing', async () => {
  await away(25)
  becomeUser(nell, null)
  start()
  await soon(() => expect(currentToast()?.text).toMatch(/offline for 25 days. Please connect within 5 days/))
  expect(await held()).toEqual({ sound: true, notes: 1, waiting: 1 })
})

test('an expired session removes nothing, however long ago it ended', async () => {
  await away(90)
  becomeEnded(nell)
  start()
  // Long enough for the check to have run.
  await noteContact()
  expect(await held()).toEqual({ sound: true, notes: 1, waiting: 1 })
})

test('an answer from the server restarts the count of days', async () => {
  await away(29)
  connectivity.note(true)
  stops.push(followContact())
  becomeUser(nell, nell as never)
  await soon(async () => expect(await days()).toBe(0))
})
