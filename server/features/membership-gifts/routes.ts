import * as joining from '#contract/joining.ts'
import * as contract from '#contract/membership-gifts.ts'
import { hydraList } from '../../hydra.ts'
import { notFound, unprocessable } from '../../refusals.ts'
import { type Room, serve } from '../../serve.ts'

export function registerMembershipGifts(room: Room): void {
  const none = (type: string, url: string) =>
    hydraList({ type, url, members: [], total: 0, page: 1, itemsPerPage: 1 })
  const missing = () => {
    throw notFound()
  }
  serve(room, joining.giveAsVisitor, async () => {
    throw unprocessable('gift', 'Memberships can’t be given yet.')
  })
  serve(room, contract.checkGiftEmail, async () => ({ purchased: false }))
  serve(room, contract.seeMembershipGift, missing)
  serve(room, contract.claimMembershipGift, missing)
  serve(room, contract.listWaitingMembershipGifts, async ({ url }) => none('MembershipGift', url))
  serve(room, contract.claimWaitingMembershipGift, missing)
  serve(room, contract.listGivenMemberships, async ({ url }) => none('GivenMembership', url))
  serve(room, contract.correctGivenMembership, missing)
  serve(room, contract.sendGivenMembershipAgain, missing)
  serve(room, contract.takeBackGivenMembership, missing)
}
