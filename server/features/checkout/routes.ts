import { takeAudioBook, takeEBook } from '#contract/bag.ts'
import { checkoutCart, returnFromPayment } from '#contract/checkout.ts'
import { type Room, serve } from '../../serve.ts'
import type { Caller } from '../../guards/caller.ts'
import type { Countries } from '../../guards/country.ts'
import { bringToTill } from '../bag/basket.ts'
import { checkOut, comeBack } from './rules.ts'
import type { Format } from '../sold/kinds.ts'
import { takeTitle } from './take.ts'
import { registerWebhook } from './webhook.ts'

export function registerCheckout(room: Room): void {
  const { shop } = room

  serve(room, checkoutCart, async ({ params, body, caller, countries, request }) => {
    const code = body.couponCode
    const buyer = { userId: caller.userId, countries }
    const source = await bringToTill(shop, { cartId: params.id, buyer, code })
    const wish = {
      address: request.ip,
      code,
      shownMinor: body.amount === undefined ? undefined : Math.round(body.amount * 100),
      waiver: body.waiver === true,
    }
    const { order, clientSecret } = await checkOut(shop, source, wish)
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

  serve(room, returnFromPayment, async ({ body, caller }) => {
    const { outcome, order, refusal, membership } = await comeBack(shop, {
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
    call: { caller: Caller; countries: Countries; params: { id: string }; body: { email?: string } },
    format: F,
  ) => {
    const buyer = { userId: call.caller.userId, countries: call.countries }
    return takeTitle(shop, buyer, format, call.params.id, call.body)
  }
  serve(room, takeAudioBook, (call) => take(call, 'audio_book'))
  serve(room, takeEBook, (call) => take(call, 'e_book'))

  registerWebhook(room)
}
