import type { Stripe } from '@stripe/stripe-js'
import { askPaymentSettings } from './queries.ts'

/**
 * Loads Stripe when a payment page needs it, and not before. Throws if the shop or Stripe can't be reached,
 * or if the shop has no keys; the next call tries again.
 */
export async function openProvider(): Promise<Stripe> {
  const { publishableKey, scriptUrl } = await askPaymentSettings()
  if (!publishableKey) throw new Error('This shop takes no payments.')
  const [{ loadStripe }] = await Promise.all([
    import('@stripe/stripe-js/pure'),
    // The script defines `window.Stripe`, which the library would otherwise fetch from Stripe.
    scriptUrl && !window.Stripe ? loadScript(scriptUrl) : undefined,
  ])
  const stripe = await loadStripe(publishableKey, { locale: 'en-GB' })
  if (!stripe) throw new Error('The payment provider could not be loaded.')
  return stripe
}

const underWay = new Map<string, Promise<void>>()

function loadScript(url: string): Promise<void> {
  const known = underWay.get(url)
  if (known) return known
  const script = document.createElement('script')
  script.src = url
  const loading = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      // A failed script element can't be loaded again, so the next attempt needs a new one.
      script.remove()
      reject(new Error(`Could not load ${url}`))
    })
  }).finally(() => underWay.delete(url))
  underWay.set(url, loading)
  document.head.append(script)
  return loading
}
