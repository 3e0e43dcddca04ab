import { useRef, useState } from 'react'
import type { CardActivation } from '#contract/cards.ts'
import { announce } from '#ui/announce.ts'
import { activateCard, findActivation } from './calls.ts'
import { canActivate, refusalOf, type Sold } from './desk-model.ts'
import { spokenResult } from './till-words.ts'

interface TillOptions {
  readonly emailRequired: boolean
  readonly onActivated: (activation: CardActivation) => void
}

/**
 * The till's one field. It is free again at once, since a scanner does not wait: a card that is scanned while another is
 * on its way is activated after it. A refusal stops that, so that nobody overlooks it; then the code is back in the field.
 */
export function useTill({ emailRequired, onActivated }: TillOptions) {
  const [code, setCode] = useState('')
  const [email, setEmail] = useState('')
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<Sold | null>(null)
  // What the handlers see of it: a scanner types faster than the screen is drawn.
  const now = useRef({ code: '', email: '', busy: false, another: false })

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
    if (current.busy) {
      current.another = true
      return
    }
    const token = current.code.trim()
    const buyerEmail = current.email.trim()
    current.busy = true
    setBusy(true)
    type('')
    const sold = await sell(token, buyerEmail || null)
    current.busy = false
    setBusy(false)
    say(sold)
    if (sold.kind === 'activated') {
      address('')
      onActivated(sold.activation)
    }
    const goesOn = current.another && (sold.kind === 'activated' || sold.kind === 'already')
    current.another = false
    if (goesOn) return activate()
    // Whatever has been typed meanwhile is the next card.
    if (sold.kind !== 'activated' && sold.kind !== 'already' && current.code === '') type(token)
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
    // Where it was another day, or the answer is lost, the rest is still true.
    return { ...refused, activation: await findActivation(token).catch(() => null) }
  }
}
