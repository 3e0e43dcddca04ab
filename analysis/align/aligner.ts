import type { SentenceTime } from '#contract/calculations/in-step.ts'
import type { SpokenWord } from '../text/number-words.ts'

/** A sentence of the text, in the order of reading. */
export interface Line {
  /** Unique within a chapter. */
  readonly id: number
  readonly spoken: readonly SpokenWord[]
}

/** In hundredths of a second from the start of the sound. */
export interface Placement {
  readonly id: number
  readonly start: number
  readonly end: number
  /** How well sound and words fit: about -0.1 for the right sentence, below -0.3 for another one. */
  readonly score: number
  /** How well the worst of its first words fits, from 0 to 1. They are stretched over speech that the text lacks. */
  readonly opening: number
  /** Words that fit badly. */
  readonly doubtful: readonly string[]
}

/** The result for a sentence: placed by an aligner, or estimated. */
export interface PlacedLine extends SentenceTime {
  readonly id: number
}

export interface AlignOptions {
  /** Something else may be spoken before the first sentence. */
  readonly hasLeadIn?: boolean
  /** Slower, for sound that the usual search loses its way in. */
  readonly isWide?: boolean
}

/** Finds sentences in speech. Another engine can take its place. */
export interface Aligner {
  /** Each sentence may be missing from the sound. Empty if nothing fits. `speech`: 16 kHz, -1 to 1. */
  align(speech: Float32Array, lines: readonly Line[], options?: AlignOptions): Promise<Placement[]>
  /** Words whose pronunciation was guessed. */
  readonly unknownWords: ReadonlySet<string>
  close(): void
}
