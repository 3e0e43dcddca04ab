import * as contract from '#contract/cards.ts'
import { hydraList } from '../../hydra.ts'
import { notFound } from '../../refusals.ts'
import { type Room, serve } from '../../serve.ts'

/** No card has been made yet, so that no code is known. */
export function registerCards(room: Room): void {
  const unknown = async (): Promise<never> => {
    throw notFound()
  }
  serve(room, contract.seeRedemptionCode, unknown)
  serve(room, contract.seeCard, unknown)
  serve(room, contract.redeemCode, unknown)
  serve(room, contract.redeemCard, unknown)
  serve(room, contract.activateCard, unknown)
  serve(room, contract.findActivation, unknown)
  serve(room, contract.takeBackActivation, unknown)
  serve(room, contract.listActivations, async ({ url }) =>
    hydraList({ type: 'CardActivation', url, members: [], total: 0, page: 1, itemsPerPage: 1 }),
  )
}
