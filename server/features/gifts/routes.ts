import * as contract from '#contract/gifts.ts'
import type { Caller } from '../../guards/caller.ts'
import { hydraList } from '../../wire/hydra.ts'
import { notFound } from '../../wire/refusals.ts'
import { type Room, serve } from '../../wire/serve.ts'
import { cardsOf, readerOf, seeBook } from '../catalogue/rules.ts'
import type { Format, GiftOfBook } from './rows.ts'
import { claimGift, claimWaiting, isPurchased, seeGift, waitingGifts } from './rules.ts'
import { giftView } from './views.ts'
import type { Countries } from '../../guards/country.ts'

interface Asking {
  readonly caller: Caller | null
  readonly countries: Countries
}

interface Held {
  readonly params: { readonly token: string }
  readonly request: { readonly ip: string }
}
interface Question {
  readonly params: { readonly id: string }
  readonly body: { readonly email: string }
  readonly request: { readonly ip: string }
}

export function registerGifts(room: Room): void {
  const { shop } = room

  async function shown(gifts: readonly GiftOfBook[], call: Asking) {
    const ids = gifts.map(({ gift }) => gift.bookId)
    const cards = new Map(
      (await cardsOf(shop, ids, await readerOf(shop, call))).map((card) => [card.id, card]),
    )
    return gifts.flatMap(({ gift }) => {
      const card = cards.get(gift.bookId)
      return card ? [giftView(gift, card)] : []
    })
  }
  async function shownOne(gift: GiftOfBook, call: Asking) {
    const [view] = await shown([gift], call)
    if (!view) throw notFound()
    return view
  }

  const opening = (call: Held, format: Format) => ({
    format,
    token: call.params.token,
    address: call.request.ip,
  })
  const see = async (call: Held & Asking, format: Format) =>
    shownOne(await seeGift(shop, opening(call, format)), call)
  const claim = async <F extends Format>(call: Held & Asking & { caller: Caller }, format: F) => {
    const { slug } = await claimGift(shop, call.caller.userId, opening(call, format))
    return seeBook(shop, format, slug, await readerOf(shop, call))
  }
  const purchased = async (call: Question & Asking, format: Format) => ({
    purchased: await isPurchased(shop, {
      format,
      slugOrId: call.params.id,
      email: call.body.email,
      userId: call.caller?.userId ?? null,
      address: call.request.ip,
    }),
  })
  serve(room, contract.seeAudioBookGift, (call) => see(call, 'audio_book'))
  serve(room, contract.seeEBookGift, (call) => see(call, 'e_book'))
  serve(room, contract.claimAudioBook, (call) => claim(call, 'audio_book'))
  serve(room, contract.claimEBook, (call) => claim(call, 'e_book'))
  serve(room, contract.audioBookPurchased, (call) => purchased(call, 'audio_book'))
  serve(room, contract.eBookPurchased, (call) => purchased(call, 'e_book'))

  serve(room, contract.listWaitingGifts, async (call) => {
    const members = await shown(await waitingGifts(shop.db, call.caller.userId), call)
    const total = members.length
    return hydraList({ type: 'Gift', url: call.url, members, total, page: 1, itemsPerPage: total || 1 })
  })
  serve(room, contract.claimWaitingGift, async (call) =>
    shownOne(await claimWaiting(shop, call.caller.userId, call.params.id), call),
  )
}
