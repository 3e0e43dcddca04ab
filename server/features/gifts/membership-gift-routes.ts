import * as given from '#contract/given-gifts.ts'
import * as membershipContract from '#contract/membership-gifts.ts'
import { listSubscriptions } from '#contract/membership.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { correctByLink, giftOfLink, seeByLink, sendAgainByLink } from './manage-by-link.ts'
import { isMember } from './membership-gifts.ts'
import { claimGift, claimWaiting, kindOfGift, seeGift, waitingGifts } from './claim-membership-gift.ts'
import { correct, givenBy, sendAgain } from './given-memberships.ts'
import { subscriptionView } from '../membership/serializers.ts'
import { membershipsOf } from '../membership/service.ts'
import {
  givenMembershipView,
  givenSubscriptionView,
  membershipGiftView,
} from './membership-gift-serializers.ts'

/** The routes for giving a membership and for taking it back are in `checkout/routes.ts`. */
export function registerMembershipGifts(server: ApiServer): void {
  const { shop } = server
  const list = <M>(type: string, url: string, members: M[]) =>
    hydraList({ type, url, members, total: members.length, page: 1, itemsPerPage: members.length || 1 })
  const opening = (call: { params: { token: string }; request: { ip: string } }) => ({
    token: call.params.token,
    address: call.request.ip,
  })

  serve(server, listSubscriptions, async ({ caller, query, url }) => {
    const { page, itemsPerPage } = pageOf(query, 1000)
    const own = (await membershipsOf(shop.db, caller.userId)).map(({ row, orderItem }) =>
      subscriptionView(row, orderItem, shop.config.details.plans),
    )
    const gifts = (await givenBy(shop, caller.userId)).map(givenSubscriptionView)
    const all = [...own, ...gifts].toSorted((one, two) => two.orderDate.localeCompare(one.orderDate))
    const members = all.slice((page - 1) * itemsPerPage, page * itemsPerPage)
    return hydraList({ type: 'Subscription', url, members, total: all.length, page, itemsPerPage })
  })
  serve(server, membershipContract.checkGiftEmail, async ({ body, caller, request }) => ({
    purchased: await isMember(shop, {
      email: body.email,
      userId: caller?.userId ?? null,
      address: request.ip,
    }),
  }))
  serve(server, membershipContract.seeGiftKind, async (call) => ({
    kind: await kindOfGift(shop, opening(call)),
  }))
  serve(server, membershipContract.seeMembershipGift, async (call) => {
    const gift = await seeGift(shop, opening(call))
    return membershipGiftView({ gift, startsAt: null }, call.caller?.userId ?? null)
  })
  serve(server, membershipContract.claimMembershipGift, async (call) => {
    const { userId } = call.caller
    return membershipGiftView(await claimGift(shop, userId, opening(call)), userId)
  })
  serve(server, membershipContract.listWaitingMembershipGifts, async ({ caller, url }) => {
    const gifts = await waitingGifts(shop, caller.userId)
    return list(
      'MembershipGift',
      url,
      gifts.map((gift) => membershipGiftView(gift, caller.userId)),
    )
  })
  serve(server, membershipContract.claimWaitingMembershipGift, async ({ caller, params }) =>
    membershipGiftView(await claimWaiting(shop, caller.userId, params.id), caller.userId),
  )
  serve(server, membershipContract.listGivenMemberships, async ({ caller, url }) =>
    list('GivenMembership', url, (await givenBy(shop, caller.userId)).map(givenMembershipView)),
  )
  serve(server, membershipContract.correctGivenMembership, async ({ caller, params, body }) =>
    givenMembershipView(await correct(shop, caller, params.id, body)),
  )
  serve(server, membershipContract.sendGivenMembershipAgain, async ({ caller, params }) =>
    givenMembershipView(await sendAgain(shop, caller, params.id)),
  )
  // These routes also serve given titles: the token contains the kind of gift.
  serve(server, given.seeGivenByLink, ({ params }) => seeByLink(shop, giftOfLink(shop, params.token)))
  serve(server, given.correctGivenByLink, ({ params, body }) =>
    correctByLink(shop, giftOfLink(shop, params.token), body),
  )
  serve(server, given.sendGivenByLinkAgain, ({ params }) =>
    sendAgainByLink(shop, giftOfLink(shop, params.token)),
  )
}
