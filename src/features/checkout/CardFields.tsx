import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import type { Stripe, StripeCardNumberElement, StripeElementStyle } from '@stripe/stripe-js'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import styles from './checkout.module.css'

/** Number, expiry and CVC: our labels and borders around Stripe's iframes (PAY-36). */
export function CardFields({ card, marked }: { card: Card; marked?: boolean | undefined }) {
  const asked = (words: string) => (marked ? `${words} *` : words)
  return (
    <div className="stack gap-4" aria-busy={!card.ready}>
      <Part card={card} part="cardNumber" label={asked('Card number')} />
      <div className={styles.twoFields}>
        <Part card={card} part="cardExpiry" label={asked('Expiry')} />
        <Part card={card} part="cardCvc" label={asked('CVC')} hint="3 digits on the back" />
      </div>
    </div>
  )
}

interface PartProps {
  card: Card
  part: CardPart
  label: string
  hint?: string
}

function Part({ card, part, label, hint }: PartProps) {
  const { focused, problem } = card.parts[part]
  return (
    <div className={styles.part}>
      {/* The iframe's field has its own accessible name, so hide this label. A click on it focuses the
          iframe. */}
      <span className={styles.label} onClick={() => card.focus(part)} aria-hidden="true">
        {label}
      </span>
      <div
        ref={card.boxes[part]}
        className={cx(styles.box, focused && styles.focused, problem && styles.invalid)}
        data-part={part}
      />
      {problem ? (
        <p className={styles.problem} role="alert">
          <Icon of={WarningCircleIcon} size={20} />
          <span>{problem}</span>
        </p>
      ) : (
        hint && <p className={styles.hint}>{hint}</p>
      )}
    </div>
  )
}

type CardPart = 'cardNumber' | 'cardExpiry' | 'cardCvc'
const PARTS = ['cardNumber', 'cardExpiry', 'cardCvc'] as const

interface PartState {
  readonly complete: boolean
  readonly focused: boolean
  readonly problem: string
}
const UNTOUCHED: PartState = { complete: false, focused: false, problem: '' }

export interface Card {
  readonly boxes: Readonly<Record<CardPart, RefObject<HTMLDivElement | null>>>
  readonly parts: Readonly<Record<CardPart, PartState>>
  /** All three fields are mounted and accept input (PAY-42). */
  readonly ready: boolean
  /** PAY-17. */
  readonly complete: boolean
  readonly element: () => StripeCardNumberElement | undefined
  readonly focus: (part: CardPart) => void
}

/** Stripe's three fields, in iframes of Stripe's origin: no card number ever reaches this page. */
export function useCard(stripe: Stripe | null): Card {
  const boxes = {
    cardNumber: useRef<HTMLDivElement>(null),
    cardExpiry: useRef<HTMLDivElement>(null),
    cardCvc: useRef<HTMLDivElement>(null),
  }
  const elements = useRef<Partial<Record<CardPart, { focus: () => void }>>>({})
  const number = useRef<StripeCardNumberElement>(undefined)
  const [readyParts, setReadyParts] = useState<ReadonlySet<CardPart>>(new Set())
  const [parts, setParts] = useState<Record<CardPart, PartState>>({
    cardNumber: UNTOUCHED,
    cardExpiry: UNTOUCHED,
    cardCvc: UNTOUCHED,
  })
  const mounts = useRef(boxes)

  useEffect(() => {
    if (!stripe) return undefined
    const group = stripe.elements({ locale: 'en-GB' })
    const change = (part: CardPart, next: Partial<PartState>) =>
      setParts((known) => ({ ...known, [part]: { ...known[part], ...next } }))
    const made = PARTS.map((part) => {
      const box = mounts.current[part].current
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all three have the same methods, under three overloads
      const element = group.create(part as 'cardNumber', { style: styleOf(box) })
      element.on('ready', () => setReadyParts((ready) => new Set(ready).add(part)))
      element.on('change', ({ complete, error }) => change(part, { complete, problem: error?.message ?? '' }))
      element.on('focus', () => change(part, { focused: true }))
      element.on('blur', () => change(part, { focused: false }))
      if (box) element.mount(box)
      elements.current[part] = element
      if (part === 'cardNumber') number.current = element
      return { element, box }
    })
    // The iframes don't see our colours: send the new ones when the colour scheme changes.
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const recolour = () => made.forEach(({ element, box }) => element.update({ style: styleOf(box) }))
    scheme.addEventListener('change', recolour)
    return () => {
      scheme.removeEventListener('change', recolour)
      made.forEach(({ element }) => element.destroy())
      elements.current = {}
      number.current = undefined
      setReadyParts(new Set())
    }
  }, [stripe])

  return {
    boxes,
    parts,
    ready: PARTS.every((part) => readyParts.has(part)),
    complete: PARTS.every((part) => parts[part].complete),
    element: () => number.current,
    focus: (part) => elements.current[part]?.focus(),
  }
}

function styleOf(box: HTMLElement | null): StripeElementStyle {
  const colours = getComputedStyle(box ?? document.documentElement)
  const token = (name: string) => colours.getPropertyValue(name).trim()
  return {
    base: {
      color: token('--ink'),
      // The background behind the field: a contrast checker inside the iframe cannot see the page.
      backgroundColor: token('--surface'),
      iconColor: token('--ink-2'),
      fontFamily: 'Source Sans 3, Segoe UI, Arial, sans-serif',
      fontSize: '17px',
      '::placeholder': { color: token('--ink-3') },
    },
    invalid: { color: token('--ink'), iconColor: token('--danger') },
  }
}
