import { describe, expect, test } from 'vitest'
import { CHUNK_BYTES, LONGEST_SLICE, parseSoundPath, sliceFor, soundPath } from './sound-path.ts'

const TOTAL = 1_000

describe('trap 3: slices of a stored chapter', () => {
  test.each([
    ['bytes=0-1', 0, 1],
    ['bytes=0-', 0, 999],
    ['bytes=400-', 400, 999],
    ['bytes=400-99999', 400, 999],
    ['bytes=-100', 900, 999],
    ['bytes=-5000', 0, 999],
    ['bytes=999-999', 999, 999],
  ])('trap 3: %s', (header, first, last) => {
    expect(sliceFor(header, TOTAL)).toEqual({ first, last, partial: true })
  })

  test.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])('trap 3: %s cannot be satisfied', (header) => {
    expect(sliceFor(header, TOTAL)).toBe('unsatisfiable')
  })

  test.each([null, 'bytes=', 'bytes=-', 'bytes=0-1,5-6', 'items=0-1', 'bytes=9-3'])(
    '%s is answered with the whole file, as RFC 9110 allows',
    (header) => {
      expect(sliceFor(header, TOTAL)).toEqual({ first: 0, last: 999, partial: false })
    },
  )

  test('a long range is answered in parts, an open one chunk by chunk', () => {
    const total = 100 * CHUNK_BYTES
    expect(sliceFor(`bytes=10-${total}`, total)).toMatchObject({ last: 9 + LONGEST_SLICE })
    expect(sliceFor('bytes=0-', total)).toMatchObject({ last: CHUNK_BYTES - 1 })
    expect(sliceFor(`bytes=${CHUNK_BYTES - 5}-`, total)).toMatchObject({ last: 2 * CHUNK_BYTES - 1 })
    expect(sliceFor(`bytes=${total - 5}-`, total)).toMatchObject({ last: total - 1 })
  })
})

test('a path names the listener, the title, the chapter and, if known, the file', () => {
  const owner = '00000000-0000-4000-8000-000000000001'
  expect(soundPath(owner, 'salt', 3)).toBe(`/device/sound/${owner}/salt/3`)
  expect(soundPath(owner, 'salt', 3, 'abc')).toBe(`/device/sound/${owner}/salt/3?sound=abc`)
  expect(parseSoundPath(soundPath(owner, 'salt', 3))).toEqual({ ownerUuid: owner, slug: 'salt', chapter: 3 })
  expect(parseSoundPath('/media/salt/3')).toBeUndefined()
})
