import Type from 'typebox'
import { endpoint } from './endpoint.ts'

const Slug = Type.String({ maxLength: 200 })

/** The format is in `calculations/in-step.ts`. Addresses and words are only sent to owners of the e-book. */
export const getInStep = endpoint({
  method: 'GET',
  path: '/api/audio_books/{slug}/in_step',
  summary: 'Where each sentence of an owned audiobook is spoken, and where it is silent',
  access: 'user',
  params: Type.Object({ slug: Slug }),
  file: 'application/octet-stream',
})
export const getInStepChapter = endpoint({
  method: 'GET',
  path: '/api/audio_books/{slug}/in_step/{chapter}.vtt',
  summary: 'The sentences of a chapter as WebVTT, for other players; a note says which times are certain',
  access: 'user',
  params: Type.Object({ slug: Slug, chapter: Type.Integer({ minimum: 1, maximum: 100_000 }) }),
  file: 'text/vtt',
})
export const getSpokenBook = endpoint({
  method: 'GET',
  path: '/api/audio_books/{slug}/in_step/e_book',
  summary:
    'For owners of both formats: a signed address of one EPUB 3 with media overlays, which reading systems play in step; 404 if it cannot be made',
  access: 'user',
  params: Type.Object({ slug: Slug }),
  reply: Type.Object({ url: Type.String() }),
})
export const getInStepSample = endpoint({
  method: 'GET',
  path: '/api/audio_books/{slug}/in_step/sample.vtt',
  summary: 'The sentences of the sample as WebVTT',
  access: 'public',
  params: Type.Object({ slug: Slug }),
  file: 'text/vtt',
})
