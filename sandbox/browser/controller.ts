import type { ApiAnswer, ApiCall, ApiError, Envelope, FieldType, GroupWord } from './protocol.ts'

/** The controller frame: it calls the API for the page, and only it receives the values of the card fields. */
const holder = new URLSearchParams(location.search).get('holder') ?? ''
const CONTROLLER = 'controller'
const FIELDS_MS = 3_000

window.addEventListener(
  'message',
  ({ data, origin, source }: MessageEvent<Envelope<ApiCall> | undefined>) => {
    if (origin !== holder || source !== window.parent || data?.sandbox !== CONTROLLER) return
    const { call } = data.news
    void ask(data.news).then((answer) => tell({ ...answer, call }))
  },
)
tell({ call: 0 })

function tell(answer: ApiAnswer): void {
  window.parent.postMessage({ sandbox: CONTROLLER, news: answer } satisfies Envelope<ApiAnswer>, holder)
}

async function ask({ method, path, key, fields, card }: ApiCall): Promise<Omit<ApiAnswer, 'call'>> {
  const form = new URLSearchParams(fields)
  if (card) {
    const typed = await collect(card.group)
    if ('error' in typed) return typed
    const [month = '', year = ''] = typed.cardExpiry.split('/').map((part) => part.trim())
    form.set(`${card.prefix}[number]`, typed.cardNumber)
    form.set(`${card.prefix}[exp_month]`, month)
    form.set(`${card.prefix}[exp_year]`, year)
    form.set(`${card.prefix}[cvc]`, typed.cardCvc)
  }
  try {
    const response = await fetch(method === 'GET' ? `${path}?${form}` : path, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(method === 'POST' ? { body: form } : {}),
    })
    const answer: Record<string, unknown> & { readonly error: ApiError } = await response.json()
    return response.ok ? { result: answer } : { error: answer.error }
  } catch {
    return {
      error: {
        type: 'api_connection_error',
        message:
          'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
      },
    }
  }
}

type Typed = Record<FieldType, string>

/** Collects the values of a group's fields, or the error of the first invalid field. */
function collect(group: string): Promise<Typed | { error: ApiError }> {
  const channel = new BroadcastChannel(group)
  const question = crypto.randomUUID()
  const told = new Map<FieldType, Extract<GroupWord, { kind: 'told' }>>()
  return new Promise((resolve) => {
    const end = (result: Typed | { error: ApiError }) => {
      clearTimeout(timer)
      channel.close()
      resolve(result)
    }
    const timer = setTimeout(
      () => end(unfinished('incomplete_number', 'Your card number is incomplete.')),
      FIELDS_MS,
    )
    channel.addEventListener('message', ({ data }: MessageEvent<GroupWord>) => {
      if (data.kind !== 'told' || data.ask !== question) return
      told.set(data.type, data)
      if (told.size < 3) return
      const [number, expiry, cvc] = (['cardNumber', 'cardExpiry', 'cardCvc'] as const).map((type) =>
        told.get(type)!,
      )
      const error = number!.error ?? expiry!.error ?? cvc!.error
      if (error) end(unfinished(error.code, error.message))
      else end({ cardNumber: number!.value, cardExpiry: expiry!.value, cardCvc: cvc!.value })
    })
    channel.postMessage({ kind: 'ask', ask: question } satisfies GroupWord)
  })
}

const unfinished = (code: string, message: string) => ({ error: { type: 'validation_error', code, message } })
