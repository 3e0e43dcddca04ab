import { FRAMES_PER_SECOND, quietStretches, type Stretch } from '../sound/levels.ts'
import type { Aligner, AlignOptions, Line, PlacedLine, Placement } from './aligner.ts'
import { estimateBetween, spokenFrames } from './estimate.ts'

export interface ChapterLine extends Line {
  /** Characters: how long the line probably takes. */
  readonly length: number
}

export interface ChapterSound {
  /** Decibels below full scale, per 10 ms. */
  readonly levels: Uint8Array
  /** 16 kHz, between two times in hundredths of a second. */
  readonly speech: (start: number, end: number) => Promise<Float32Array>
  /** The sound may end within the lines, also within one of them, as a sample does. */
  readonly isExcerpt?: boolean
}

export interface ChapterAlignment {
  /** In the order of the sound. Lines that are not spoken are missing. */
  readonly placed: readonly PlacedLine[]
  /** Lines between the first and the last placed one that are not spoken. */
  readonly skipped: readonly number[]
  /** Hundredths of a second of speech that the text lacks. */
  readonly extra: number
  readonly doubtfulWords: readonly string[]
}

/** Memory grows with the piece: docs/in-step.md has the measurements. */
const PIECE = 60 * FRAMES_PER_SECOND
/** Where something else may be spoken first, the search is slower. */
const LEAD_IN_PIECE = 45 * FRAMES_PER_SECOND
/** A right sentence scores about -0.1, with noise -0.2; another one below -0.35. */
const TRUSTED_SCORE = -0.28
/** First words that are stretched over other speech fit worse than this; right ones do in one sentence of a hundred. */
const TRUSTED_OPENING = 0.8
/** Sentences of fewer words fit by chance. */
const SHORT_WORDS = 4
/** A sentence that takes longer than the chapter's pace, by both, may have taken speech that the text lacks. */
const SLOW_SHARE = 1.2
const SLOW_FRAMES = FRAMES_PER_SECOND / 2
/** Hundredths of a second of speech between two sentences that may be a breath. */
const BREATH = FRAMES_PER_SECOND / 2
/** Next to a short sentence, because a word of another one fits into a breath. */
const SHORT_GAP = FRAMES_PER_SECOND / 5
/** If a missing sentence begins or ends with these many first words of the next one, the search may have confused them. */
const ECHO_WORDS = 2
/** Pieces in a row without a trusted sentence before the chapter counts as another text. */
const LOST_AT_MOST = 4
/** More lines than a piece can hold, because some may not be spoken. */
const MORE_LINES = 1.7

/**
 * Places the lines of a chapter in its sound, piece by piece. If the search loses its way, because something is spoken
 * that the text lacks, it starts again behind the last trusted sentence and lets anything be spoken before the next.
 */
export async function alignChapter(
  aligner: Aligner,
  lines: readonly ChapterLine[],
  { levels, speech, isExcerpt = false }: ChapterSound,
  onProgress: (share: number) => void = () => undefined,
): Promise<ChapterAlignment> {
  const trusted: Placement[] = []
  const indexOf = new Map(lines.map(({ id }, index) => [id, index]))
  const pace = spokenFrames(levels, 0, levels.length) / Math.max(1, lengthOf(lines))
  const pauses = pausesIn(levels)
  let at = 0
  let next = 0
  let lost = 0
  let isDerailed = false
  const search = async (sound: Float32Array, candidates: readonly ChapterLine[], options?: AlignOptions) =>
    trustedRun(firstOfEqual(await aligner.align(sound, candidates, options), candidates), candidates)
  while (at < levels.length - FRAMES_PER_SECOND / 2 && next < lines.length) {
    onProgress(at / levels.length)
    const end = cutAt(levels, at + (isDerailed ? LEAD_IN_PIECE : PIECE))
    const candidates = linesFor(lines.slice(next), ((end - at) / pace) * MORE_LINES)
    const sound = await speech(at, end)
    let found = await search(sound, candidates, { hasLeadIn: isDerailed })
    // The search finds nothing if the sound ends within a line, so leave lines out until it ends behind one.
    for (let count = candidates.length; isExcerpt && !isDerailed && found.length === 0 && count > 1;) {
      count = Math.ceil(count / 2)
      found = await search(sound, candidates.slice(0, count))
    }
    if (isDerailed && found.length === 0)
      found = await search(sound, candidates, { hasLeadIn: true, isWide: true })
    const here = found.map((each) =>
      atPauses({ ...each, start: each.start + at, end: each.end + at }, pauses),
    )
    const last = here.at(-1)
    if (!last) {
      if (isDerailed) {
        lost++
        if (lost >= LOST_AT_MOST && trusted.length === 0) break
        at = Math.min(end, at + Math.round(LEAD_IN_PIECE * 0.6))
      }
      isDerailed = true
      continue
    }
    lost = 0
    const isPieceDone = spokenFrames(levels, last.end, end) < FRAMES_PER_SECOND
    const isEnd = end >= levels.length
    // The last sentence of a piece may be cut: the next piece places it again, unless it is the only one.
    const kept = isPieceDone && !isEnd && here.length > 1 ? here.slice(0, -1) : here
    trusted.push(...kept)
    const after = kept.at(-1)!
    at = after.end
    next = indexOf.get(after.id)! + 1
    isDerailed = !isPieceDone && spokenFrames(levels, at, end) > FRAMES_PER_SECOND / 2
    if (isPieceDone && isEnd) break
  }
  return completed(lines, indexOf, trusted, levels, pauses)
}

