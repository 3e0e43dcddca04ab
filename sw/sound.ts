import { answerSound } from '#device/sound-answer.ts'
import { parseSoundPath } from '#device/sound-path.ts'
import type { Door } from './doors.ts'

/** Downloaded chapters, out of IndexedDB. */
export const soundDoor: Door = ({ request }, { pathname }) =>
  parseSoundPath(pathname) ? answerSound(request) : undefined
