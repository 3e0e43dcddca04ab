import type { Db } from '../../db/open.ts'
import { selectRecord } from './rows.ts'

/** Whether a card is only activated with its buyer's address, as the owner's settings say (RESL-06). */
export async function requiresPurchaserEmail(db: Db): Promise<boolean> {
  const settings = await selectRecord<{ requiredPurchaserEmail?: boolean }>(db, 'settings')
  return settings?.requiredPurchaserEmail ?? false
}
