import Type, { type Static } from 'typebox'
import { nullable, NullableString } from '../atoms.ts'
import { officeEndpoint } from './office-endpoint.ts'

const Slug = Type.Object({ slug: Type.String({ maxLength: 200 }) })
const NullableNumber = nullable(Type.Number())

export const AnalysedChapter = Type.Object({
  number: Type.Integer(),
  title: Type.String(),
  /** LUFS and dBTP of the file that listeners get; null before the analysis, and for silence. */
  loudness: NullableNumber,
  truePeak: NullableNumber,
  /** Why the sound could not be analysed. */
  problem: NullableString,
  /** Null without a text, and before it is analysed. */
  sentences: nullable(
    Type.Object({
      source: Type.Unsafe<'owner' | 'aligned' | 'estimated'>({
        type: 'string',
        enum: ['owner', 'aligned', 'estimated'],
      }),
      all: Type.Integer(),
      placed: Type.Integer(),
      skipped: Type.Array(Type.String()),
      unclearWords: Type.Array(Type.String()),
      /** Of speech that the text lacks. */
      extraSeconds: Type.Integer(),
      note: NullableString,
    }),
  ),
  /** LUFS, if the volume was evened; null if it would stay as it is. */
  evened: NullableNumber,
})
export type AnalysedChapter = Static<typeof AnalysedChapter>

export const getTitleAnalysis = officeEndpoint({
  method: 'GET',
  path: '/api/office/titles/{slug}/in_step',
  summary: 'What the analysis found in an audiobook: loudness, and where the sentences of its e-book are',
  may: 'titles.read',
  params: Slug,
  reply: Type.Object({
    hasText: Type.Boolean(),
    /** Somebody pressed Analyse now, and the analysis has not ended. */
    isAsked: Type.Boolean(),
    /** What the running analysis is at, in whichever title. */
    progress: NullableString,
    /** A chapter has another volume than its original. */
    isEvened: Type.Boolean(),
    chapters: Type.Array(AnalysedChapter),
  }),
})
export const analyseTitle = officeEndpoint({
  method: 'POST',
  path: '/api/office/titles/{slug}/in_step',
  summary: 'Analyse an audiobook before all others, and again if nothing is new',
  may: 'titles.change',
  params: Slug,
  reply: Type.Object({ what: Type.String() }),
})
export const evenLoudness = officeEndpoint({
  method: 'POST',
  path: '/api/office/titles/{slug}/loudness',
  summary: 'Give the chapters of an audiobook about the same loudness, or go back to the originals',
  may: 'titles.change',
  params: Slug,
  body: Type.Object({ undo: Type.Boolean() }),
  reply: Type.Object({ what: Type.String() }),
})
