import { DAY_MS, HOUR_MS } from '#contract/durations.ts'
import { countAway, noteContact } from '#storage/away.ts'
import { plural } from '#format/plural.ts'
import { connectivity } from '#net/connectivity.ts'
import { forgetUser } from '#session/log-out.ts'
import { newGeneration, tokens } from '#session/session.ts'
import { currentSession, useSession } from '#session/store.ts'
import { toast } from '#ui/toast.ts'

const MOST_DAYS = 30
/** The warning comes early enough to find a network before anything is removed. */
const WARN_DAYS = 23

/**
 * A logged-in device that could not reach the server for 30 days removes its user's data: it may be lost, and could not
 * learn that its owner logged it out. Unsent changes stay until the owner logs in again. An expired session removes
 * nothing.
 */
export function followContact(): () => void {
  let warned = false
  const look = async () => {
    const { status, owner, user } = currentSession()
    if (status !== 'user' || !owner) return
    const isOffline = connectivity.snapshot() === 'offline'
    if (!isOffline && user) return noteContact()
    if (!isOffline) return
    const days = Math.floor((await countAway()) / DAY_MS)
    if (days >= MOST_DAYS) return removeWhatIsHeld(owner.uuid)
    if (days < WARN_DAYS || warned) return
    warned = true
    toast(
      `You’ve been offline for ${days} days. Please connect within ${plural(MOST_DAYS - days, 'day')}: after ${MOST_DAYS} days this device removes your downloads, in case it’s lost.`,
      { forMilliseconds: 20_000 },
    )
  }
  const lookSafely = () => void look().catch(() => undefined)
  const stops = [
    connectivity.subscribe(lookSafely),
    useSession.subscribe(({ user }, before) => {
      if (user && !before.user) lookSafely()
    }),
  ]
  const timer = setInterval(lookSafely, HOUR_MS)
  lookSafely()
  return () => {
    clearInterval(timer)
    stops.forEach((stop) => stop())
  }
}

async function removeWhatIsHeld(ownerUuid: string): Promise<void> {
  newGeneration()
  await tokens.clear()
  await forgetUser()
  const { removeConfirmed } = await import('#sync/leave.ts')
  await removeConfirmed(ownerUuid)
  toast(
    `This device couldn’t reach us for ${MOST_DAYS} days, so we removed your downloads from it. Log in to get them back.`,
    { forMilliseconds: 20_000 },
  )
}
