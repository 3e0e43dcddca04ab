import { expect, test } from 'vitest'
import { slugOfKey } from '#storage/title-key.ts'
import { planReady, planWords, readyFigures, readyWords, type Upcoming } from './model.ts'

/** Chapters of an hour and 30 MB. */
const book = (slug: string, hours: number, from?: Upcoming['from']): Upcoming => ({
  slug,
  title: `The ${slug}`,
  from,
  chapters: Array.from({ length: hours }, (_, index) => ({
    chapter: index + 1,
    playtime: 3600,
    bytes: 30_000_000,
  })),
})
const next = [book('salt', 4, { chapter: 2, seconds: 1800 }), book('customs', 9), book('peat', 5)]
const chapters = (plan: ReturnType<typeof planReady>['plan']) =>
  plan.map(({ slug, chapters: all }) => [slug, all.map(({ chapter }) => chapter)])

test('listening: plans the rest of this book, then the next ones, until the hours are filled', () => {
  const { plan, full } = planReady(next, { hours: 6, megabytes: 1000 })
  expect(chapters(plan)).toEqual([
    ['salt', [2, 3, 4]],
    ['customs', [1, 2, 3, 4]],
  ])
  expect([full, plan[0]?.chapters[0]?.seconds]).toEqual([false, 1800])
  expect(planWords(plan)).toBe('the rest of The salt, then The customs')
  expect(chapters(planReady(next, { hours: 2, megabytes: 1000 }).plan)).toEqual([['salt', [2, 3, 4]]])
})

test('listening: the plan stays within the allowed space', () => {
  const { plan, full } = planReady(next, { hours: 6, megabytes: 100 })
  expect([chapters(plan), full]).toEqual([[['salt', [2, 3, 4]]], true])
  expect(planReady([], { hours: 6, megabytes: 100 })).toEqual({ plan: [], full: false })
})

test('listening: the row shows how much is ready, what is missing, and why', () => {
  const { plan } = planReady(next, { hours: 6, megabytes: 1000 })
  const stored = new Set(['salt 2', 'salt 3', 'salt 4'])
  const some = readyFigures(plan, (key, chapter) => stored.has(`${slugOfKey(key)} ${chapter}`))
  expect(some).toMatchObject({ readySeconds: 9000, missingSeconds: 14_400, missingBytes: 120_000_000 })
  const all = readyFigures(plan, () => true)
  expect(readyWords('ready', plan, all, false)).toEqual({
    head: '6 h 30 m ready',
    more: 'For the tunnel: the rest of The salt, then The customs.',
  })
  const more = (phase: Parameters<typeof readyWords>[0], online = true) =>
    readyWords(phase, plan, some, online).more
  expect(more('getting')).toBe('Getting 4 h more, 120 MB to go.')
  expect(more('getting', false)).toBe('When you’re back online: the rest of The salt, then The customs.')
  expect(more('waiting')).toBe('The rest when you’re on Wi-Fi.')
  expect(more('full')).toBe('No room for more than 2 h 30 m.')
  expect(more('failed')).toBe('The rest didn’t come. Try again.')
  expect(
    readyWords(
      'ready',
      [],
      readyFigures([], () => true),
      true,
    ).head,
  ).toBe('Nothing left to get ready')
})

test('listening: the row counts e-books as well as hours', () => {
  const eBook = {
    format: 'ebook',
    slug: 'weather',
    title: 'Weather',
    begun: true,
    chapters: [{ chapter: 1, seconds: 0, bytes: 0 }],
  } as const
  const plan = [...planReady(next, { hours: 2, megabytes: 1000 }).plan, eBook]
  const words = (isStored: (key: string) => boolean) =>
    readyWords('getting', plan, readyFigures(plan, isStored), true)
  expect(words(() => true).head).toBe('2 h 30 m and 1 e-book ready')
  expect(words((key) => key === 'ebook/weather')).toEqual({
    head: '1 e-book ready',
    more: 'Getting 2 h 30 m more, 90 MB to go.',
  })
  expect(words((key) => key.startsWith('audio/')).more).toBe('Getting 1 e-book more.')
})
