// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followOwner } from '#app/start/follow-owner.ts'
import { putBookmark } from '#sync/marks.ts'
import { readClock } from '#storage/clock.ts'
import { keepPlace } from '#sync/outbox.ts'
import { listPlaces, resumePlace } from '#storage/places.ts'
import { admit } from '#storage/removals.ts'
import { putTitle, readTitle } from '#storage/sound-store.ts'
import { placeStash, readingStash } from '#sync/stash.ts'
import { readValue, removeValue, writeValue } from '#storage/values.ts'
import { openedListening } from '#features/listening/lazy.ts'
import { restore, startSession } from '#session/session.ts'
import { becomeVisitor } from '#session/store.ts'
import { soon } from '#tests/support/wait-for.ts'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { appAt, heading, listOf, nellIsIn, shopAnswers, type OpenApp } from '#tests/support/app.tsx'

const ANNA = 'anna-who-shares-the-tablet'
const place = (seconds: number) => ({ slug: 'salt', chapter: 1, seconds, eventId: crypto.randomUUID() })
const mark = () => ({
  id: crypto.randomUUID(),
  slug: 'salt',
  chapter: 1,
  seconds: 3,
  note: 'Mine',
  madeAtMs: 1,
})

let stop: () => void
beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  becomeVisitor()
  await removeValue('rememberedUser')
  await admit('nell')
})
afterEach(() => {
  becomeVisitor()
  stop()
  cleanup()
})

/** Stores a listener's data on the device, both sent and unsent. */
async function listenedAs(uuid: string) {
  await keepPlace(uuid, place(12))
  await putBookmark(uuid, mark(), readClock())
  await putTitle(uuid, aStoredTitle())
  placeStash.add(uuid, [place(19)])
  readingStash.add(uuid, [
    {
      ...{ slug: 'weather', locator: 'epubcfi(/6/2)', share: 0.2, eventId: crypto.randomUUID() },
      clock: readClock(),
    },
  ])
}

const databases = async () =>
  (await indexedDB.databases()).map(({ name }) => name ?? '').toSorted((a, b) => a.localeCompare(b))

async function deleteAccount(app: OpenApp) {
  await heading('Settings')
  await userEvent.click(within(screen.getByRole('main')).getByRole('button', { name: 'Delete account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account for good?' }))
  await userEvent.type(dialog.getByLabelText('Your password'), 'murmur-demo')
  await userEvent.click(dialog.getByRole('button', { name: 'Yes' }))
  await soon(() => expect(app.at()).toBe('/'))
}

test('ACC-36: deleting the account removes all of its data from this device, and no other user’s', async () => {
  await listenedAs('nell')
  await listenedAs(ANNA)
  stop = startSession()
  nellIsIn()
  await writeValue('rememberedUser', { uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' })
  shopAnswers({
    '/api/devices': listOf([]),
    'POST /api/users/nell/delete-account': {},
    'GET /api/users/nell/delete-account': { amount: 0, memberships: [], freeAudiobooks: 0 },
  })
  const app = await appAt('/settings')
  followOwner(app.queryClient)
  const listening = await openedListening()
  await deleteAccount(app)

  // A place was on its way to the database when the account was deleted.
  listening?.keep(place(30))
  await soon(async () =>
    expect(await databases()).toEqual(['murmur-device', `murmur-places-${ANNA}`, `murmur-sound-${ANNA}`]),
  )
  const kept = [...Object.keys(localStorage), ...Object.keys(sessionStorage)]
  expect(kept.filter((key) => key.includes('nell'))).toEqual([])
  expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toContain('nell')
  expect(await readValue('rememberedUser')).toBeUndefined()
  expect(await resumePlace(ANNA, 'salt')).toMatchObject({ seconds: 12 })
  expect(await readTitle(ANNA, aStoredTitle().key)).toBeDefined()
  expect(Object.keys(localStorage)).toEqual(expect.arrayContaining([`murmur.heard.${ANNA}`]))
})

test('ACC-36: preferences and a code for a plan go with the account; the answer about counting stays', async () => {
  stop = startSession()
  nellIsIn()
  const preferences = {
    ...{ scheme: 'dark', planCode: 'FREEMONTH', 'murmur.library': '{}', 'murmur.player': '{}' },
    ...{ 'murmur.sleep': '15', 'murmur.player-handover': '{}' },
  }
  for (const [key, value] of Object.entries({ ...preferences, analytics: 'no' }))
    localStorage.setItem(key, value)
  shopAnswers({
    '/api/devices': listOf([]),
    'POST /api/users/nell/delete-account': {},
    'GET /api/users/nell/delete-account': { amount: 0, memberships: [], freeAudiobooks: 0 },
  })
  await deleteAccount(await appAt('/settings'))
  await soon(() =>
    expect(Object.keys(localStorage).filter((key) => Object.hasOwn(preferences, key))).toEqual([]),
  )
  expect(localStorage.getItem('analytics')).toBe('no')
})

test('ACC-36: another tab removes what it wrote after the account was deleted', async () => {
  await listenedAs('nell')
  stop = startSession()
  nellIsIn()
  shopAnswers({ '/api/search_menu_entries': listOf([]) })
  const app = await appAt('/login')
  followOwner(app.queryClient)
  expect((await listPlaces('nell')).length).toBe(1)
  // The other tab deletes the account.
  await writeValue('removals', ['nell'])
  await restore()
  await soon(async () => expect((await databases()).filter((name) => name?.endsWith('nell'))).toEqual([]))
})

test('an interrupted removal is finished at the next start, and then taken off the list', async () => {
  stop = startSession()
  await listenedAs('ben')
  await writeValue('removals', ['ben'])
  shopAnswers({ '/api/search_menu_entries': listOf([]) })
  const app = await appAt('/login')
  followOwner(app.queryClient)
  await soon(async () => expect(await readValue('removals')).toBeUndefined())
  expect((await databases()).filter((name) => name?.endsWith('ben'))).toEqual([])
})
