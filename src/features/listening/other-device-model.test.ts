import { expect, test } from 'vitest'
import type { SoundClaim } from '#contract/listening.ts'
import { elsewhereOf, givesWay, samePlace, notedFrom } from './model.ts'

const claim = (deviceId: string, second: number): SoundClaim => ({
  claimId: 'theirs',
  deviceId,
  audioBook: '/api/audio_books/salt',
  chapter: 2,
  seconds: 9,
  startedAt: new Date(second * 1000).toISOString(),
})
const own = (second?: number) => ({
  claimId: 'mine',
  startedAt: second === undefined ? undefined : new Date(second * 1000).toISOString(),
})

test.each([
  ['started later', own(5), claim('phone', 6), true],
  ['started in the same moment', own(5), claim('phone', 5), true],
  ['started earlier', own(5), claim('phone', 4), false],
  ['is this one', own(5), claim('laptop', 6), false],
  ['may have started earlier: nobody has answered yet', own(), claim('phone', 6), false],
  ['meets no sound here', undefined, claim('phone', 6), false],
])('a device that %s', (_which, here, there, gives) => {
  expect(givesWay(here, there, 'laptop')).toBe(gives)
})

test('places within ten seconds of a chapter count as the same', () => {
  const here = { chapter: 1, seconds: 50 }
  expect(samePlace(here, { chapter: 1, seconds: 60 })).toBe(true)
  expect(samePlace(here, { chapter: 1, seconds: 40 })).toBe(true)
  expect(samePlace(here, { chapter: 1, seconds: 60.5 })).toBe(false)
  expect(samePlace(here, { chapter: 2, seconds: 50 })).toBe(false)
})

test('reads the slug from the end of a book’s address', () => {
  expect(elsewhereOf(claim('phone', 1)).slug).toBe('salt')
  expect(elsewhereOf({ ...claim('phone', 1), audioBook: '/api/audio_books/caf%C3%A9' }).slug).toBe('café')
  const row = {
    '@id': '',
    '@type': 'UserAudioBookTime' as const,
    id: '',
    ...claim('phone', 1),
    fromSeconds: null,
  }
  expect(
    notedFrom({ ...row, heardAt: '', eventId: null, audioBook: '/api/audio_books/caf%C3%A9' }).slug,
  ).toBe('café')
})
