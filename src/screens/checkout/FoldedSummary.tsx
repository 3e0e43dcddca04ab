import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { useId, useState, type ReactNode } from 'react'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './FoldedSummary.module.css'

interface FoldedSummaryProps {
  /** What is bought: "Your bag". */
  title: string
  /** All of it in one line. */
  line: ReactNode
  children: ReactNode
}

/** Beside the form; on phones folded into one line above it. */
export function FoldedSummary({ title, line, children }: FoldedSummaryProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
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
      <div id={id} className={styles.body} data-open={open ? '' : undefined}>
        <Display as="h2" size="sm" className={styles.heading}>
          {title}
        </Display>
        {children}
      </div>
    </aside>
  )
}
