import { takeAudioBook, takeEBook } from '#contract/bag.ts'
import { checkoutCart, returnFromPayment } from '#contract/checkout.ts'
import { createSubscription, giveAsVisitor } from '#contract/joining.ts'
import { takeBackGivenByLink, takeBackGivenTitle } from '#contract/given-gifts.ts'
import { takeBackGivenMembership } from '#contract/membership-gifts.ts'
import type { Db } from '../../db/open.ts'
import { notFound } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import type { Caller } from '../../auth/access.ts'
import { type Countries, refuseElsewhere } from '../../auth/country.ts'
import { isProved, refuseUnproved } from '../../auth/recent-proof.ts'
import { basketForCheckout } from '../bag/service.ts'
import { join } from '../membership/join.ts'
import { givenTitleView, givenMembershipView } from '../gifts/serializers.ts'
import { giftOfLink, seeByLink } from '../gifts/manage-by-link.ts'
import { pence } from '../prices/pricing.ts'
import { give, type GiftRequest, takeBack, takeBackTitle } from './gift-checkout.ts'
import { type CheckedOut, checkOut } from './service.ts'
import { resolvePaymentReturn } from './settle-payment.ts'
import type { Format } from '../products/product.ts'
import { buyCartAfterJoining, buyCartNow, buyTitleNow } from '#contract/buy-now.ts'
import { buyNow, cardOfNewMembership, paidOnceSince, savedCardOf, titleSource } from './buy-now.ts'
import { takeTitle } from './take-free-title.ts'
import { getPaymentSettings } from '#contract/payments.ts'

