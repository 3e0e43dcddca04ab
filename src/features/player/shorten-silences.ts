import type { Stretch } from '#contract/calculations/in-step.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import type { Engine, Playback } from './engine-interface.ts'
import type { Cuts } from './model.ts'
import type { PlayerPorts } from './ports.ts'
import { playerSettings, type Silences, usePlayerSettings } from './settings.ts'
import { usePlayer } from './store.ts'

type SilencesOfChapters = ReadonlyMap<number, readonly Stretch[]>

/** In seconds. Longer silences are shortened to `kept`, so that a pause in a sentence stays a pause. */
const RULES: Readonly<Record<Exclude<Silences, 'off'>, { readonly longest: number; readonly kept: number }>> =
  {
    gentle: { longest: 0.9, kept: 0.6 },
    brisk: { longest: 0.5, kept: 0.3 },
  }

/** @param silences in hundredths of a second */
export function cutsOf(silences: SilencesOfChapters, how: Silences): Cuts {
  if (how === 'off') return new Map()
  const { longest, kept } = RULES[how]
  const cutsIn = (stretches: readonly Stretch[]) =>
    stretches
      .filter(({ start, end }) => (end - start) / 100 > longest)
      .map(({ start, end }) => ({ from: start / 100 + kept / 2, to: end / 100 - kept / 2 }))
  return new Map([...silences].map(([chapter, stretches]) => [chapter, cutsIn(stretches)]))
}

/** Seconds of sound that are skipped: in one chapter after a second, or without these in all chapters. */
export function skippedSeconds(cuts: Cuts, chapter?: number, after = 0): number {
  const wanted = chapter === undefined ? [...cuts.values()].flat() : (cuts.get(chapter) ?? [])
  return wanted.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, after)), 0)
}

/** Seconds of sound that are skipped between a place and the end of the book. */
export const skippedAfter = (
  cuts: Cuts,
  chapters: readonly { readonly number: number }[],
  { chapter, seconds }: ChapterSeconds,
): number => {
  const at = chapters.findIndex(({ number }) => number === chapter)
  const later = at < 0 ? [] : chapters.slice(at + 1)
  return later.reduce(
    (sum, { number }) => sum + skippedSeconds(cuts, number),
    skippedSeconds(cuts, chapter, seconds),
  )
}

/** Ticks are about 250 ms apart. A timer meets a silence that begins before the next one. */
const BEFORE_NEXT_TICK_MS = 400

/**
 * Skips the middle of long silences by the book's silence map, which is stored with a download. The sound itself is not
 * processed, so this works in the background and on iOS.
 */
export function shortenSilences(engine: Engine, silencesOf: NonNullable<PlayerPorts['silences']>): void {
  let silences: SilencesOfChapters | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const cuts = () => usePlayer.getState().cuts
  const show = () =>
    usePlayer.setState({ cuts: silences ? cutsOf(silences, playerSettings().silences) : undefined })

  const look = ({ chapter, seconds }: Playback) => {
    clearTimeout(timer)
    const cut = cuts()
      ?.get(chapter)
      ?.find(({ to }) => to > seconds)
    if (!cut || engine.state().status !== 'playing') return
    const inMs = ((cut.from - seconds) / engine.state().speed) * 1000
    if (inMs <= 0) engine.skipTo(cut.to)
    else if (inMs < BEFORE_NEXT_TICK_MS) timer = setTimeout(() => engine.skipTo(cut.to), inMs)
  }
  engine.on('tick', look)
  engine.on('sounding', look)
  for (const stop of ['pause', 'seek', 'chapterStart', 'load', 'off'] as const)
    engine.on(stop, () => clearTimeout(timer))

  const fetch = async () => {
    const { title } = engine.state()
    if (title?.kind !== 'book' || playerSettings().silences === 'off') return
    const found = await silencesOf(title).catch(() => undefined)
    if (engine.state().title !== title) return
    silences = found
    show()
  }
  engine.on('load', () => {
    silences = undefined
    show()
    void fetch()
  })
  usePlayerSettings.subscribe((now, before) => {
    if (now.silences === before.silences) return
    if (silences) show()
    else void fetch()
  })
}
