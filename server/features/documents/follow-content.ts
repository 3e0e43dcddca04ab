import type { Shop } from '../../shop.ts'
import { notifyInstances } from '../catalogue/queries.ts'
import { panelsCameOrWent } from '../home/queries.ts'
import { publishDue } from './service.ts'

/** Job: publishes what is due, and renews the public answers when a panel of the home page comes or goes. */
export async function followContent(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config' | 'log'>,
): Promise<void> {
  await publishDue(shop)
  if (await panelsCameOrWent(shop.db)) await notifyInstances(shop.db)
}
