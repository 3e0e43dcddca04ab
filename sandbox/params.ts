import { invalidRequest, missingParam, unknownParam } from './errors.ts'
import { isParams, type Params } from './form.ts'

export class Reader {
  readonly #params: Params
  readonly #prefix: string

  /** Every parameter must be one of `known`: a misspelt one is refused, not ignored. */
  constructor(params: Params, known: readonly string[], prefix = '') {
    this.#params = params
    this.#prefix = prefix
    for (const name of Object.keys(params)) if (!known.includes(name)) throw unknownParam(this.#name(name))
  }

  has = (name: string): boolean => this.#params[name] !== undefined

  isText = (name: string): boolean => typeof this.#params[name] === 'string'

  /** Undefined if it was not sent. An empty text clears a field at Stripe and is returned as null. */
  text(name: string): string | null | undefined {
    const value = this.#params[name]
    if (value === undefined) return undefined
    if (typeof value !== 'string')
      throw invalidRequest(`Invalid string: ${this.#name(name)}`, { param: this.#name(name) })
    return value === '' ? null : value
  }

  demandText(name: string): string {
    const value = this.text(name)
    if (value === undefined || value === null) throw missingParam(this.#name(name))
    return value
  }

  choice<const T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.text(name) ?? undefined
    const chosen = choices.find((choice) => choice === value)
    if (value === undefined || chosen !== undefined) return chosen
    throw invalidRequest(`Invalid ${this.#name(name)}: must be one of ${choices.join(', ')}`, {
      param: this.#name(name),
    })
  }

  integer(name: string): number | undefined {
    const value = this.text(name)
    if (value === undefined || value === null) return undefined
    if (!/^-?\d{1,15}$/.test(value))
      throw invalidRequest(`Invalid integer: ${value}`, {
        code: 'parameter_invalid_integer',
        param: this.#name(name),
      })
    return Number(value)
  }

  number(name: string): number | undefined {
    const value = this.text(name)
    if (value === undefined || value === null) return undefined
    if (!/^\d+(?:\.\d+)?$/.test(value))
      throw invalidRequest(`Invalid decimal: ${value}`, { param: this.#name(name) })
    return Number(value)
  }

  flag(name: string): boolean {
    const value = this.text(name) ?? 'false'
    if (value !== 'true' && value !== 'false')
      throw invalidRequest(`Invalid boolean: ${value}`, { param: this.#name(name) })
    return value === 'true'
  }

  list(name: string): string[] | undefined {
    const value = this.#params[name]
    if (value === undefined || value === '') return undefined
    const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
    if (!Array.isArray(value) || texts.length < value.length)
      throw invalidRequest('Invalid array', { param: this.#name(name) })
    return texts
  }

  /** A list of objects: `items[0][price]=…`. Empty if it was not sent or was cleared. */
  each(name: string, known: readonly string[]): Reader[] {
    const value = this.#params[name]
    if (value === undefined || value === '') return []
    if (!Array.isArray(value)) throw invalidRequest('Invalid array', { param: this.#name(name) })
    return value.map((one, index) => {
      if (!isParams(one)) throw invalidRequest('Invalid object', { param: this.#name(name) })
      return new Reader(one, known, `${this.#name(name)}[${index}]`)
    })
  }

  nested(name: string, known: readonly string[]): Reader | undefined {
    const value = this.#params[name]
    if (value === undefined || value === '') return undefined
    if (!isParams(value)) throw invalidRequest('Invalid object', { param: this.#name(name) })
    return new Reader(value, known, this.#name(name))
  }

  /** The object's metadata after the change: keys are added and replaced, empty ones removed. */
  metadata(before: Readonly<Record<string, string>> = {}): Record<string, string> {
    const value = this.#params.metadata
    if (value === undefined) return { ...before }
    if (value === '') return {}
    const metadata = { ...before }
    for (const [name, text] of Object.entries(value)) {
      if (typeof text !== 'string' || text.length > 500 || name.length > 40)
        throw invalidRequest('Metadata values can have up to 500 characters, keys up to 40.', {
          param: 'metadata',
        })
      if (text === '') delete metadata[name]
      else metadata[name] = text
    }
    return metadata
  }

  #name = (name: string): string => (this.#prefix ? `${this.#prefix}[${name}]` : name)
}
