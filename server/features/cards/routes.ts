import * as contract from '#contract/cards.ts'
import type { AudioBookCard } from '#contract/catalogue.ts'
import type { Caller } from '../../auth/access.ts'
import type { Countries } from '../../auth/country.ts'
import { wholeList } from '#contract/calculations/hydra-list.ts'
import { forbidden, notFound } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { audioCardsOf, forgetReader, readerOf } from '../catalogue/service.ts'
import type { ActivationOfCard } from './queries.ts'
import { redeem, lookUpCard, type SoldCard } from './redemption.ts'
import {
  activate,
  activationsToday,
  findActivation,
  takeBack,
  endingOf,
  takeBackUntil,
} from './point-of-sale.ts'
import type { CardActivation, RedemptionCode } from '#contract/cards.ts'
import type { BusinessTime } from '../../clock.ts'
import { pounds } from '../prices/pricing.ts'

interface CallContext {
  readonly caller: Caller | null
  readonly countries: Countries
  readonly request: { readonly ip: string }
}

export function registerCards(server: ApiServer): void {
  const { shop } = server

  async function titles(ids: readonly number[], call: CallContext): Promise<Map<number, AudioBookCard>> {
    const reader = await readerOf(shop, call)
    return new Map((await audioCardsOf(shop, [...new Set(ids)], reader)).map((card) => [card.id, card]))
  }
  async function title(id: number, call: CallContext): Promise<AudioBookCard> {
    const card = (await titles([id], call)).get(id)
    if (!card) throw notFound()
    return card
  }
  const shown = async (found: SoldCard, call: CallContext) =>
    redemptionView(found, await title(found.bookId, call))
  const sold = async (found: ActivationOfCard, call: CallContext) =>
    activationView(found, await title(found.bookId, call), shop.clock.now())

  const typed = (call: CallContext, code: string, spiSin?: string) => ({
    code,
    spiSin,
    address: call.request.ip,
    userId: call.caller?.userId ?? null,
  })
  const redeemed = async (call: CallContext & { caller: Caller }, code: string, spiSin?: string) => {
    const { userId } = call.caller
    const found = await redeem(shop, { ...typed(call, code, spiSin), userId, country: call.countries[0] })
    forgetReader(shop, userId)
    return shown(found, call)
  }
  serve(server, contract.seeRedemptionCode, async (call) =>
    shown(await lookUpCard(shop, typed(call, call.params.code, call.query.spiSIN)), call),
  )
  serve(server, contract.seeCard, async (call) =>
    shown(await lookUpCard(shop, typed(call, call.params.code)), call),
  )
  serve(server, contract.redeemCode, async (call) =>
    redeemed(call, call.params.code, call.body.audioBook.spiSIN),
  )
  serve(server, contract.redeemCard, async (call) => redeemed(call, call.body.token))

  const atPointOfSale = (call: CallContext & { caller: Caller }, token: string) => ({
    token,
    ...staffOf(call.caller),
    address: call.request.ip,
  })
  serve(server, contract.activateCard, async (call) => {
    const buyerEmail = call.body.buyerEmail ?? null
    return sold(await activate(shop, { ...atPointOfSale(call, call.body.token), buyerEmail }), call)
  })
  serve(server, contract.findActivation, async (call) =>
    sold(await findActivation(shop, atPointOfSale(call, call.body.token)), call),
  )
  serve(server, contract.takeBackActivation, async (call) =>
    sold(await takeBack(shop, { id: call.params.id, outletId: staffOf(call.caller).outletId }), call),
  )
  serve(server, contract.listActivations, async (call) => {
    const today = await activationsToday(shop, staffOf(call.caller).outletId)
    const cards = await titles(
      today.map(({ bookId }) => bookId),
      call,
    )
    const members = today.flatMap((each) => {
      const card = cards.get(each.bookId)
      return card ? [activationView(each, card, shop.clock.now())] : []
    })
    return wholeList('CardActivation', call.url, members)
  })
}

/** The route admits only bookshop staff, so this never throws in practice. */
function staffOf({ userId, outletId }: Caller): { userId: string; outletId: string } {
  if (outletId === null) throw forbidden()
  return { userId, outletId }
}

const redemptionView = ({ card, outletName }: SoldCard, audioBook: AudioBookCard): RedemptionCode => ({
  redeemed: card.redeemedAt !== null,
  outlet: { name: outletName },
  audioBook,
})

const activationView = (
  sold: ActivationOfCard,
  audioBook: AudioBookCard,
  now: BusinessTime,
): CardActivation => ({
  '@id': `/api/audiobook-cards/activations/${sold.activation.id}`,
  '@type': 'CardActivation',
  id: sold.activation.id,
  activated: sold.activation.takenBackAt === null,
  activatedAt: sold.activation.activatedAt.toISOString(),
  ending: endingOf(sold.card),
  price: pounds(sold.priceMinor),
  audioBook,
  takeBackUntil: takeBackUntil(sold, now)?.toISOString() ?? null,
  takenBackAt: sold.activation.takenBackAt?.toISOString() ?? null,
})
