import { readRemovals } from '#storage/removals.ts'
import { userScopesClosed } from '#session/user-scope.ts'
import { useSession } from '#session/store.ts'

/** Finishes removals of people's data that an earlier start or another tab began. */
export function followRemovals(): void {
  void finishRemovals({ isStart: true })
  // Another tab may have removed the user's data just before this tab wrote their last place.
  useSession.subscribe(({ status }, before) => {
    if (status === 'visitor' && before.status !== 'visitor') void finishRemovals({ isStart: false })
  })
}

/** Loads the removal code only if a removal is pending. A failed removal is retried at the next start. */
async function finishRemovals(when: { isStart: boolean }): Promise<void> {
  try {
    await userScopesClosed()
    if ((await readRemovals()).length > 0) await (await import('#sync/leave.ts')).finishRemovals(when)
  } catch (failure) {
    reportError(failure)
  }
}
