import { CONFIRM_AGAIN } from '#contract/limits.ts'
import { call, addressOf, type CallInput, type CallReply } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { askForPasskey, noteSignedOut } from './session-state.ts'
import type { CallName } from '#contract/endpoints.ts'

export type OfficeCallName = Extract<CallName, `${string} /api/office/${string}`>

type Arguments<I> = Record<never, never> extends I ? [input?: I] : [input: I]

/** The passkey was asked for and not used: nothing was done, and nothing needs saying. */
export class NotConfirmed extends Error {}

/**
 * Calls an endpoint of the office. If it needs a passkey that was just used, the dialog asks for it, and the call is
 * sent once more; so a screen never has to think of it.
 *
 * @throws {NetProblem}, {NotConfirmed}
 */
export const officeCall = <N extends OfficeCallName>(
  name: N,
  ...given: Arguments<CallInput<N>>
): Promise<CallReply<N>> => confirmed(() => call(name, ...given))

/** A file, such as a list as CSV, or the print files of cards that were just made. */
export const officeFile = async <N extends OfficeCallName>(
  name: N,
  ...given: Arguments<CallInput<N>>
): Promise<Blob> =>
  confirmed(async () => {
    const [input] = given
    const sent = input && 'body' in input ? JSON.stringify(input.body) : undefined
    const response = await fetch(addressOf(name, ...given), {
      method: name.split(' ')[0] ?? 'GET',
      ...(sent !== undefined && { body: sent, headers: { 'content-type': 'application/json' } }),
    }).catch(() => {
      throw new NetProblem('offline', 0)
    })
    if (response.ok) return response.blob()
    const body = await response.json().catch(() => ({}))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a problem of the shop, or nothing of it is read
    throw new NetProblem(response.status < 500 ? 'refused' : 'server', response.status, body as object)
  })

async function confirmed<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (problem) {
    if (!(problem instanceof NetProblem)) throw problem
    if (problem.status === 401) noteSignedOut()
    if (problem.type !== CONFIRM_AGAIN) throw problem
    if (!(await askForPasskey())) throw new NotConfirmed()
    return send()
  }
}
