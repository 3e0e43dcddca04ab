import { type Endpoint, needsToken } from '#contract/endpoint.ts'
import { forbidden, notSignedIn } from '../http/http-errors.ts'

/** @throws 401 for a visitor if the endpoint needs a login, 403 for an account without access */
export async function refuseOthers(
  endpoint: Pick<Endpoint, 'access' | 'alsoOutlets' | 'method' | 'notInView' | 'endsView'>,
  caller: Caller | null,
  isMember: (userId: string) => Promise<boolean>,
): Promise<void> {
  const { access, alsoOutlets = false } = endpoint
  if (!caller) {
    if (needsToken(endpoint)) throw notSignedIn()
    return
  }
  refuseInView(endpoint, caller)
  if (access === 'public' || access === 'open') return
  const isOutlet = caller.outletId !== null
  if (isOutlet !== (access === 'outlet') && !(isOutlet && alsoOutlets)) throw forbidden()
  if (access === 'member' && !(await isMember(caller.userId))) throw forbidden()
}

/**
 * Staff who view the shop as a customer may only send GETs, and not to endpoints with `notInView`; and end the view.
 *
 * @throws 403
 */
export function refuseInView(
  { method, notInView, endsView }: Pick<Endpoint, 'method' | 'notInView' | 'endsView'>,
  caller: Pick<Caller, 'viewedBy'> | null,
): void {
  if (!caller?.viewedBy) return
  if (method !== 'GET' && !endsView)
    throw forbidden('You see the shop as somebody else. Nothing can be changed.')
  if (notInView) throw forbidden('This isn’t shown to somebody who sees the shop as somebody else.')
}

export interface Caller {
  readonly userId: string
  readonly sessionId: string
  readonly countryCode: string | null
  readonly outletId: string | null
  /** A member of staff who sees the shop as this user, and may change nothing. */
  readonly viewedBy?: string | null
}
