import type { RealTime } from '../clock.ts'
import type { Db } from '../db/open.ts'
import type { DataOf } from '../integrations/mail/kinds.ts'
import { queueMail } from '../integrations/mail/queue.ts'
import { Refusal, tooMany } from '../http/http-errors.ts'
import { countOrRefuse, type Limit } from './rate-limit.ts'

/** A stranger can trigger these for any address. Password mail has a separate limit that strangers cannot use up. */
type UnaskedKind =
  | 'series_confirm'
  | 'seat_confirm'
  | 'seat_kept'
  | 'starter_pack_received'
  | 'newsletter_confirm'
  | 'confirm_address'
  | 'email_change'
  | 'email_in_use'

/** Per recipient, for all these kinds and all senders together. */
const UNASKED: Limit = { name: 'mail that anybody can cause to', most: 5, windowSeconds: 3600 }

interface UnaskedMail<Kind extends UnaskedKind> {
  readonly to: string
  readonly kind: Kind
  readonly key: string
  readonly data: DataOf<Kind>
}

/** @throws 429 after five emails to the address within an hour; a repeated key does not count */
export async function queueUnasked<const Kind extends UnaskedKind>(
  db: Db,
  mail: UnaskedMail<Kind>,
  now: RealTime,
): Promise<void> {
  try {
    // A transaction, so that a refused email is not stored even if the caller continues.
    await db.transaction(async (tx) => {
      if (await queueMail(tx, mail)) await countOrRefuse(tx, UNASKED, mail.to.toLowerCase(), now)
    })
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'tooMany') throw error
    throw tooMany(
      error.retryAfterSeconds ?? UNASKED.windowSeconds,
      'We’ve sent several emails to this address already. Please look for them, in the spam folder too, or try again in an hour.',
    )
  }
}
