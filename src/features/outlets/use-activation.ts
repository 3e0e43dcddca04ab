import { useRef, useState } from 'react'
import type { CardActivation } from '#contract/cards.ts'
import { announce } from '#ui/announce.ts'
import { canActivate, refusalOf, type Sold, spokenResult } from './activation.ts'
import { call } from '#net/call.ts'

/** A card that is waiting to be sent, with the address that was typed when it was scanned. */
interface Waiting {
  readonly token: string
  readonly buyerEmail: string | null
}

interface ActivationOptions {
  readonly emailRequired: boolean
  readonly onActivated: (activation: CardActivation) => void
}

/**
 * The state of the point of sale's field. A scanner does not wait for responses, so the field is free again at once and
 * cards are sent one after the other. A refusal stops the queue so that it is noticed: it lists the codes that were not
 * activated, and puts the refused code back into the field.
 */
export function useActivation({ emailRequired, onActivated }: ActivationOptions) {
  const [code, setCode] = useState('')
  const [email, setEmail] = useState('')
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Sold | null>(null)
  // Handlers read a ref, because a scanner types faster than React renders.
  const now = useRef({ code: '', email: '', busy: false, waiting: new Array<Waiting>() })

  const type = (typed: string) => {
    now.current.code = typed
    setCode(typed)
  }
  const address = (typed: string) => {
    now.current.email = typed
    setEmail(typed)
  }
  const report = (sold: Sold) => {
    setResult(sold)
    announce(spokenResult(sold), 'assertive')
  }

  async function activate(): Promise<void> {
    const { current } = now
    if (!canActivate({ ...current, emailRequired })) return
    current.waiting.push({ token: current.code.trim(), buyerEmail: current.email.trim() || null })
    type('')
    if (current.busy) return
    current.busy = true
    setBusy(true)
    for (let card = current.waiting.shift(); card; card = current.waiting.shift()) await sellOne(card)
    current.busy = false
    setBusy(false)
  }

  async function sellOne({ token, buyerEmail }: Waiting): Promise<void> {
    const { current } = now
    const sold = await sell(token, buyerEmail)
    if (sold.kind === 'activated') {
      // Keep an address that was typed meanwhile, or that another waiting card needs.
      const isTheirs = (current.email.trim() || null) === buyerEmail
      if (isTheirs && !current.waiting.some((card) => card.buyerEmail === buyerEmail)) address('')
      onActivated(sold.activation)
    }
    if (sold.kind === 'activated' || sold.kind === 'already') return report(sold)
    report({ ...sold, notYet: current.waiting.splice(0).map((card) => card.token) })
    // Text that was typed meanwhile is the next card.
    if (current.code === '') type(token)
  }

  return {
    code,
    email,
    busy,
    result,
    type,
    address,
    activate,
    async scanned(text: string) {
      type(text)
      await activate()
    },
    clear: () => setResult(null),
  }
}

async function sell(token: string, buyerEmail: string | null): Promise<Sold> {
  try {
    return { kind: 'activated', activation: await activateCard(token, buyerEmail) }
  } catch (problem) {
    const refused = refusalOf(problem, token)
    if (refused.kind !== 'already') return refused
    // Without it, the refusal is still true.
    return { ...refused, activation: await findActivation(token).catch(() => null) }
  }
}

/** ENT-20. */
const activateCard = (token: string, buyerEmail: string | null): Promise<CardActivation> =>
  call('POST /api/audiobook-cards/activate', { body: { token, buyerEmail } })

/** This bookshop's earlier activation of the card. */
const findActivation = (token: string): Promise<CardActivation> =>
  call('POST /api/audiobook-cards/find-activation', { body: { token } })

export const takeBack = (id: string): Promise<CardActivation> =>
  call('POST /api/audiobook-cards/activations/{id}/take-back', { params: { id } })
