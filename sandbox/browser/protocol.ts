/** Messages between the page and the frames. They never contain a card number. */
export type FieldType = 'cardNumber' | 'cardExpiry' | 'cardCvc'

export interface FieldError {
  readonly code: string
  readonly message: string
}

export type FieldNews =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'ready'; readonly height: number }
  | { readonly kind: 'resized'; readonly height: number }
  | {
      readonly kind: 'changed'
      readonly empty: boolean
      readonly complete: boolean
      readonly error: FieldError | undefined
      readonly brand: string
    }
  | { readonly kind: 'focus' | 'blur' | 'escape' | 'enter' }

export type FieldStyle = Readonly<Record<string, string | Readonly<Record<string, string>>>>

export interface FieldOptions {
  readonly style?: Readonly<Partial<Record<'base' | 'complete' | 'empty' | 'invalid', FieldStyle>>>
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly fonts?: readonly { readonly family?: string; readonly src?: string; readonly weight?: string }[]
}

export type FieldOrder =
  | { readonly kind: 'options'; readonly options: FieldOptions }
  | { readonly kind: 'focus' | 'blur' | 'clear' }

/** Between the frames of one group, on a BroadcastChannel that other origins cannot read. */
export type GroupWord =
  | { readonly kind: 'ask'; readonly ask: string }
  | {
      readonly kind: 'told'
      readonly ask: string
      readonly type: FieldType
      readonly value: string
      readonly error: FieldError | undefined
    }
  | { readonly kind: 'brand'; readonly brand: string }

/** What the buyer approved in a wallet's sheet. `card` names a test card: `visa`, `visa_chargeDeclined` … */
export interface WalletChoice {
  readonly wallet: 'applepay' | 'googlepay' | 'link'
  readonly card: string
  readonly email: string
  readonly name: string
  readonly country: string
}

/** From the frame with the wallets' buttons. */
export type WalletNews =
  | { readonly kind: 'ready'; readonly wallets: readonly WalletChoice['wallet'][] }
  | { readonly kind: 'resized'; readonly height: number }
  | { readonly kind: 'pressed'; readonly wallet: WalletChoice['wallet'] }

export type Fields = Readonly<Record<string, string>>

/** From the page to the controller frame: one API call, optionally with the fields of a group's card. */
export interface ApiCall {
  readonly call: number
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly key: string
  readonly fields: Fields
  /** The card's values are added to the request as `{prefix}[number]` and so on. */
  readonly card?: { readonly group: string; readonly prefix: string }
}

export interface ApiError {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly [field: string]: unknown
}

export interface NextAction {
  readonly type: string
  readonly redirect_to_url?: { readonly url: string }
  readonly use_stripe_sdk?: { readonly stripe_js: string }
}

export interface ApiAnswer {
  readonly call: number
  readonly result?: Record<string, unknown> & { readonly next_action?: NextAction | null }
  readonly error?: ApiError
}

/** The field that identifies our messages among others. */
export interface Envelope<T> {
  readonly sandbox: string
  readonly news: T
}
