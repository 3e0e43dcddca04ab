import { expect, test } from 'vitest'
import { sentencesIn, tenSecondsOf } from './sample.ts'

const VTT = `WEBVTT - Low Tide

NOTE The times of all cues are certain.

1
00:00:00.300 --> 00:00:04.000
The tide was out.

2
00:01:02.500 --> 01:00:04.300
Nobody had counted &lt;the pears&gt; &amp; apples.
`

test('in step: the sentences of a sample are read from the server’s WebVTT', () => {
  expect(sentencesIn(VTT)).toEqual([
    { start: 0.3, end: 4, words: 'The tide was out.' },
    { start: 62.5, end: 3604.3, words: 'Nobody had counted <the pears> & apples.' },
  ])
})

const said = (...times: (readonly [start: number, end: number])[]) =>
  tenSecondsOf(times.map(([start, end]) => ({ start, end, words: `from ${start}` })))

test('in step: the demonstration ends with the sentence that ends about ten seconds in, and cuts a long one', () => {
  expect(said([0.5, 4], [4.2, 8], [8.3, 11.4], [11.6, 15])).toMatchObject({ from: 0.5, until: 11.4 })
  expect(said([1, 8], [8, 30])).toMatchObject({ until: 8, sentences: [{ start: 1 }] })
  expect(said([1, 40])).toMatchObject({ from: 1, until: 15 })
})
