import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import styles from './payment-form.module.css'
import type { Card, CardPart } from './use-card.ts'

/** Number, expiry and CVC: our labels and edges, the provider's frames inside (PAY-36). */
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
      {/* The frame's own field carries the name; these words are for the eye, and a press on them goes into it. */}
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
