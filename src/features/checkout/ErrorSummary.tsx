import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { useEffect, useRef } from 'react'
import { Icon } from '#ui/Icon.tsx'
import styles from './ErrorSummary.module.css'

interface Problem {
  readonly words: string
  /** Id of the field it is about. */
  readonly to?: string | undefined
  /** In place of an id: the field lies in a frame. */
  readonly onFollow?: () => void
}

interface ErrorSummaryProps {
  problems: readonly Problem[]
  /** It has just come of a press: the focus comes here. */
  focus: boolean
}

/** Begins with what did not happen, then leads to each field that keeps it from happening. */
export function ErrorSummary({ problems, focus }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focus) box.current?.focus()
  }, [focus])
  if (problems.length === 0) return null
  return (
    <div ref={box} className={styles.summary} role="alert" tabIndex={-1}>
      <Icon of={WarningCircleIcon} />
      <b>Nothing has been charged yet.</b>
      <ul role="list">
        {problems.map(({ words, to, onFollow }) => (
          <li key={words}>
            {to || onFollow ? (
              <a
                href={`#${to ?? ''}`}
                onClick={(event) => {
                  event.preventDefault()
                  if (onFollow) onFollow()
                  else if (to) document.getElementById(to)?.focus()
                }}
              >
                {words}
              </a>
            ) : (
              words
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
