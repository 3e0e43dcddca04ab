import { CardElement, type ElementOptions } from './element.ts'
import { fieldTypeOf } from './field-types.ts'
import type { FieldOptions } from './protocol.ts'

export class Elements {
  readonly #group = crypto.randomUUID()
  readonly #elements = new Map<string, CardElement>()
  readonly #fonts: FieldOptions['fonts']

  constructor({ fonts }: { fonts?: FieldOptions['fonts'] } = {}) {
    this.#fonts = fonts
  }

  create(type: string, options: ElementOptions = {}): CardElement {
    const field = fieldTypeOf(type)
    if (this.#elements.has(type))
      throw new Error(`Can only create one Element of type ${type} through the same Elements group.`)
    const element = new CardElement(field, this.#group, {
      ...(this.#fonts ? { fonts: this.#fonts } : {}),
      ...options,
    })
    const destroy = element.destroy
    element.destroy = () => {
      destroy()
      this.#elements.delete(type)
    }
    this.#elements.set(type, element)
    return element
  }

  getElement = (type: string): CardElement | null => this.#elements.get(type) ?? null
  update = (): void => undefined
}
