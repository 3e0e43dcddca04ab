import { answerSound } from '#device/sound-answer.ts'
import { parseSoundPath } from '#device/sound-path.ts'
import type { RequestHandler } from './request-handler.ts'

/** Downloaded chapters, out of IndexedDB. */
export const handleSound: RequestHandler = ({ request }, { pathname }) =>
  parseSoundPath(pathname) ? answerSound(request) : undefined