export function registerCheckout(server: ApiServer): void {
  const { shop } = server
  const provedBy = (caller: Caller) => (db: Db) => isProved({ db, now: shop.now }, caller)

  serve(server, checkoutCart, async ({ params, body, caller, countries, request }) => {
    const code = body.couponCode
    const buyer = { userId: caller.userId, countries }
    const source = await basketForCheckout(shop, { cartId: params.id, buyer, code })
    const wanted = {
      address: request.ip,
      code,
      shownMinor: pence(body.amount),
      waiver: body.waiver === true || body.consent !== undefined,
      ...(body.consent !== undefined && { consent: body.consent }),
      savesCard: body.saveCard === true,
      isProved: provedBy(caller),
    }
    const { order, clientSecret } = await checkOut(shop, source, wanted)
    return {
      success: true,
      message: null,
      amount: order.totalMinor / 100,
      clientSecret,
      url: null,
      order: order.id,
      returnUrl: `${shop.config.publicUrl}/payment-successful`,
    }
  })

  serve(server, buyTitleNow, async ({ body, caller, countries, request }) => {
    const { userId } = caller
    const source = await titleSource(shop, { userId, countries }, body.format, body.slug)
    return buyNow(shop, source, {
      userId,
      address: request.ip,
      shownMinor: pence(body.amount),
      card: await savedCardOf(shop, userId, body.paymentMethod),
      consent: body.consent,
      code: null,
      isProved: provedBy(caller),
    })
  })
  serve(server, buyCartNow, async ({ params, body, caller, countries, request }) => {
    const { userId } = caller
    const code = body.couponCode
    const buyer = { userId, countries }
    const source = await basketForCheckout(shop, { cartId: params.id, buyer, code })
    return buyNow(shop, source, {
      userId,
      address: request.ip,
      shownMinor: pence(body.amount),
      card: await savedCardOf(shop, userId, body.paymentMethod),
      consent: body.consent,
      code,
      isProved: provedBy(caller),
    })
  })

  serve(server, buyCartAfterJoining, async ({ params, body, caller, countries, request }) => {
    const { userId } = caller
    const joined = { userId, id: body.subscription, cartId: params.id }
    const { card, joinedAt } = await cardOfNewMembership(shop, joined)
    const buyer = { userId, countries }
    const source = await basketForCheckout(shop, { cartId: params.id, buyer, code: null })
    return buyNow(shop, paidOnceSince(joinedAt, source), {
      userId,
      address: request.ip,
      shownMinor: pence(body.amount),
      card,
      code: null,
      isProved: provedBy(caller),
    })
  })

  serve(server, returnFromPayment, async ({ body, caller }) => {
    const { outcome, order, refusal, membership } = await resolvePaymentReturn(shop, {
      intentId: body.paymentIntent,
      clientSecret: body.clientSecret,
    })
    const isOwn = caller !== null && order?.userId === caller.userId
    return {
      outcome,
      order: isOwn ? order.id : null,
      ...(membership ? { subscription: membership.userId === caller?.userId ? membership.id : null } : {}),
      ...(refusal ? { refusal } : {}),
    }
  })

  const take = <F extends Format>(
    call: {
      caller: Caller
      countries: Countries
      params: { id: string }
      body: { email?: string; waiver?: boolean }
    },
    format: F,
  ) => {
    const { userId, sessionId } = call.caller
    const buyer = { userId, sessionId, countries: call.countries }
    return takeTitle(shop, buyer, format, call.params.id, call.body)
  }
  serve(server, takeAudioBook, (call) => take(call, 'audio_book'))
  serve(server, takeEBook, (call) => take(call, 'e_book'))

  const given = ({ order, clientSecret }: CheckedOut, wanted: GiftRequest) => ({
    id: order.id,
    paymentIntent: clientSecret,
    amount: order.totalMinor / 100,
    done: clientSecret === null,
    returnUrl: `${shop.config.publicUrl}${wanted.christmas ? christmasReturn(wanted) : '/subscription-successful-gift'}`,
  })

  const sellsGifts = ({ christmas }: Pick<GiftRequest, 'christmas'>) => {
    const { details } = shop.config
    if (!details.has('membershipGifts') || (christmas && !details.has('christmas'))) throw notFound()
  }

  serve(
    server,
    createSubscription,
    async ({ caller, countries, request, body: { gift, amount, saveCard = false, ...wanted } }) => {
      const { userId } = caller
      refuseElsewhere(shop.config, countries)
      if (gift) {
        sellsGifts(wanted)
        const buyer = { userId, country: countries[0] }
        const how = {
          buyer,
          address: request.ip,
          shownMinor: pence(amount),
          savesCard: saveCard,
          isProved: provedBy(caller),
        }
        return given(await give(shop, wanted, how), wanted)
      }
      if (saveCard || wanted.paymentMethod) await refuseUnproved(shop, caller)
      const { row, clientSecret, amountMinor } = await join(shop, {
        userId,
        plan: wanted.plan,
        code: wanted.couponCode ?? null,
        trial: false,
        shownMinor: pence(amount),
        startNow: wanted.startNow ?? false,
        method: wanted.paymentMethod ?? null,
        savesCard: saveCard,
        cartId: wanted.cart ?? null,
      })
      return {
        id: row.id,
        paymentIntent: clientSecret,
        amount: amountMinor / 100,
        done: clientSecret === null,
        returnUrl: `${shop.config.publicUrl}/subscription-successful`,
      }
    },
  )
  serve(server, giveAsVisitor, async ({ countries, request, body: { amount, giver, ...wanted } }) => {
    sellsGifts(wanted)
    const { countryCode = countries[0], lastName = '', ...others } = giver
    const visitor = { ...others, lastName }
    refuseElsewhere(shop.config, [countryCode, ...countries])
    const buyer = { userId: null, visitor, country: countryCode }
    const how = { buyer, address: request.ip, shownMinor: pence(amount), isProved: async () => true }
    return given(await give(shop, wanted, how), wanted)
  })
  serve(server, takeBackGivenMembership, async ({ caller, params }) =>
    givenMembershipView(await takeBack(shop, caller, params.id)),
  )
  serve(server, takeBackGivenTitle, async ({ caller, params }) =>
    givenTitleView(await takeBackTitle(shop, caller, params.id)),
  )
  serve(server, takeBackGivenByLink, async ({ params }) => {
    const gift = giftOfLink(shop, params.token)
    await (gift.kind === 'book' ? takeBackTitle : takeBack)(shop, 'link', gift.id)
    return seeByLink(shop, gift)
  })
}

/** PAY-34: the page shows the recipient and the plan. */
const christmasReturn = ({ giftRecipientFirstName, plan }: GiftRequest): string =>
  `/xmas-successful-gift?${new URLSearchParams({ recipient: giftRecipientFirstName ?? '', type: String(plan) }).toString()}`

export function registerPaymentSettings(server: ApiServer): void {
  const { payments, details } = server.shop.config
  serve(server, getPaymentSettings, async ({ countries: [from] }) => ({
    publishableKey: payments?.publishableKey ?? null,
    scriptUrl: payments?.scriptUrl ?? null,
    test: payments?.live !== true,
    ...(details.terms.countries ? { sells: { to: [...details.terms.countries], from } } : {}),
  }))
}
