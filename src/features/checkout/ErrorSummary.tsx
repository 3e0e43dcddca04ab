import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { useEffect, useRef } from 'react'
import { Icon } from '#ui/Icon.tsx'
import styles from './payment-form.module.css'
import { FieldLink } from './FieldLink.tsx'

interface Problem {
  readonly words: string
  /** Id of the field it is about. */
  readonly to?: string | undefined
  /** In place of an id: the field lies in a frame. */
  readonly onFollow?: () => void
}

interface ErrorSummaryProps {
  /** The certain part about the money. */
  title: string
  problems: readonly Problem[]
  /** It has just come of a press: the focus comes here. */
  focus: boolean
}

/** Says first what happened to the money, then links to each field that needs attention. */
export function ErrorSummary({ title, problems, focus }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focus) box.current?.focus()
  }, [focus])
  if (problems.length === 0) return null
  return (
    <div ref={box} className={styles.summary} role="alert" tabIndex={-1}>
      <Icon of={WarningCircleIcon} />
      <b>{title}</b>
      <ul role="list">
        {problems.map(({ words, to, onFollow }) => (
          <li key={words}>
            {to || onFollow ? <FieldLink words={words} to={to} onFollow={onFollow} /> : words}
          </li>
        ))}
      </ul>
    </div>
  )
}
