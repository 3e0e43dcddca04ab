import { expect, test } from 'vitest'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { flush } from '#tests/support/fake-audio.ts'
import { lookAhead } from './ahead.ts'
import type { Sound } from './ports.ts'

const book = aPlayable()
const nothing = () => undefined

test('wakes the worker only for a stored chapter that is needed soon', async () => {
  const ports = fakePorts()
  const ahead = lookAhead(ports, nothing)
  ahead.look(book, 1, true)
  await flush()
  await ports.prefetch(book.slug, [2])
  ahead.look(book, 1)
  await flush()
  expect(ports.warmed).toEqual([])
  ahead.look(book, 1, true)
  await flush()
  expect(ports.warmed).toEqual(['/sound/the-salt-ledger/2'])
  // A valid address is not signed again.
  expect(new Set(ports.asked.map(([, , fresh]) => fresh))).toEqual(new Set([false]))
})

test('an address requested for one book is never used for the book opened after it', async () => {
  const answers: ((sound: Sound) => void)[] = []
  const ports = fakePorts({ soundFor: () => new Promise((resolve) => answers.push(resolve)) })
  const ahead = lookAhead(ports, nothing)
  ahead.look(book, 1)
  ahead.forget()
  ahead.look(aPlayable({ slug: 'salt-road-letters' }), 1)
  answers[0]!({ url: '/sound/the-salt-ledger/2', stored: false })
  await flush()
  expect(ahead.take(2)).toBeUndefined()
  answers[1]!({ url: '/sound/salt-road-letters/2', stored: false })
  await flush()
  expect(ahead.take(3)).toBeUndefined()
  ahead.look(book, 1)
  answers[2]!({ url: '/sound/the-salt-ledger/2', stored: false })
  await flush()
  expect(ahead.take(2)).toEqual({ url: '/sound/the-salt-ledger/2', stored: false })
  expect(ahead.take(2)).toBeUndefined()
})

test('prefetches the next chapters once per chapter, and never for samples', () => {
  const ports = fakePorts()
  const ahead = lookAhead(ports, nothing)
  for (const chapter of [1, 1, 2, 3]) ahead.fetch(book, chapter)
  ahead.fetch(aPlayable({ kind: 'sample' }), 1)
  expect(ports.prefetched).toEqual([
    ['the-salt-ledger', [2, 3]],
    ['the-salt-ledger', [3]],
  ])
})
