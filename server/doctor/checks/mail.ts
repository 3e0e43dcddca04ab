import { HOUR_MS } from '#contract/durations.ts'
import { broken, type Check, counted, fine, look } from '../finding.ts'
import { selectMailState } from '../queries.ts'

/** A mail server may be away for an hour; after that the owner should look. */
const LATE_MS = HOUR_MS

export const checkMail: Check = async ({ db, config, now }) => {
  const { waiting, oldestAt, paused, givenUp } = await selectMailState(db)
  const waitsMs = oldestAt === null ? 0 : now().getTime() - oldestAt.getTime()
  const wait = counted(waiting, 'mail waits', 'mails wait')
  if (waiting > 0 && config.smtpUrl && waitsMs > LATE_MS)
    return broken(
      `${wait}, the oldest for ${counted(Math.round(waitsMs / HOUR_MS), 'hour', 'hours')}. Look whether the mail server of SMTP_URL takes them.`,
    )
  if (paused > 0)
    return look(
      `${counted(paused, 'mail waits', 'mails wait')} for your word: npm run restore -- --mail show`,
    )
  if (givenUp > 0)
    return look(
      `${counted(givenUp, 'mail of the last week was', 'mails of the last week were')} refused for good.`,
    )
  if (waiting > 0 && !config.smtpUrl && !config.demo) return look(`${wait} for a mail server: set SMTP_URL.`)
  return fine(waiting === 0 ? 'No mail waits.' : `${wait}, none of them for long.`)
}