/** Where a passage is repeated, the search may skip to a later copy: its sentences fit as well. */
function firstOfEqual(placements: readonly Placement[], candidates: readonly Line[]): Placement[] {
  const wordsOf = new Map(candidates.map(({ id, spoken }) => [id, JSON.stringify(spoken)]))
  let next = 0
  return placements.map((each) => {
    const first = candidates.findIndex(
      ({ id }, index) => index >= next && wordsOf.get(id) === wordsOf.get(each.id),
    )
    next = first + 1
    return { ...each, id: candidates[first]!.id }
  })
}

/** The sentences up to the first one that fits badly, unless a trusted one follows it at once. */
function trustedRun(placements: readonly Placement[], candidates: readonly Line[]): Placement[] {
  const sizes = new Map(candidates.map(({ id, spoken }) => [id, spoken.length]))
  const fits = placements.map(({ id, score }) => score >= TRUSTED_SCORE && sizes.get(id) !== undefined)
  const isShort = (index: number) => (sizes.get(placements[index]!.id) ?? 0) < SHORT_WORDS
  const run: Placement[] = []
  for (let index = 0; index < placements.length; index++) {
    // Two or three words fit by chance; they count only next to a sentence that fits.
    const isTrusted = fits[index] && (!isShort(index) || fits[index - 1] || fits[index + 1])
    if (isTrusted) run.push(placements[index]!)
    else if (!fits[index + 1] || !fits[index + 2]) break
  }
  // A single one can be stretched over music or other speech; if lines before it were not found, it must begin well.
  const [first, second] = run
  const isDoubtful = first && !second && first.id !== candidates[0]!.id && first.opening < TRUSTED_OPENING
  return isDoubtful ? [] : run
}

