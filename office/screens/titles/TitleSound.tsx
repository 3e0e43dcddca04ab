import { useQuery } from '@tanstack/react-query'
import type { AnalysedChapter } from '#contract/office/in-step.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { Button } from '../../ui/Button.tsx'
import { Section } from '../../ui/Page.tsx'
import { Failed, Loading } from '../../ui/states.tsx'

const REFRESH_MS = 5_000
/** Every chapter is read and written once. */
const EVENING_MS = 10 * 60_000

/** What the analysis found in an audiobook, and its loudness. */
export function TitleSound({ slug }: { readonly slug: string }) {
  const mayChange = useMay()('titles.change')
  const queryKey = ['title', slug, 'sound']
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => officeCall('GET /api/office/titles/{slug}/in_step', { params: { slug } }),
    refetchInterval: ({ state }) => (state.data?.isAsked ? REFRESH_MS : false),
  })
  const analyse = useAct(() => officeCall('POST /api/office/titles/{slug}/in_step', { params: { slug } }), {
    changes: [queryKey],
    done: ({ what }) => `${what}.`,
  })
  const even = useAct(
    (undo: boolean) =>
      officeCall('POST /api/office/titles/{slug}/loudness', {
        params: { slug },
        body: { undo },
        timeoutMs: EVENING_MS,
      }),
    { changes: [queryKey], done: ({ what }) => `${what}.` },
  )
  if (!data)
    return (
      <Section title="Sound and sentences">
        {error ? (
          <Failed what="The analysis" problem={error} onRetry={() => void refetch()} />
        ) : (
          <Loading what="the analysis" />
        )}
      </Section>
    )
  const { chapters, hasText, isAsked, progress, isEvened } = data
  const evening = chapters.filter(({ evened }) => evened !== null)
  return (
    <Section title="Sound and sentences" note={placedWords(chapters, hasText)}>
      <p aria-live="polite">
        {isAsked ? (progress ?? 'The analysis begins soon.') : loudnessWords(chapters)}
      </p>
      <Refusal message={analyse.refusal || even.refusal} />
      <ol className="chapter-list sound-list">
        {chapters.map((chapter) => (
          <li key={chapter.number}>
            <span className="muted">{chapter.number}</span>
            <span>
              {chapter.title}
              {remarksOn(chapter).map((remark) => (
                <small key={remark} className="hint">
                  {remark}
                </small>
              ))}
            </span>
            <span className="muted nowrap">{measuredWords(chapter)}</span>
          </li>
        ))}
      </ol>
      {mayChange && (
        <div className="acts">
          <Button
            busy={analyse.busy}
            sends
            why={isAsked ? 'It was asked for' : undefined}
            onClick={() => void analyse.write()}
          >
            Analyse now
          </Button>
          {evening.length > 0 && (
            <Button busy={even.busy} sends onClick={() => void even.write(false)}>
              Even the loudness
            </Button>
          )}
          {isEvened && (
            <Button busy={even.busy} sends onClick={() => void even.write(true)}>
              Back to the originals
            </Button>
          )}
        </div>
      )}
      {mayChange && evening.length > 0 && (
        <p className="hint">
          {evening.length === 1 ? 'One chapter changes' : `${evening.length} chapters change`}, without loss;
          the originals are kept. Downloads stay as they are until they are fetched again.
        </p>
      )}
    </Section>
  )
}

function placedWords(chapters: readonly AnalysedChapter[], hasText: boolean): string {
  if (!hasText) return 'The shop has no e-book of it'
  const found = chapters.flatMap(({ sentences }) => (sentences ? [sentences] : []))
  const all = found.reduce((sum, each) => sum + each.all, 0)
  const placed = found.reduce((sum, each) => sum + each.placed, 0)
  return all === 0
    ? 'No sentences yet'
    : `${((placed / all) * 100).toFixed(1)}% of ${all} sentences are certain`
}

function loudnessWords(chapters: readonly AnalysedChapter[]): string {
  const measured = chapters.flatMap(({ loudness }) => (loudness === null ? [] : [loudness]))
  if (measured.length === 0) return 'It isn’t analysed yet. New titles are, within ten minutes.'
  const [softest, loudest] = [Math.min(...measured), Math.max(...measured)].map(lufs)
  return softest === loudest
    ? `Its loudness is ${softest}.`
    : `Its chapters are between ${softest} and ${loudest}. −18 LUFS is usual.`
}

const decibels = (level: number): string => level.toFixed(1).replace('-', '−')
const lufs = (level: number): string => `${decibels(level)} LUFS`

function measuredWords({ loudness, truePeak, evened }: AnalysedChapter): string {
  if (loudness === null) return 'Not measured'
  if (evened !== null) return `${decibels(loudness)} → ${lufs(evened)}`
  return truePeak === null ? lufs(loudness) : `${lufs(loudness)}, peak ${decibels(truePeak)} dB`
}

function remarksOn({ problem, sentences }: AnalysedChapter): string[] {
  const remarks = problem ? [`The sound ${problem}.`] : []
  if (!sentences) return remarks
  const { source, all, placed, skipped, unclearWords, extraSeconds, note } = sentences
  if (source === 'estimated') remarks.push('Its sentences are estimated: “about here”.')
  else if (placed < all) remarks.push(`${placed} of ${all} sentences are certain.`)
  if (note) remarks.push(`${note[0]!.toUpperCase()}${note.slice(1)}.`)
  if (extraSeconds > 0) remarks.push(`${extraSeconds} s of speech are not in the text.`)
  for (const words of skipped) remarks.push(`Not spoken: ${words}`)
  if (unclearWords.length > 0) remarks.push(`Guessed or unclear: ${unclearWords.join(', ')}`)
  return remarks
}
