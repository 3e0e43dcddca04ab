import { getPaymentSettings } from '#contract/payments.ts'
import { serve, type Room } from '../../wire/serve.ts'

export function registerPaymentSettings(room: Room): void {
  const { payments } = room.shop.config
  serve(room, getPaymentSettings, async () => ({
    publishableKey: payments?.publishableKey ?? null,
    scriptUrl: payments?.scriptUrl ?? null,
    test: payments?.live !== true,
  }))
}
