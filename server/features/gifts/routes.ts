import * as contract from '#contract/gifts.ts'
import * as given from '#contract/given-gifts.ts'
import type { Caller } from '../../auth/caller.ts'
import { hydraList } from '#contract/calculations/hydra-list.ts'
import { notFound } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { cardsOf, changedReaderOf, readerOf, seeBook } from '../catalogue/service.ts'
import type { Format, GiftOfBook } from './title-gift-queries.ts'
import { claimGift, claimWaiting, isPurchased, seeGift, waitingGifts } from './title-gifts.ts'
import { correctGivenTitle, givenTitlesBy, sendGivenTitleAgain } from './given-titles.ts'
import { giftView, givenTitleView } from './title-gift-serializers.ts'
import type { Countries } from '../../auth/country.ts'

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
      return card ? [giftView(gift, card)] : []
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
    shownOne(await seeGift(shop, opening(call, format)), call)
  const claim = async <F extends Format>(call: OpeningCall & CallContext & { caller: Caller }, format: F) => {
    const { slug } = await claimGift(shop, call.caller.userId, opening(call, format))
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
    const members = await shown(await waitingGifts(shop.db, call.caller.userId), call)
    const total = members.length
    return hydraList({ type: 'Gift', url: call.url, members, total, page: 1, itemsPerPage: total || 1 })
  })
  serve(server, contract.claimWaitingGift, async (call) =>
    shownOne(await claimWaiting(shop, call.caller.userId, call.params.id), call),
  )

  serve(server, given.listGivenTitles, async ({ caller, url }) => {
    const members = (await givenTitlesBy(shop, caller.userId)).map(givenTitleView)
    const total = members.length
    return hydraList({ type: 'GivenTitle', url, members, total, page: 1, itemsPerPage: total || 1 })
  })
  serve(server, given.correctGivenTitle, async ({ caller, params, body }) =>
    givenTitleView(await correctGivenTitle(shop, caller, params.id, body)),
  )
  // Taking a gift back refunds money: its route is in `checkout/routes.ts`.
  serve(server, given.sendGivenTitleAgain, async ({ caller, params }) =>
    givenTitleView(await sendGivenTitleAgain(shop, caller, params.id)),
  )
}
