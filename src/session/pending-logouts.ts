import { readValue, writeValue } from '#storage/values.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'

const LEAVE_MS = 3_000

/**
 * Tells the server which sessions have ended. A message that could not be sent, in a tunnel or by a closing page, is
 * kept and sent again.
 */
export async function sendPendingLogouts(newest?: string): Promise<void> {
  const kept = (await readValue('farewells').catch(() => undefined)) ?? []
  const unsaid = newest ? [...kept, newest] : kept
  if (newest) await writeValue('farewells', unsaid).catch(() => undefined)
  for (const refresh_token of unsaid) {
    const body = { refresh_token }
    await call('POST /api/logout', { body, anonymous: true, background: true, timeoutMs: LEAVE_MS }).catch(
      (problem: unknown) => {
        // Unless the server itself answered, it is still to be sent.
        if (!(problem instanceof NetProblem) || problem.kind !== 'refused') throw problem
      },
    )
    const left = ((await readValue('farewells')) ?? []).filter((token) => token !== refresh_token)
    await writeValue('farewells', left)
  }
}
