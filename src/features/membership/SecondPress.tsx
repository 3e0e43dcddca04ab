import { useState, type ReactNode, type RefObject } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import styles from './leaving.module.css'

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
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const go = async () => {
    setBusy(true)
    setProblem('')
    try {
      await act()
      await onDone()
    } catch (failure) {
      const isOutdated = failure instanceof NetProblem && failure.status === 409
      setProblem((isOutdated && failure.description) || MESSAGES.somethingWentWrong)
      if (isOutdated) await onOutdated?.()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      low
      onOpenChange={onClose}
      title={title}
      closeLabel={keep}
      finalFocus={focusAfter}
      actions={
        <Button look="danger" busy={busy} onClick={() => void go()}>
          {press}
        </Button>
      }
    >
      <div className="stack gap-3">{children}</div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  )
}
