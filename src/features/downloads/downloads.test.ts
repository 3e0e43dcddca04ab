import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { putTitle, readTitle } from '#device/sound-store.ts'
import { titleKey } from '#device/title-key.ts'
import { openDownloads, type Downloads } from './downloads.ts'
import { removeFinishedTitles } from './keeper.ts'
import { readDownload, useDownloadsStore } from './store.ts'

const key = titleKey('audio', 'salt')
const DAY_MS = 24 * 60 * 60_000
let owner: string
let downloads: Downloads

beforeEach(async () => {
  owner = crypto.randomUUID()
  await putTitle(owner, {
    key,
    title: 'The Salt Ledger',
    authors: [],
    narrators: [],
    cover: null,
    coverType: '',
    colours: [null, null, null],
    files: [],
    kept: 1,
    wanted: 0,
    failure: null,
    lost: 0,
    addedAtMs: 1,
    finishedAtMs: null,
  })
  downloads = await openDownloads(owner)
})
afterEach(() => downloads.stop())

test('whoever waited for the downloads finds at once what is here', () => {
  expect(useDownloadsStore.getState().ready).toBe(true)
  expect(readDownload(key).state).not.toBe('none')
})

test('a book that is heard again is not removed as finished', async () => {
  await downloads.markFinished('salt')
  await downloads.markHeard('salt')
  expect(await removeFinishedTitles(owner, Date.now() + 2 * DAY_MS)).toEqual([])
  expect(await readTitle(owner, key)).toBeDefined()

  // Heard to its end once more, it goes a day later as before.
  await downloads.markFinished('salt')
  expect(await removeFinishedTitles(owner, Date.now() + 2 * DAY_MS)).toEqual([key])
})

test('a book that is asked for again is not removed as finished', async () => {
  await putTitle(owner, { ...(await readTitle(owner, key))!, files: [aFile] })
  await downloads.markFinished('salt')
  await downloads.start(key)
  expect(await removeFinishedTitles(owner, Date.now() + 2 * DAY_MS)).toEqual([])
})

const aFile = { chapter: 1, name: 'One', playtime: 60, bytes: 10, sha256: '' }
