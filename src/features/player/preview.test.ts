import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { FakeAudio, flush } from '#tests/support/fake-audio.ts'
import { createEngine } from './engine.ts'
import { previewPlace } from './preview.ts'

let book: FakeAudio
let audio: FakeAudio
let ports: ReturnType<typeof fakePorts>
let engine: ReturnType<typeof createEngine>
const onEnd = vi.fn()
let stop: () => void = () => undefined

const hear = (seconds: number, element = audio, afterSeconds?: number) =>
  (stop = previewPlace(
    { engine, ports },
    {
      ...{ slug: 'the-salt-ledger', place: { chapter: 1, seconds }, onEnd },
      ...(afterSeconds === undefined ? {} : { afterSeconds }),
    },
    element.asElement(),
  ))

// The next one would end it.
afterEach(() => stop())

beforeEach(async () => {
  onEnd.mockClear()
  book = new FakeAudio()
  audio = new FakeAudio()
  ports = fakePorts()
  engine = createEngine(book.asElement(), ports, queueMicrotask)
  engine.load(aPlayable(), { chapter: 2, seconds: 7 })
  await book.arrives(30)
})

test('the last five seconds before a place sound, at the book’s volume, and the book stays where it is', async () => {
  engine.setVolume(0.4)
  hear(30)
  await flush()
  expect([audio.src, audio.volume]).toEqual(['/sound/the-salt-ledger/1', 0.4])
  // The address at hand will do: a new one would have to be waited for.
  expect(ports.asked.at(-1)).toEqual(['the-salt-ledger', 1, false])
  await audio.arrives(60)
  expect(audio.currentTime).toBe(25)
  await audio.hears(4.75)
  expect(onEnd).not.toHaveBeenCalled()
  await audio.hears(0.25)
  expect(onEnd).toHaveBeenCalledOnce()
  expect([audio.src, audio.paused]).toEqual(['', true])
  expect(engine.place()).toEqual({ chapter: 2, seconds: 7 })
  expect(engine.state().status).toBe('paused')
})

test('listening: a preview goes on behind the place for as long as is asked for', async () => {
  hear(30, audio, 10)
  await flush()
  await audio.arrives(60)
  await audio.hears(14.75)
  expect(onEnd).not.toHaveBeenCalled()
  await audio.hears(0.25)
  expect([audio.src, onEnd.mock.calls.length]).toEqual(['', 1])
})

test('near the beginning it is from the beginning', async () => {
  hear(3)
  await flush()
  await audio.arrives(60)
  expect(audio.currentTime).toBe(0)
  await audio.hears(4.75)
  expect(onEnd).not.toHaveBeenCalled()
})

test('the book pauses for it and goes on afterwards, once', async () => {
  engine.play()
  await flush()
  hear(30)
  expect(engine.state().status).toBe('paused')
  stop()
  await flush()
  expect(engine.state().status).toBe('playing')
  stop()
  await flush()
  expect(audio.sources).toEqual([])
  expect(onEnd).toHaveBeenCalledOnce()
})

test('pressing play meanwhile means the book', async () => {
  engine.play()
  await flush()
  hear(30)
  const calls = book.playCalls
  engine.play()
  await flush()
  expect(onEnd).toHaveBeenCalledOnce()
  expect(book.playCalls).toBe(calls + 1)
})

test('play that was pressed and taken back meanwhile leaves the book paused', async () => {
  engine.play()
  await flush()
  hear(30)
  engine.play()
  engine.pause()
  stop()
  expect(engine.state().status).toBe('paused')
})

test('where there is nothing to play it ends at once, and the book goes on', async () => {
  ports.absent.add(1)
  engine.play()
  await flush()
  hear(30)
  await flush()
  expect(onEnd).toHaveBeenCalledOnce()
  expect(engine.state().status).toBe('playing')
})

test('a second one takes the place of the first', async () => {
  hear(30)
  const second = new FakeAudio()
  hear(50, second)
  expect(onEnd).toHaveBeenCalledOnce()
  await flush()
  expect([audio.src, second.src]).toEqual(['', '/sound/the-salt-ledger/1'])
})
