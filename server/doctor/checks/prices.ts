import { wrongPrices } from '../../features/membership/join-eligibility.ts'
import { takesPayments } from '../../integrations/stripe/payments.ts'
import { broken, type Check, fine } from '../finding.ts'

export const checkPrices: Check = async (shop) => {
  if (!shop.config.details.has('membership')) return fine('The shop has no memberships to compare prices of.')
  if (!takesPayments(shop.payments)) return fine('There is no payment provider to compare with.')
  try {
    const wrong = await wrongPrices(shop)
    return wrong.length === 0
      ? fine('Memberships cost the same here and at the payment provider.')
      : broken(`Nobody can join ${wrong.join(', ')}: run npm run payments:set-up.`)
  } catch {
    return broken('The prices could not be asked for, because the payment provider did not answer.')
  }
}
