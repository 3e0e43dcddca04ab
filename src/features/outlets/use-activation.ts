import { useRef, useState } from 'react'
import type { CardActivation } from '#contract/cards.ts'
import { announce } from '#ui/announce.ts'
import { activateCard, findActivation } from './mutations.ts'
import { canActivate, refusalOf, type Sold } from './activation.ts'
import { spokenResult } from './activation-words.ts'

/** A card on its way, with the address that stood beside it when it was scanned. */
interface Waiting {
  readonly token: string
  readonly buyerEmail: string | null
}

interface ActivationOptions {
  readonly emailRequired: boolean
  readonly onActivated: (activation: CardActivation) => void
}

/**
 * The till's one field. It is free again at once, since a scanner does not wait: cards that are scanned while another is on
 * its way follow it. A refusal stops them, so that nobody overlooks it: it names those that were not activated, and the
 * refused code is back in the field.
 */
export function useActivation({ emailRequired, onActivated }: ActivationOptions) {
  const [code, setCode] = useState('')
  const [email, setEmail] = useState('')
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Sold | null>(null)
  // The handlers' view of it: a scanner types faster than the screen is drawn.
  const now = useRef({ code: '', email: '', busy: false, waiting: new Array<Waiting>() })

  const type = (typed: string) => {
    now.current.code = typed
    setCode(typed)
  }
  const address = (typed: string) => {
    now.current.email = typed
    setEmail(typed)
  }
  const say = (sold: Sold) => {
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
      // Text typed meanwhile is the next buyer's, and this one may have more cards on their way.
      const isTheirs = (current.email.trim() || null) === buyerEmail
      if (isTheirs && !current.waiting.some((card) => card.buyerEmail === buyerEmail)) address('')
      onActivated(sold.activation)
    }
    if (sold.kind === 'activated' || sold.kind === 'already') return say(sold)
    say({ ...sold, notYet: current.waiting.splice(0).map((card) => card.token) })
    // Text that is being typed meanwhile is the next card.
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
    /** As if it had been typed. */
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
    // If it was another day, or the answer is lost, the rest is still true.
    return { ...refused, activation: await findActivation(token).catch(() => null) }
  }
}
