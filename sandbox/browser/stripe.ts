import { showBank } from './bank-dialog.ts'
import { ControllerClient } from './controller-client.ts'
import { CardElement } from './element.ts'
import { Elements } from './elements.ts'
import { walletFields } from './express-checkout.ts'
import type { ApiAnswer, ApiCall, Fields } from './protocol.ts'

type Given = Readonly<Record<string, unknown>>
type Noun = 'payment_intent' | 'setup_intent'

/** The part of Stripe.js that a page with card fields, PayPal and wallets uses, answered by the sandbox. */
class SandboxStripe {
  readonly #key: string
  readonly #controller = new ControllerClient()

  constructor(key: string) {
    this.#key = key
  }

  elements = (options?: ConstructorParameters<typeof Elements>[0]): Elements => new Elements(options)
  registerAppInfo = (): void => undefined
  _registerWrapper = (): void => undefined

  retrievePaymentIntent = (secret: string) => this.#retrieve('payment_intent', secret)
  retrieveSetupIntent = (secret: string) => this.#retrieve('setup_intent', secret)

  confirmCardPayment = (secret: string, data?: Given, options?: Given) =>
    this.#confirmCard('payment_intent', secret, data, options)
  confirmCardSetup = (secret: string, data?: Given, options?: Given) =>
    this.#confirmCard('setup_intent', secret, data, options)
  confirmPayPalPayment = (secret: string, data?: Given, options?: Given) =>
    this.#confirmPayPal('payment_intent', secret, data, options)
  confirmPayPalSetup = (secret: string, data?: Given, options?: Given) =>
    this.#confirmPayPal('setup_intent', secret, data, options)

  confirmPayment = (data: Given) => this.#confirmWallet('payment_intent', data)
  confirmSetup = (data: Given) => this.#confirmWallet('setup_intent', data)

  handleNextAction = async ({ clientSecret }: { clientSecret: string }) => {
    const noun = clientSecret.startsWith('seti_') ? 'setup_intent' : 'payment_intent'
    const answer = await this.#ask('GET', noun, clientSecret)
    return answer.error ? named(noun, answer) : this.#follow(noun, clientSecret, answer)
  }
  handleCardAction = (clientSecret: string) => this.handleNextAction({ clientSecret })

