import { beforeEach, expect, test, vi } from 'vitest'
import type { HeardPlace } from '#storage/place.ts'
import { createPlaceQueue, type PlaceQueue } from './place-queue.ts'

let written: HeardPlace[]
let told: boolean[]
let write: (heard: HeardPlace) => Promise<void>
let queue: PlaceQueue

const heard = (chapter: number, seconds: number, listenedSeconds?: number): HeardPlace => ({
  slug: 'salt',
  ...{ chapter, seconds, ...(listenedSeconds === undefined ? {} : { listenedSeconds }) },
})
const sums = (places: readonly HeardPlace[]) =>
  places.map(({ chapter, seconds, listenedSeconds }) => [chapter, seconds, listenedSeconds])

beforeEach(() => {
  written = []
  told = []
  write = async (place) => void written.push(place)
  queue = createPlaceQueue(
    (place) => write(place),
    (stuck) => told.push(stuck),
  )
})

test('a device with room writes at once and reports nothing', async () => {
  await queue.keep(heard(1, 5, 5))
  await queue.keep(heard(1, 9))
  expect(sums(written)).toEqual([
    [1, 5, 5],
    [1, 9, 0],
  ])
  expect([queue.unwritten(), queue.stuck(), told]).toEqual([[], false, []])
})

test('trap 13: failed writes wait in memory, merged per chapter, and are written in order', async () => {
  const full = vi.fn(() => Promise.reject(new Error('full')))
  write = full
  await queue.keep(heard(1, 5, 5))
  // A refused position is tried again with the next one.
  expect(full).toHaveBeenCalledTimes(1)
  await queue.keep(heard(2, 3, 3))
  await queue.keep(heard(1, 10, 5))
  expect(sums(queue.unwritten())).toEqual([
    [2, 3, 3],
    [1, 10, 10],
  ])
  expect([queue.stuck(), told]).toEqual([true, [true]])
  write = async (place) => void written.push(place)
  await queue.drain()
  expect(sums(written)).toEqual([
    [2, 3, 3],
    [1, 10, 10],
  ])
  expect([queue.unwritten(), queue.stuck(), told]).toEqual([[], false, [true, false]])
})

test('a position that arrives during its chapter’s previous write counts only its own seconds', async () => {
  const ends: (() => void)[] = []
  write = async (place) => {
    await new Promise<void>((end) => ends.push(end))
    written.push(place)
  }
  const first = queue.keep(heard(1, 5, 5))
  const second = queue.keep(heard(1, 10, 4))
  const drained = queue.drain()
  expect(ends).toHaveLength(1)
  ends[0]!()
  await new Promise((turn) => setTimeout(turn))
  expect(sums(queue.unwritten())).toEqual([[1, 10, 4]])
  ends[1]!()
  await Promise.all([first, second, drained])
  expect(sums(written)).toEqual([
    [1, 5, 5],
    [1, 10, 4],
  ])
  expect(queue.unwritten()).toEqual([])
})

test('a position that arrives at any moment while another write ends is written too', async () => {
  for (let moment = 0; moment < 12; moment++) {
    written = []
    let end = () => undefined as void
    write = async (place) => {
      if (place.chapter === 1) await new Promise<void>((done) => (end = done))
      written.push(place)
    }
    const first = queue.keep(heard(1, 5))
    end()
    for (let turn = 0; turn < moment; turn++) await Promise.resolve()
    await Promise.all([first, queue.keep(heard(2, 3))])
    expect(written.map(({ chapter }) => chapter)).toEqual([1, 2])
  }
})
