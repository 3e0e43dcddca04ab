import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { StoredTitle } from '#device/sound-db.ts'
import { putTitle } from '#device/sound-store.ts'
import { titleKey } from '#device/title-key.ts'
import { openDownloadsOf } from '#features/downloads/door.ts'
import { configureNet } from '#net/settings.ts'
import { NetProblem } from '#net/problem.ts'
import { becomeEnded, becomeUser, becomeVisitor } from '#session/store.ts'
import { portsWhenReady } from './player-ports.ts'

const STORED: StoredTitle = {
  key: titleKey('audio', 'salt'),
  title: 'The Salt Ledger',
  authors: ['Imogen Tarrant'],
  narrators: ['Della Voss'],
  cover: null,
  coverType: '',
  colours: [null, null, null],
  files: [{ chapter: 1, name: 'The tide table', playtime: 60, bytes: 10, sha256: '' }],
  kept: 0,
  wanted: 0,
  failure: null,
  lost: 0,
  addedAtMs: 1,
  finishedAtMs: null,
}
const listener = () => ({ uuid: crypto.randomUUID(), firstName: 'Rosa', fullName: 'Rosa Lind' })
let asked: string[]
let answer: () => Promise<unknown>

beforeEach(() => {
  asked = []
  answer = () => Promise.reject(new NetProblem('refused', 401))
  configureNet({
    exchange: ({ path }: { path: string }) => {
      asked.push(path)
      return answer()
    },
    tokens: {
      read: () => Promise.resolve(undefined),
      readNewest: () => Promise.resolve(undefined),
      write: () => Promise.resolve(),
      clear: () => Promise.resolve(),
    },
    onAnswer: () => undefined,
    onSessionEnded: () => undefined,
  } as unknown as Parameters<typeof configureNet>[0])
})
afterEach(() => {
  void openDownloadsOf(undefined)
  becomeVisitor()
  vi.restoreAllMocks()
})

async function ports(owner: ReturnType<typeof listener>, stored?: StoredTitle) {
  if (stored) await putTitle(owner.uuid, stored)
  void openDownloadsOf(owner.uuid)
  return portsWhenReady(new QueryClient())
}

test('where the session ended by itself, what is stored opens with its sound, without a question', async () => {
  const owner = listener()
  becomeEnded(owner)
  const book = await (await ports(owner, STORED)).loadBook('salt')
  expect(book.chapters.map(({ title }) => title)).toEqual(['The tide table'])
  expect(asked).toEqual([])
})

test('where the session ends with the question, what is stored opens all the same', async () => {
  const owner = listener()
  becomeUser(owner, null)
  const book = await (await ports(owner, STORED)).loadBook('salt')
  expect(book.chapters).toHaveLength(1)
  expect(asked).toEqual(['/api/audio_books/salt'])
})

test('where the session ended and nothing is stored, a log-in is asked for instead of a stranger’s page', async () => {
  const owner = listener()
  becomeEnded(owner)
  answer = () => Promise.resolve({ slug: 'salt', audioFiles: [] })
  await expect((await ports(owner)).loadBook('salt')).rejects.toMatchObject({ status: 401 })
  expect(asked).toEqual([])
})
