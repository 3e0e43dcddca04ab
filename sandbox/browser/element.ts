import type { Envelope, FieldNews, FieldOptions, FieldOrder, FieldType } from './protocol.ts'
import { scriptOrigin } from './script-origin.ts'

type Listener = (event?: unknown) => void

const TITLES = {
  cardNumber: 'Secure card number input frame',
  cardExpiry: 'Secure expiration date input frame',
  cardCvc: 'Secure CVC input frame',
} as const

const LOAD_MS = 10_000
const STATES = ['base', 'complete', 'empty', 'focus', 'invalid'] as const
type State = (typeof STATES)[number]

export interface ElementOptions extends FieldOptions {
  readonly classes?: Readonly<Partial<Record<State, string>>>
}

/** The page's side of a card field: creates the frame and forwards its messages as events. */
export class CardElement {
  readonly group: string
  readonly #type: FieldType
  readonly #id = crypto.randomUUID()
  readonly #listeners = new Map<string, Set<Listener>>()
  #options: ElementOptions
  #frame: HTMLIFrameElement | undefined
  #container: HTMLElement | undefined
  #unmount: AbortController | undefined
  #isReady = false

  constructor(type: FieldType, group: string, options: ElementOptions) {
    this.#type = type
    this.group = group
    this.#options = options
  }

  mount(where: string | HTMLElement): void {
    const container = typeof where === 'string' ? document.querySelector<HTMLElement>(where) : where
    if (!container)
      throw new Error(
        `The selector you specified (${typeof where === 'string' ? where : where.tagName}) applies to no DOM elements.`,
      )
    if (this.#container === container && this.#frame) return
    this.unmount()
    this.#container = container
    this.#unmount = new AbortController()
    const { signal } = this.#unmount
    const frame = this.#newFrame()
    this.#frame = frame
    window.addEventListener('message', (event) => this.#hear(event), { signal })
    // A click on the container's label focuses the field.
    for (const label of document.querySelectorAll(`label[for="${CSS.escape(container.id)}"]`))
      label.addEventListener('click', () => this.focus(), { signal })
    const late = setTimeout(
      () => this.#say('loaderror', { elementType: this.#type, error: { type: 'api_connection_error' } }),
      LOAD_MS,
    )
    signal.addEventListener('abort', () => clearTimeout(late))
    this.on('ready', () => clearTimeout(late))
    container.replaceChildren(frame)
    this.#mark({ base: true, empty: true })
  }

  unmount(): void {
    this.#unmount?.abort()
    this.#frame?.remove()
    this.#mark({ base: false, complete: false, empty: false, focus: false, invalid: false })
    this.#frame = undefined
    this.#container = undefined
    this.#isReady = false
  }

  destroy = (): void => this.unmount()
  focus = (): void => this.#order({ kind: 'focus' })
  blur = (): void => this.#order({ kind: 'blur' })
  clear = (): void => this.#order({ kind: 'clear' })

  update(change: ElementOptions): void {
    this.#options = { ...this.#options, ...change }
    this.#order({ kind: 'options', options: this.#fieldOptions() })
  }

  on(event: string, listener: Listener): this {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
    return this
  }

  once(event: string, listener: Listener): this {
    const first: Listener = (given) => {
      this.off(event, first)
      listener(given)
    }
    return this.on(event, first)
  }

  off(event: string, listener?: Listener): this {
    if (listener) this.#listeners.get(event)?.delete(listener)
    else this.#listeners.delete(event)
    return this
  }

  #newFrame(): HTMLIFrameElement {
    const frame = document.createElement('iframe')
    const query = new URLSearchParams({ id: this.#id, group: this.group, holder: location.origin })
    frame.src = `${scriptOrigin}/elements/${this.#type}?${query}`
    frame.title = TITLES[this.#type]
    frame.name = `__sandboxStripeFrame-${this.#type}`
    // The frame needs the same colour scheme as its document, otherwise the browser paints an opaque background.
    frame.style.cssText =
      'display: block; inline-size: 100%; block-size: 1.2em; border: 0; margin: 0; padding: 0; color-scheme: light; background: transparent'
    return frame
  }

  #hear({ data, origin, source }: MessageEvent<Envelope<FieldNews> | undefined>): void {
    if (origin !== scriptOrigin || source !== this.#frame?.contentWindow || data?.sandbox !== this.#id) return
    const { news } = data
    switch (news.kind) {
      case 'loaded':
        return this.#post({ kind: 'options', options: this.#fieldOptions() })
      case 'ready':
        this.#isReady = true
        this.#resize(news.height)
        return this.#say('ready', { elementType: this.#type })
      case 'resized':
        return this.#resize(news.height)
      case 'changed': {
        const { empty, complete, error, brand } = news
        this.#mark({ empty, complete, invalid: error !== undefined })
        return this.#say('change', {
          elementType: this.#type,
          empty,
          complete,
          error: error && { type: 'validation_error', ...error },
          ...(this.#type === 'cardNumber' ? { brand, brands: null } : {}),
        })
      }
      case 'enter':
        // As in a normal input, Enter submits the form.
        return this.#container?.closest('form')?.requestSubmit()
      case 'focus':
      case 'blur':
        this.#mark({ focus: news.kind === 'focus' })
        return this.#say(news.kind, { elementType: this.#type })
      case 'escape':
        return this.#say('escape', { elementType: this.#type })
    }
  }

  #say(event: string, given: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(given)
  }

  #order(order: FieldOrder): void {
    if (this.#isReady) this.#post(order)
    else this.once('ready', () => this.#post(order))
  }

  #post(order: FieldOrder): void {
    const envelope: Envelope<FieldOrder> = { sandbox: this.#id, news: order }
    this.#frame?.contentWindow?.postMessage(envelope, scriptOrigin)
  }

  #resize(height: number): void {
    if (height > 0) this.#frame?.style.setProperty('block-size', `${height}px`)
  }

  #fieldOptions(): FieldOptions {
    const { style, placeholder, disabled, fonts } = this.#options
    return {
      ...(style ? { style } : {}),
      ...(placeholder === undefined ? {} : { placeholder }),
      ...(disabled === undefined ? {} : { disabled }),
      ...(fonts ? { fonts } : {}),
    }
  }

  #mark(states: Partial<Record<State, boolean>>): void {
    for (const state of STATES) {
      const holds = states[state]
      if (holds === undefined) continue
      const names =
        this.#options.classes?.[state] ?? (state === 'base' ? 'StripeElement' : `StripeElement--${state}`)
      for (const name of names.split(' ')) this.#container?.classList.toggle(name, holds)
    }
  }
}
