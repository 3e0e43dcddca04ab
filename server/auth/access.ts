import { type Endpoint, needsToken } from '#contract/endpoint.ts'
import { forbidden, notSignedIn } from '../http/http-errors.ts'
import type { Caller } from './caller.ts'

/** Throws 401 for a visitor where a log-in is needed, 403 for an account that isn't allowed in. */
export async function refuseOthers(
  endpoint: Pick<Endpoint, 'access' | 'alsoOutlets'>,
  caller: Caller | null,
  isMember: (userId: string) => Promise<boolean>,
): Promise<void> {
  const { access, alsoOutlets = false } = endpoint
  if (!caller) {
    if (needsToken(endpoint)) throw notSignedIn()
    return
  }
  if (access === 'public' || access === 'open') return
  const isOutlet = caller.outletId !== null
  if (isOutlet !== (access === 'outlet') && !(isOutlet && alsoOutlets)) throw forbidden()
  if (access === 'member' && !(await isMember(caller.userId))) throw forbidden()
}
