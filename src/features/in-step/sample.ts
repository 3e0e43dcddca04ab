import { queryOptions } from '@tanstack/react-query'
import { TEN_MINUTES_MS } from '#features/query-options.ts'
import { addressOf } from '#net/call.ts'
import { isFromShop } from '#net/from-shop.ts'
import { NetProblem } from '#net/problem.ts'
import { settings } from '#net/settings.ts'

/** A sentence of the sample; its times are seconds of the sample. */
export interface SampleSentence {
  readonly start: number
  readonly end: number
  readonly words: string
}

/** The sentences of a title's sample, which everybody may hear and read. */
export const sampleSentencesQuery = (slug: string) =>
  queryOptions({
    queryKey: ['audio_books', 'in-step-sample', slug],
    queryFn: async ({ signal }): Promise<readonly SampleSentence[]> => {
      const path = addressOf('GET /api/audio_books/{slug}/in_step/sample.vtt', { params: { slug } })
      const response = await settings.fetch(settings.origin + path, { signal })
      if (!isFromShop(response)) throw new NetProblem('offline', 0)
      if (!response.ok) throw new NetProblem('refused', response.status)
      return sentencesIn(await response.text())
    },
    staleTime: TEN_MINUTES_MS,
  })

/** The cues of the server's WebVTT: a number, the times, and one line of words. */
export const sentencesIn = (vtt: string): SampleSentence[] =>
  vtt.split(/\n{2,}/).flatMap((block) => {
    const [, times, words] = block.split('\n')
    const [start, end] = times?.split(' --> ') ?? []
    return words && start && end
      ? [{ start: secondsOf(start), end: secondsOf(end), words: unescaped(words) }]
      : []
  })

const secondsOf = (clock: string): number =>
  clock.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0)

const unescaped = (words: string): string =>
  words.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

interface Demonstration {
  readonly sentences: readonly SampleSentence[]
  readonly from: number
  readonly until: number
}

const LENGTH_SECONDS = 10

/** The first sentences that fill about ten seconds; undefined if there are none. */
export function tenSecondsOf(sentences: readonly SampleSentence[]): Demonstration | undefined {
  const [first] = sentences
  if (!first) return undefined
  const shown = sentences.filter(({ start, end }) => (start + end) / 2 - first.start < LENGTH_SECONDS)
  const chosen = shown.length > 0 ? shown : [first]
  // A long sentence is cut, or the ten seconds would be twenty.
  const until = Math.min(chosen.at(-1)!.end, first.start + LENGTH_SECONDS * 1.4)
  return { sentences: chosen, from: first.start, until }
}
