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

// A running preview would be stopped by the next one.
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

test('plays the last five seconds before a place at the book’s volume, without moving the book', async () => {
  engine.setVolume(0.4)
  hear(30)
  await flush()
  expect([audio.src, audio.volume]).toEqual(['/sound/the-salt-ledger/1', 0.4])
  // It uses the available address: a new one would delay the sound.
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

test('listening: a preview continues past the place for the requested seconds', async () => {
  hear(30, audio, 10)
  await flush()
  await audio.arrives(60)
  await audio.hears(14.75)
  expect(onEnd).not.toHaveBeenCalled()
  await audio.hears(0.25)
  expect([audio.src, onEnd.mock.calls.length]).toEqual(['', 1])
})

test('near the beginning it starts at the beginning', async () => {
  hear(3)
  await flush()
  await audio.arrives(60)
  expect(audio.currentTime).toBe(0)
  await audio.hears(4.75)
  expect(onEnd).not.toHaveBeenCalled()
})

test('the book pauses during the preview and resumes after it, once', async () => {
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

test('pressing play during the preview plays the book', async () => {
  engine.play()
  await flush()
  hear(30)
  const calls = book.playCalls
  engine.play()
  await flush()
  expect(onEnd).toHaveBeenCalledOnce()
  expect(book.playCalls).toBe(calls + 1)
})

test('play and pause during the preview leave the book paused', async () => {
  engine.play()
  await flush()
  hear(30)
  engine.play()
  engine.pause()
  stop()
  expect(engine.state().status).toBe('paused')
})

test('a preview without audio ends at once, and the book resumes', async () => {
  ports.absent.add(1)
  engine.play()
  await flush()
  hear(30)
  await flush()
  expect(onEnd).toHaveBeenCalledOnce()
  expect(engine.state().status).toBe('playing')
})

test('a second preview replaces the first', async () => {
  hear(30)
  const second = new FakeAudio()
  hear(50, second)
  expect(onEnd).toHaveBeenCalledOnce()
  await flush()
  expect([audio.src, second.src]).toEqual(['', '/sound/the-salt-ledger/1'])
})
