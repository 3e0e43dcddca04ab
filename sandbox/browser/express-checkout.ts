import type { Envelope, Fields, WalletChoice, WalletNews } from './protocol.ts'
import { scriptOrigin } from './script-origin.ts'

type Listener = (event?: unknown) => void
type Wallet = WalletChoice['wallet']
const WALLET_TYPES: Readonly<Record<Wallet, string>> = {
  applepay: 'apple_pay',
  googlepay: 'google_pay',
  link: 'link',
}
/** Stripe's limit for answering a press. */
const RESOLVE_MS = 1_000

interface Asked {
  readonly emailRequired?: boolean
  readonly billingAddressRequired?: boolean
}

/** Buttons of the wallets in a frame, and their sheet above the page. */
export class ExpressCheckoutElement {
  readonly #id = crypto.randomUUID()
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #amount: () => number
  #frame: HTMLIFrameElement | undefined
  #unmount: AbortController | undefined
  /** What the buyer approved in the sheet, until it is paid with. */
  choice: WalletChoice | undefined

  constructor(amount: () => number) {
    this.#amount = amount
  }

  mount(where: string | HTMLElement): void {
    const container = typeof where === 'string' ? document.querySelector<HTMLElement>(where) : where
    if (!container) throw new Error('The selector you specified applies to no DOM elements.')
    this.unmount()
    this.#unmount = new AbortController()
    const frame = document.createElement('iframe')
    const query = new URLSearchParams({ id: this.#id, holder: location.origin })
    frame.src = `${scriptOrigin}/wallets?${query}`
    frame.title = 'Secure express checkout frame'
    frame.style.cssText =
      'display: block; inline-size: 100%; block-size: 0; border: 0; color-scheme: light; background: transparent'
    this.#frame = frame
    window.addEventListener('message', (event) => this.#hear(event), { signal: this.#unmount.signal })
    container.replaceChildren(frame)
  }

  unmount(): void {
    this.#unmount?.abort()
    this.#frame?.remove()
    this.#frame = undefined
  }
  destroy = (): void => this.unmount()
  update = (): void => undefined

  on(event: string, listener: Listener): this {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
    return this
  }
  off(event: string): this {
    this.#listeners.delete(event)
    return this
  }

  #say(event: string, given: object): void {
    for (const listener of this.#listeners.get(event) ?? [])
      listener({ elementType: 'expressCheckout', ...given })
  }

  #hear({ data, origin, source }: MessageEvent<Envelope<WalletNews> | undefined>): void {
    if (origin !== scriptOrigin || source !== this.#frame?.contentWindow || data?.sandbox !== this.#id) return
    const { news } = data
    if (news.kind === 'resized') this.#frame?.style.setProperty('block-size', `${news.height}px`)
    else if (news.kind === 'ready') {
      const has = (wallet: Wallet) => news.wallets.includes(wallet)
      this.#say('ready', {
        availablePaymentMethods:
          news.wallets.length === 0
            ? undefined
            : { applePay: has('applepay'), googlePay: has('googlepay'), link: has('link') },
      })
    } else void this.#press(news.wallet)
  }

  async #press(wallet: Wallet): Promise<void> {
    const asked = await new Promise<Asked | undefined>((resolve) => {
      setTimeout(() => resolve(undefined), RESOLVE_MS)
      this.#say('click', {
        expressPaymentType: WALLET_TYPES[wallet],
        resolve: (options: Asked = {}) => resolve(options),
        reject: () => resolve(undefined),
      })
    })
    if (!asked) return
    const choice = await showSheet(wallet, this.#amount(), asked)
    if (!choice) return this.#say('cancel', {})
    this.choice = choice
    const { email, name, country } = choice
    this.#say('confirm', {
      expressPaymentType: WALLET_TYPES[wallet],
      billingDetails: {
        name,
        ...(asked.emailRequired ? { email } : {}),
        address: { country },
      },
      paymentFailed: () => undefined,
    })
  }
}

/** The fields with which a payment is confirmed by the wallet. */
export function walletFields({ wallet, card, email, name, country }: WalletChoice): Fields {
  return {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][token]': `tok_${wallet}_${card}`,
    'payment_method_data[billing_details][email]': email,
    'payment_method_data[billing_details][name]': name,
    'payment_method_data[billing_details][address][country]': country,
  }
}

/** The wallet's own sheet. Undefined if the buyer closes it. */
function showSheet(wallet: Wallet, amount: number, asked: Asked): Promise<WalletChoice | undefined> {
  const before = document.activeElement
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Wallet')
  dialog.style.cssText =
    'position: fixed; inset: 0; inline-size: 100%; block-size: 100%; max-inline-size: none; max-block-size: none; margin: 0; padding: 0; border: 0; background: rgb(0 0 0 / 60%)'
  const frame = document.createElement('iframe')
  const query = new URLSearchParams({
    wallet,
    amount: String(amount),
    holder: location.origin,
    ...(asked.emailRequired ? { email: '1' } : {}),
  })
  frame.src = `${scriptOrigin}/wallet-sheet?${query}`
  frame.title = 'Wallet'
  frame.style.cssText =
    'display: block; inline-size: 100%; block-size: 100%; border: 0; color-scheme: light dark; background: transparent'
  dialog.append(frame)
  return new Promise((resolve) => {
    const end = (choice: WalletChoice | undefined) => {
      window.removeEventListener('message', hear)
      dialog.close()
      dialog.remove()
      if (before instanceof HTMLElement) before.focus()
      resolve(choice)
    }
    const hear = ({ data, origin, source }: MessageEvent<Envelope<WalletChoice | null> | undefined>) => {
      if (origin !== scriptOrigin || source !== frame.contentWindow || data?.sandbox !== 'wallet') return
      end(data.news ?? undefined)
    }
    window.addEventListener('message', hear)
    dialog.addEventListener('cancel', () => end(undefined))
    frame.addEventListener('load', () => frame.focus(), { once: true })
    document.body.append(dialog)
    dialog.showModal()
  })
}
