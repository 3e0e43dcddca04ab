import type { FastifyReply } from 'fastify'
import * as contract from '#contract/gifts.ts'
import * as given from '#contract/given-gifts.ts'
import type { Caller } from '../../auth/access.ts'
import { refuseUnproved } from '../../auth/recent-proof.ts'
import { hydraList, pageOf, wholeList } from '#contract/calculations/hydra-list.ts'
import { forbidden, notFound } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { cardsOf, changedReaderOf, readerOf, seeBook } from '../catalogue/service.ts'
import type { Format, GiftOfBook } from './queries.ts'
import {
  claimTitleGift,
  claimWaitingTitle,
  isPurchased,
  viewTitleGift,
  waitingTitleGifts,
} from './title-gifts.ts'
import {
  correctGivenTitle,
  givenTitlesBy,
  sendGivenTitleAgain,
  correctGivenMembership,
  membershipsGivenBy,
  sendGivenMembershipAgain,
} from './given-gifts.ts'
import {
  giftView,
  givenTitleView,
  givenMembershipView,
  givenSubscriptionView,
  membershipGiftView,
} from './serializers.ts'
import type { Countries } from '../../auth/country.ts'
import * as membershipContract from '#contract/membership-gifts.ts'
import { listSubscriptions } from '#contract/membership.ts'
import { correctByLink, giftOfLink, seeByLink, sendAgainByLink } from './manage-by-link.ts'
import { isMember } from './membership-gifts.ts'
import {
  claimMembershipGift,
  claimWaitingMembership,
  kindOfGift,
  viewMembershipGift,
  waitingMembershipGifts,
} from './claim-membership-gift.ts'
import { thankForMembership, thankForTitle } from './thank-giver.ts'
import { addressee, downloadAddress } from '../media/signed-addresses.ts'
import { attachment } from '../media/send-file.ts'
import { cardFile, makeCard } from './printed-card.ts'
import type { Giver, LinkedGift } from './giver-actions.ts'
import { subscriptionView } from '../membership/serializers.ts'
import { membershipsOf } from '../membership/service.ts'

interface CallContext {
  readonly caller: Caller | null
  readonly countries: Countries
}

interface OpeningCall {
  readonly params: { readonly token: string }
  readonly request: { readonly ip: string }
}
interface Question {
  readonly params: { readonly id: string }
  readonly body: { readonly email: string }
  readonly request: { readonly ip: string }
}

export function registerGifts(server: ApiServer): void {
  const { shop } = server

  async function shown(gifts: readonly GiftOfBook[], call: CallContext) {
    const ids = gifts.map(({ gift }) => gift.bookId)
    const cards = new Map(
      (await cardsOf(shop, ids, await readerOf(shop, call))).map((card) => [card.id, card]),
    )
    return gifts.flatMap(({ gift }) => {
      const card = cards.get(gift.bookId)
      return card ? [giftView(gift, card, call.caller?.userId ?? null)] : []
    })
  }
  async function shownOne(gift: GiftOfBook, call: CallContext) {
    const [view] = await shown([gift], call)
    if (!view) throw notFound()
    return view
  }

  const opening = (call: OpeningCall, format: Format) => ({
    format,
    token: call.params.token,
    address: call.request.ip,
  })
  const see = async (call: OpeningCall & CallContext, format: Format) =>
    shownOne(await viewTitleGift(shop, opening(call, format)), call)
  const claim = async <F extends Format>(call: OpeningCall & CallContext & { caller: Caller }, format: F) => {
    const { slug } = await claimTitleGift(shop, call.caller.userId, opening(call, format))
    return seeBook(shop, format, slug, await changedReaderOf(shop, call))
  }
  const purchased = async (call: Question & CallContext, format: Format) => ({
    purchased: await isPurchased(shop, {
      format,
      slugOrId: call.params.id,
      email: call.body.email,
      userId: call.caller?.userId ?? null,
      address: call.request.ip,
    }),
  })
  serve(server, contract.seeAudioBookGift, (call) => see(call, 'audio_book'))
  serve(server, contract.seeEBookGift, (call) => see(call, 'e_book'))
  serve(server, contract.claimAudioBook, (call) => claim(call, 'audio_book'))
  serve(server, contract.claimEBook, (call) => claim(call, 'e_book'))
  serve(server, contract.audioBookPurchased, (call) => purchased(call, 'audio_book'))
  serve(server, contract.eBookPurchased, (call) => purchased(call, 'e_book'))

  serve(server, contract.listWaitingGifts, async (call) => {
    const members = await shown(await waitingTitleGifts(shop.db, call.caller.userId), call)
    return wholeList('Gift', call.url, members)
  })
  serve(server, contract.claimWaitingGift, async (call) =>
    shownOne(await claimWaitingTitle(shop, call.caller.userId, call.params.id), call),
  )
  serve(server, contract.thankForTitle, async (call) =>
    shownOne(await thankForTitle(shop, call.caller.userId, call.params.id, call.body.message), call),
  )

  serve(server, given.listGivenTitles, async ({ caller, url }) => {
    return wholeList('GivenTitle', url, (await givenTitlesBy(shop, caller.userId)).map(givenTitleView))
  })
  serve(server, given.correctGivenTitle, async ({ caller, params, body }) => {
    if (body.giftEmail) await refuseUnproved(shop, caller)
    return givenTitleView(await correctGivenTitle(shop, caller, params.id, body))
  })
  serve(server, given.sendGivenTitleAgain, async ({ caller, params }) =>
    givenTitleView(await sendGivenTitleAgain(shop, caller, params.id)),
  )
  serve(server, given.makeCardOfGivenTitle, async ({ caller, params: { id } }) => {
    await makeCard(shop, caller, { kind: 'book', id })
    return { address: downloadAddress(shop, caller, `/media/gift-cards/book/${id}.pdf`) }
  })
  serve(server, membershipContract.makeCardOfGivenMembership, async ({ caller, params: { id } }) => {
    await makeCard(shop, caller, { kind: 'membership', id })
    return { address: downloadAddress(shop, caller, `/media/gift-cards/membership/${id}.pdf`) }
  })
  serve(server, given.makeCardByLink, async ({ params: { token } }) => {
    await makeCard(shop, 'link', giftOfLink(shop, token))
    return { address: `/media/gift-cards/by-link/${token}.pdf` }
  })
  registerCardFiles(server)
}