/** Adds estimates for lines that are probably spoken, but were not heard. */
function completed(
  lines: readonly ChapterLine[],
  indexOf: ReadonlyMap<number, number>,
  trusted: readonly Placement[],
  levels: Uint8Array,
  pauses: readonly Stretch[],
): ChapterAlignment {
  const pace =
    trusted.reduce((sum, { start, end }) => sum + end - start, 0) /
    Math.max(1, lengthOf(trusted.map(({ id }) => lines[indexOf.get(id)!]!)))
  const placed: PlacedLine[] = []
  const skipped: number[] = []
  let extra = 0
  let before: Placement | undefined
  const gaps = [...trusted, undefined].map((each, index) => {
    const previous = trusted[index - 1]
    return {
      spoken: spokenFrames(levels, previous?.end ?? 0, each?.start ?? levels.length),
      lines: previous && each ? lines.slice(indexOf.get(previous.id)! + 1, indexOf.get(each.id)) : [],
    }
  })
  const spokenPace = median(
    trusted.map(({ id, start, end }) => spokenFrames(levels, start, end) / lines[indexOf.get(id)!]!.length),
  )
  const isSlow = ({ id, start, end }: Placement) => {
    const expected = spokenPace * lines[indexOf.get(id)!]!.length
    const needed = spokenFrames(levels, start, end)
    return needed > expected * SLOW_SHARE && needed > expected + SLOW_FRAMES
  }
  const isClosed = (index: number) => gaps[index]!.spoken <= SHORT_GAP && gaps[index]!.lines.length === 0
  for (const [index, each] of trusted.entries()) {
    const { spoken: gap, lines: between } = gaps[index]!
    const needed = lengthOf(between) * pace
    // The gap has enough speech for the missing lines, so estimate their times.
    if (before && between.length > 0 && gap > needed * 0.5)
      placed.push(...estimateBetween(between, before.end, each.start, levels))
    else {
      skipped.push(...between.map(({ id }) => id))
      if (gap > BREATH) extra += gap
    }
    const isShort = lines[indexOf.get(each.id)!]!.spoken.length < SHORT_WORDS
    // Speech that is missing from the text can be counted to the first word, unless a pause precedes it.
    const isCertain =
      each.opening >= TRUSTED_OPENING &&
      !isSlow(each) &&
      !isEcho(lines[indexOf.get(each.id)!]!, between) &&
      (gap <= BREATH || pauses.some(({ end }) => end === each.start)) &&
      (!isShort || (isClosed(index) && isClosed(index + 1)))
    placed.push({ id: each.id, start: each.start, end: each.end, isCertain })
    before = each
  }
  if (before) {
    const rest = spokenFrames(levels, before.end, levels.length)
    const missing = linesFor(lines.slice(indexOf.get(before.id)! + 1), (rest / pace) * 1.2)
    if (missing.length > 0 && rest > lengthOf(missing) * pace * 0.5)
      placed.push(...estimateBetween(missing, before.end, levels.length, levels))
    else extra += rest
  }
  return { placed, skipped, extra, doubtfulWords: trusted.flatMap(({ doubtful }) => doubtful) }
}

function isEcho({ spoken }: Line, notFound: readonly Line[]): boolean {
  const opening = JSON.stringify(spoken.slice(0, ECHO_WORDS))
  return notFound.some(
    ({ spoken: words }) =>
      JSON.stringify(words.slice(0, ECHO_WORDS)) === opening ||
      JSON.stringify(words.slice(-ECHO_WORDS)) === opening,
  )
}

/** The search may take a soft consonant for silence, or the end of a breath for the start of a word. */
const NEAR_PAUSE = 25

/** A sentence that starts or ends near the edge of a pause does so there. */
function atPauses(placement: Placement, pauses: readonly Stretch[]): Placement {
  const { start, end } = placement
  const near = pauses.filter((pause) => Math.abs(pause.end - start) <= NEAR_PAUSE)
  const before = near.find((pause) => pause.start <= start && start < pause.end) ?? near.at(-1)
  const after = pauses.find((pause) => pause.start > start && Math.abs(pause.start - end) <= NEAR_PAUSE)
  return { ...placement, start: before?.end ?? start, end: Math.max(start + 1, after?.start ?? end) }
}

/** Pauses of at least 120 ms, in noise too: quieter than all but the quietest tenth of the sound. */
function pausesIn(levels: Uint8Array): Stretch[] {
  const sorted = levels.toSorted()
  const quiet = sorted[Math.floor(sorted.length * 0.9)] ?? 0
  return quietStretches(levels, Math.min(LOWEST_PAUSE_DB, quiet - 8), 12)
}
const LOWEST_PAUSE_DB = 60

/** In a silence before `wanted`, or there if none is near. */
function cutAt(levels: Uint8Array, wanted: number): number {
  if (wanted >= levels.length) return levels.length
  const from = Math.max(0, wanted - 30 * FRAMES_PER_SECOND)
  const pauses = quietStretches(levels.subarray(from, wanted), 40, 20)
  const longest = pauses.reduce(
    (best, pause) => (pause.end - pause.start > best.end - best.start ? pause : best),
    { start: wanted - from, end: wanted - from },
  )
  return from + Math.round((longest.start + longest.end) / 2)
}

function linesFor<L extends ChapterLine>(lines: readonly L[], length: number): L[] {
  let sum = 0
  const within = lines.findIndex((line) => (sum += line.length) > length)
  return lines.slice(0, within < 0 ? lines.length : Math.max(8, within))
}

const lengthOf = (lines: readonly Pick<ChapterLine, 'length'>[]): number =>
  lines.reduce((sum, { length }) => sum + length, 0)

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
