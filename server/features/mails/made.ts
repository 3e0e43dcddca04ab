import type { Plans } from '#contract/plans.ts'
import type { Db, Transaction } from '../../db/open.ts'
import type { DataOf, MailKind } from '../../integrations/mail/kinds.ts'
import type { Shop } from '../../shop.ts'

export interface Remade {
  readonly to: string
  readonly kind: MailKind
  readonly data: object
  /** Sends the email with a new link or code. Returns false if that has no use any more. */
  readonly send?: (tx: Transaction, shop: Shop) => Promise<boolean>
}

/** From the parts of the key; null if the subject of the email no longer exists. */
export type MakeAgain = (db: Db, id: string, more: readonly string[], plans: Plans) => Promise<Remade | null>

export const made = <const Kind extends MailKind>(to: string, kind: Kind, data: DataOf<Kind>): Remade => ({
  to,
  kind,
  data,
})
