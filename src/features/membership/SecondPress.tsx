import type { ReactNode, RefObject } from 'react'
import { NetProblem } from '#net/problem.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { serverMessage, somethingWentWrong, useWrite } from '#writes/use-write.ts'
import styles from './membership.module.css'

interface SecondPressProps {
  title: string
  /** Words of the button that does it, and of the one that leaves all as it is. */
  press: string
  keep: string
  children: ReactNode
  act: () => Promise<unknown>
  onClose: () => void
  onDone: () => Promise<void>
  /** The thing asked about has changed meanwhile. */
  onOutdated?: (() => Promise<unknown>) | undefined
  /** The element that takes the focus afterwards, and stands there already; else what was pressed. */
  focusAfter?: RefObject<HTMLElement | null>
}

/** A press that ends something is asked about once. If it fails, the question stays and says so (MEMB-34). */
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