/** Without a token in a header, because a browser downloads the files. */
function registerCardFiles({ app, shop }: ApiServer): void {
  const send = async (reply: FastifyReply, giver: Giver, gift: LinkedGift) => {
    const { name, paper } = await cardFile(shop, giver, gift)
    return reply
      .type('application/pdf')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', attachment(name))
      .send(paper)
  }
  for (const kind of ['book', 'membership'] as const)
    app.get<{ Params: { id: string } }>(`/media/gift-cards/${kind}/:id.pdf`, async (request, reply) => {
      const userId = await addressee(shop, request.url)
      if (userId === null) throw forbidden('This address has expired. Please ask for it again.')
      return send(reply, { userId }, { kind, id: request.params.id })
    })
  app.get<{ Params: { token: string } }>('/media/gift-cards/by-link/:token.pdf', (request, reply) =>
    send(reply, 'link', giftOfLink(shop, request.params.token)),
  )
}

/** The routes for giving a membership and for taking it back are in `checkout/routes.ts`. */
export function registerMembershipGifts(server: ApiServer): void {
  const { shop } = server
  const opening = (call: { params: { token: string }; request: { ip: string } }) => ({
    token: call.params.token,
    address: call.request.ip,
  })

  serve(server, listSubscriptions, async ({ caller, query, url }) => {
    const { page, itemsPerPage } = pageOf(query, 1000)
    const own = (await membershipsOf(shop.db, caller.userId)).map(({ row, orderItem }) =>
      subscriptionView(row, orderItem, shop.config.details.plans),
    )
    const gifts = (await membershipsGivenBy(shop, caller.userId)).map(givenSubscriptionView)
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
    const gift = await viewMembershipGift(shop, opening(call))
    return membershipGiftView({ gift, startsAt: null }, call.caller?.userId ?? null)
  })
  serve(server, membershipContract.claimMembershipGift, async (call) => {
    const { userId } = call.caller
    return membershipGiftView(await claimMembershipGift(shop, userId, opening(call)), userId)
  })
  serve(server, membershipContract.listWaitingMembershipGifts, async ({ caller, url }) => {
    const gifts = await waitingMembershipGifts(shop, caller.userId)
    return wholeList(
      'MembershipGift',
      url,
      gifts.map((gift) => membershipGiftView(gift, caller.userId)),
    )
  })
  serve(server, membershipContract.claimWaitingMembershipGift, async ({ caller, params }) =>
    membershipGiftView(await claimWaitingMembership(shop, caller.userId, params.id), caller.userId),
  )
  serve(server, membershipContract.thankForMembership, async ({ caller: { userId }, params, body }) => {
    const gift = await thankForMembership(shop, userId, params.id, body.message)
    return membershipGiftView({ gift, startsAt: gift.begunAt }, userId)
  })
  serve(server, membershipContract.listGivenMemberships, async ({ caller, url }) =>
    wholeList(
      'GivenMembership',
      url,
      (await membershipsGivenBy(shop, caller.userId)).map(givenMembershipView),
    ),
  )
  serve(server, membershipContract.correctGivenMembership, async ({ caller, params, body }) => {
    if (body.giftEmail) await refuseUnproved(shop, caller)
    return givenMembershipView(await correctGivenMembership(shop, caller, params.id, body))
  })
  serve(server, membershipContract.sendGivenMembershipAgain, async ({ caller, params }) =>
    givenMembershipView(await sendGivenMembershipAgain(shop, caller, params.id)),
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
