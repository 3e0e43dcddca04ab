import { expect, test } from 'vitest'
import { titleKey } from '#storage/title-key.ts'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import { nextTitle } from './FinishedNext.tsx'

const entry = (slug: string, more: Partial<ShelfEntry> = {}) =>
  ({ key: titleKey('audio', slug), slug, format: 'audioBook', share: 0, words: '1 h', ...more }) as ShelfEntry
const ended = entry('ended', { share: 1, finished: true })
const started = entry('started', { share: 0.4, words: '30 min left' })
const fresh = entry('fresh')
const eBook = entry('words', { format: 'eBook' })
const shelf = { titles: [ended, eBook, fresh, started, entry('queued')], begun: [eBook, started] }

test('a finished book opened again offers the queue first, then a started title, then a new one', () => {
  const key = titleKey('audio', 'queued')
  expect(nextTitle('ended', [titleKey('audio', 'gone'), key], shelf)).toMatchObject({
    entry: { slug: 'queued' },
    heading: 'Next in your queue',
  })
  expect(nextTitle('ended', [ended.key], shelf)).toMatchObject({
    entry: { slug: 'started' },
    ...{ heading: 'Carry on with', words: '30 min left' },
  })
  expect(nextTitle('ended', [], { ...shelf, begun: [] })).toMatchObject({
    entry: { slug: 'fresh' },
    ...{ heading: 'Next on your shelf', words: '1 h, not started' },
  })
  expect(nextTitle('ended', [], { titles: [ended, eBook], begun: [] })).toBeUndefined()
})
