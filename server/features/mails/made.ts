import type { Plans } from '#contract/plans.ts'
import type { Db, Transaction } from '../../db/open.ts'
import type { DataOf, MailKind } from '../../integrations/mail/kinds.ts'
import type { Shop } from '../../shop.ts'

/** A mail's recipient and what its text needs. */
export interface Remade {
  readonly to: string
  readonly kind: MailKind
  readonly data: object
  /** It carries a link or a code: sent again it has new ones, which this does. Answers false where there is nothing to open any more. */
  readonly send?: (tx: Transaction, shop: Shop) => Promise<boolean>
}

/** Makes the mails of one kind, by the parts of their key; null where what one was about is gone. */
export type MakeAgain = (db: Db, id: string, more: readonly string[], plans: Plans) => Promise<Remade | null>

export const made = <const Kind extends MailKind>(to: string, kind: Kind, data: DataOf<Kind>): Remade => ({
  to,
  kind,
  data,
})
