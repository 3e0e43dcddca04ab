import type { ReactNode, RefObject } from 'react'
import { NetProblem } from '#net/problem.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { serverMessage, somethingWentWrong, useWrite } from '#writes/use-write.ts'
import styles from './membership.module.css'

interface SecondPressProps {
  title: string
  press: string
  keep: string
  children: ReactNode
  act: () => Promise<unknown>
  onClose: () => void
  onDone: () => Promise<void>
  /** Called if the data behind the question has changed meanwhile. */
  onOutdated?: (() => Promise<unknown>) | undefined
  /** The element that gets the focus afterwards, already mounted; by default the button that was pressed. */
  focusAfter?: RefObject<HTMLElement | null>
}

/**
 * Asks for confirmation before something ends. If the action fails, the question stays and shows why
 * (MEMB-34).
 */
export function SecondPress(props: SecondPressProps) {
  const { title, press, keep, children, act, onClose, onDone, onOutdated, focusAfter } = props
  const isOutdated = (problem: unknown) => problem instanceof NetProblem && problem.status === 409
  const { write, busy, refusal } = useWrite(act, {
    onSuccess: onDone,
    onFailure: (problem) => isOutdated(problem) && onOutdated?.(),
    message: (problem) => (isOutdated(problem) ? serverMessage(problem) : somethingWentWrong()),
  })
  return (
    <Dialog
      open
      low
      onOpenChange={onClose}
      title={title}
      closeLabel={keep}
      finalFocus={focusAfter}
      actions={
        <Button look="danger" busy={busy} onClick={() => void write()}>
          {press}
        </Button>
      }
    >
      <div className="stack gap-3">{children}</div>
      {refusal && (
        <p className={styles.problem} role="alert">
          {refusal}
        </p>
      )}
    </Dialog>
  )
}
