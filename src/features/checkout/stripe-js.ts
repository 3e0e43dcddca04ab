import type { Stripe } from '@stripe/stripe-js'
import { askPaymentSettings } from './queries.ts'

/**
 * The provider, loaded when a payment page asks for it and not before. Throws where the shop, or then the
 * provider, cannot be reached, or where nothing can be paid; the next call tries again.
 */
export async function openProvider(): Promise<Stripe> {
  const { publishableKey, scriptUrl } = await askPaymentSettings()
  if (!publishableKey) throw new Error('This shop takes no payments.')
  const [{ loadStripe }] = await Promise.all([
    import('@stripe/stripe-js/pure'),
    // It defines what the library would otherwise fetch from Stripe.
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
      // Another try needs another element.
      script.remove()
      reject(new Error(`Could not load ${url}`))
    })
  }).finally(() => underWay.delete(url))
  underWay.set(url, loading)
  document.head.append(script)
  return loading
}
