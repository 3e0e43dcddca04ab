import { removeValue } from '#storage/values.ts'
import { within } from '#storage/wait.ts'
import { oneAtATime, TOKEN_LOCK } from '#net/one-at-a-time.ts'
import { sendPendingLogouts } from './pending-logouts.ts'
import { leavePerson, personClosed } from './person.ts'
import { newGeneration, tokens } from './session.ts'
import { becomeVisitor, currentSession } from './store.ts'
import { announce } from './tabs.ts'

/** How long a log-out waits for the network: it must feel immediate, even on a train. */
const LEAVE_MS = 3_000

/**
 * Ends the session here and on the server. Sends waiting places first if that works at once; unsent ones stay for this
 * user's next log-in (PLAY-29). Works offline; safe to call twice.
 */
export async function logOut(): Promise<void> {
  newGeneration()
  if (currentSession().owner) await within(LEAVE_MS, leavePerson())

  // Under the refresh lock, so that a running refresh can't store new tokens afterwards.
  await within(
    LEAVE_MS,
    oneAtATime(TOKEN_LOCK, async () => {
      const last = await tokens.read()
      await tokens.clear()
      if (last?.refreshToken) await sendPendingLogouts(last.refreshToken).catch(() => undefined)
    }),
  )
  await tokens.clear()
  await forgetPerson()
}

/** Clears the remembered user and closes their databases and stores in all tabs. */
export async function forgetPerson(): Promise<void> {
  await removeValue('rememberedUser').catch(() => undefined)
  becomeVisitor()
  await personClosed()
  announce('out')
}
