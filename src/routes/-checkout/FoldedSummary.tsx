import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { useId, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './summary.module.css'

interface FoldedSummaryProps {
  /** The name of what is bought: "Your bag". */
  title: string
  /** All of it in one line. */
  line: ReactNode
  /** A code can be typed in it, and none holds yet. */
  takesCode: boolean
  children: ReactNode
}

/** Beside the form; on phones folded into one line above it. */
export function FoldedSummary({ title, line, takesCode, children }: FoldedSummaryProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const body = useRef<HTMLDivElement>(null)
  const toCode = () => {
    // Drawn first: what is folded takes no focus.
    flushSync(() => setOpen(true))
    body.current?.querySelector('input')?.focus()
  }
  return (
    <aside className={styles.summary} aria-label={title}>
      <button
        type="button"
        className={styles.line}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {line}
        <Icon of={CaretDownIcon} size={18} />
      </button>
      {takesCode && !open && (
        <div className={styles.code}>
          <Button look="text" onClick={toCode}>
            Have a code?
          </Button>
        </div>
      )}
      <div ref={body} id={id} className={styles.body} data-open={open ? '' : undefined}>
        <Display as="h2" size="sm" className={styles.heading}>
          {title}
        </Display>
        {children}
      </div>
    </aside>
  )
}
