import { CardElement, type ElementOptions } from './element.ts'
import { ExpressCheckoutElement } from './express-checkout.ts'
import { fieldTypeOf } from './field-types.ts'
import type { FieldOptions, WalletChoice } from './protocol.ts'

type AnyElement = CardElement | ExpressCheckoutElement

interface GroupOptions {
  readonly fonts?: FieldOptions['fonts']
  /** The sum that a wallet's sheet shows; needed for its buttons only. */
  readonly amount?: number
}

export class Elements {
  readonly #group = crypto.randomUUID()
  readonly #elements = new Map<string, AnyElement>()
  #options: GroupOptions

  constructor(options: GroupOptions = {}) {
    this.#options = options
  }

  create(type: string, options: ElementOptions = {}): AnyElement {
    if (this.#elements.has(type))
      throw new Error(`Can only create one Element of type ${type} through the same Elements group.`)
    const { fonts } = this.#options
    const element =
      type === 'expressCheckout'
        ? new ExpressCheckoutElement(() => this.#options.amount ?? 0)
        : new CardElement(fieldTypeOf(type), this.#group, { ...(fonts ? { fonts } : {}), ...options })
    const destroy = element.destroy
    element.destroy = () => {
      destroy()
      this.#elements.delete(type)
    }
    this.#elements.set(type, element)
    return element
  }

  getElement = (type: string): AnyElement | null => this.#elements.get(type) ?? null
  update = (change: GroupOptions = {}): void => {
    this.#options = { ...this.#options, ...change }
  }
  submit = async (): Promise<object> => ({})

  /** What the buyer approved in a wallet's sheet. */
  get chosenWallet(): WalletChoice | undefined {
    const element = this.#elements.get('expressCheckout')
    return element instanceof ExpressCheckoutElement ? element.choice : undefined
  }
}
