import { answerSound, isSoundPath } from '#device/sound-answer.ts'
import type { Door } from './doors.ts'

/** Downloaded chapters, out of IndexedDB. */
export const soundDoor: Door = ({ request }, { pathname }) =>
  isSoundPath(pathname) ? answerSound(request) : undefined
