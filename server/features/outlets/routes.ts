import * as contract from '#contract/outlets.ts'
import { hydraList } from '../../hydra.ts'
import { notFound } from '../../refusals.ts'
import { type Room, serve } from '../../serve.ts'

/** No card has been sold yet, so that there is nothing to state. */
export function registerOutlets(room: Room): void {
  const none = (type: string, url: string) =>
    hydraList({ type, url, members: [], total: 0, page: 1, itemsPerPage: 1 })
  const unknown = async (): Promise<never> => {
    throw notFound()
  }
  serve(room, contract.seeOutletAccount, unknown)
  serve(room, contract.listStatements, async ({ url }) => none('OutletStatement', url))
  serve(room, contract.seeStatement, unknown)
  serve(room, contract.listAdditions, async ({ url }) => none('CardAddition', url))
}
