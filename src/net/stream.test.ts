import { expect, test } from 'vitest'
import { eventParser, type StreamEvent } from './stream.ts'

const heard = (...pieces: string[]): StreamEvent[] => {
  const events: StreamEvent[] = []
  const feed = eventParser((event) => events.push(event))
  pieces.forEach(feed)
  return events
}

test('an event is whole at its empty line, in however many pieces it came', () => {
  const text = 'id: urn:uuid:1\ndata: {"type":"library"}\n\n'
  expect(heard(text)).toEqual([{ id: 'urn:uuid:1', data: '{"type":"library"}' }])
  expect(heard(...text.split(''))).toEqual(heard(text))
  expect(heard(text.slice(0, -1))).toEqual([])
})

test('comments are no events, lines of data belong together, and every kind of line end counts', () => {
  expect(heard(':\n\n: still here\n\n')).toEqual([])
  expect(heard('data: one\r\ndata: two\r\n\r\n', 'data:three\r\rdata')).toEqual([
    { id: undefined, data: 'one\ntwo' },
    { id: undefined, data: 'three' },
  ])
})

test('an id holds until another one is given', () => {
  expect(heard('id: 7\ndata: a\n\ndata: b\n\nid: 8\ndata: c\n\n').map(({ id }) => id)).toEqual([
    '7',
    '7',
    '8',
  ])
})
