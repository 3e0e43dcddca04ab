import { call } from '#net/call.ts'
import { isTryLater, NetProblem } from '#net/problem.ts'
import { readValue, writeValue } from '#storage/values.ts'

const LEAVE_MS = 3_000

/**
 * Tells the server which sessions have ended. What could not be sent, offline or by a closing page, is stored and sent
 * later.
 */
export async function sendPendingLogouts(newest?: string): Promise<void> {
  const stored = (await readValue('pendingLogouts').catch(() => undefined)) ?? []
  const pending = newest ? [...stored, newest] : stored
  if (newest) await writeValue('pendingLogouts', pending).catch(() => undefined)
  for (const refresh_token of pending) {
    const body = { refresh_token }
    await call('POST /api/logout', { body, anonymous: true, background: true, timeoutMs: LEAVE_MS }).catch(
      (problem: unknown) => {
        if (!(problem instanceof NetProblem) || problem.kind !== 'refused' || isTryLater(problem.status))
          throw problem
      },
    )
    const left = ((await readValue('pendingLogouts')) ?? []).filter((token) => token !== refresh_token)
    await writeValue('pendingLogouts', left)
  }
}
