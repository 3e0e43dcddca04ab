import { getPaymentSettings } from '#contract/payments.ts'
import { serve, type ApiServer } from '../../http/serve.ts'

export function registerPaymentSettings(server: ApiServer): void {
  const { payments, details } = server.shop.config
  serve(server, getPaymentSettings, async ({ countries: [from] }) => ({
    publishableKey: payments?.publishableKey ?? null,
    scriptUrl: payments?.scriptUrl ?? null,
    test: payments?.live !== true,
    ...(details.terms.countries ? { sells: { to: [...details.terms.countries], from } } : {}),
  }))
}