  createPaymentMethod = async ({ card, billing_details: billing }: Given) => {
    if (!(card instanceof CardElement))
      throw new TypeError('createPaymentMethod needs an Element of the card.')
    const { result, error } = await this.#call({
      method: 'POST',
      path: '/v1/payment_methods',
      fields: { type: 'card', ...flat('billing_details', billing) },
      card: { group: card.group, prefix: 'card' },
    })
    return error ? { error } : { paymentMethod: result }
  }

  async #retrieve(noun: Noun, secret: string) {
    return named(noun, await this.#ask('GET', noun, secret))
  }

  async #confirmCard(noun: Noun, secret: string, data: Given = {}, options: Given = {}) {
    const { payment_method: method, return_url: returnUrl, ...rest } = data
    const typed = isGiven(method) ? method : undefined
    const element = typed?.card instanceof CardElement ? typed.card : undefined
    if (typed && !element) throw new TypeError('The card must be an Element of this page.')
    const answer = await this.#ask(
      'POST',
      noun,
      secret,
      {
        ...flat('', pick(rest, ['setup_future_usage'])),
        ...(typeof returnUrl === 'string' ? { return_url: returnUrl } : {}),
        use_stripe_sdk: String(options.handleActions !== false),
        ...(typeof method === 'string' ? { payment_method: method } : {}),
        ...(element ? { 'payment_method_data[type]': 'card' } : {}),
        ...flat('payment_method_data[billing_details]', typed?.billing_details),
      },
      element && { group: element.group, prefix: 'payment_method_data[card]' },
    )
    if (answer.error || options.handleActions === false) return named(noun, answer)
    return this.#follow(noun, secret, answer)
  }

  async #confirmWallet(noun: Noun, { elements, clientSecret, confirmParams }: Given) {
    const choice = elements instanceof Elements ? elements.chosenWallet : undefined
    if (!choice || typeof clientSecret !== 'string')
      throw new TypeError('confirmPayment needs the Elements of a wallet that was used, and a client secret.')
    const answer = await this.#ask('POST', noun, clientSecret, {
      ...flat('', isGiven(confirmParams) ? pick(confirmParams, ['return_url']) : {}),
      use_stripe_sdk: 'true',
      ...walletFields(choice),
    })
    if (answer.error) return named(noun, answer)
    return this.#follow(noun, clientSecret, answer)
  }

  async #confirmPayPal(noun: Noun, secret: string, data: Given = {}, options: Given = {}) {
    const method = data.payment_method
    const billing = isGiven(method) ? method.billing_details : undefined
    const answer = await this.#ask('POST', noun, secret, {
      ...(typeof method === 'string'
        ? { payment_method: method }
        : { 'payment_method_data[type]': 'paypal' }),
      ...flat('payment_method_data[billing_details]', billing),
      ...(typeof data.return_url === 'string' ? { return_url: data.return_url } : {}),
    })
    if (answer.error || options.handleActions === false) return named(noun, answer)
    return this.#follow(noun, secret, answer)
  }

  /** Lets the customer authenticate if the intent requires it. If that leaves the page, the promise never resolves. */
  async #follow(noun: Noun, secret: string, answer: ApiAnswer): Promise<Record<string, unknown>> {
    const action = answer.result?.next_action
    if (answer.result?.status !== 'requires_action' || !action) return named(noun, answer)
    if (action.redirect_to_url) {
      window.location.assign(action.redirect_to_url.url)
      return new Promise(() => undefined)
    }
    await showBank(action.use_stripe_sdk!.stripe_js)
    const decided = await this.#ask('GET', noun, secret)
    const refusal = decided.result?.[noun === 'payment_intent' ? 'last_payment_error' : 'last_setup_error']
    if (decided.result?.status === 'requires_payment_method' && refusal)
      return { error: { ...refusal, [noun]: decided.result } }
    return named(noun, decided)
  }

  #ask(
    method: 'GET' | 'POST',
    noun: Noun,
    secret: string,
    fields: Fields = {},
    card?: ApiCall['card'],
  ): Promise<ApiAnswer> {
    const [id = ''] = secret.split('_secret_')
    if (!id.startsWith(noun === 'payment_intent' ? 'pi_' : 'seti_') || id === secret)
      throw new Error(`Invalid value for the client secret: it should be that of a ${noun}.`)
    const path = `/v1/${noun}s/${encodeURIComponent(id)}${method === 'POST' ? '/confirm' : ''}`
    return this.#call({
      method,
      path,
      fields: { ...fields, client_secret: secret },
      ...(card ? { card } : {}),
    })
  }

  #call = (call: Omit<ApiCall, 'call' | 'key'>): Promise<ApiAnswer> =>
    this.#controller.ask({ ...call, key: this.#key })
}

function named(noun: Noun, { result, error }: ApiAnswer): Record<string, unknown> {
  if (error) return { error }
  return { [noun === 'payment_intent' ? 'paymentIntent' : 'setupIntent']: result }
}

const pick = (given: Given, names: readonly string[]): Given =>
  Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))

/** Flattens nested fields to form names: `a[b][c]`. */
function flat(prefix: string, given: unknown): Fields {
  if (typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean')
    return { [prefix]: String(given) }
  if (!isGiven(given)) return {}
  const fields: Fields = Object.assign(
    {},
    ...Object.entries(given).map(([name, value]) => flat(prefix ? `${prefix}[${name}]` : name, value)),
  )
  return fields
}

const isGiven = (value: unknown): value is Given => typeof value === 'object' && value !== null

function openStripe(key: string): SandboxStripe {
  if (!key.startsWith('pk_test_')) throw new Error('The payment sandbox takes test keys only: pk_test_…')
  return new SandboxStripe(key)
}

Object.assign(window, { Stripe: Object.assign(openStripe, { version: 'endive' }) })
