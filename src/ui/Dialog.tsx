import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { buttonClass } from './Button.tsx'
import { cx } from './cx.ts'
import styles from './Dialog.module.css'
import { keepOpenForNotices } from './Toaster.tsx'
import overlay from './overlay.module.css'

interface DialogProps {
  open: boolean
  /** Called with false on Esc, on the backdrop and on the closing button. */
  onOpenChange: (open: boolean) => void
  title: ReactNode
  children?: ReactNode | undefined
  /** Buttons labelled with verbs; the closing button is added before them. */
  actions?: ReactNode | undefined
  closeLabel?: string | undefined
  /** The element to focus after closing, if it is not the previously focused one. */
  finalFocus?: RefObject<HTMLElement | null> | undefined
  initialFocus?: RefObject<HTMLElement | null> | undefined
  className?: string | undefined
  /** On phones: at the lower edge, within reach of a thumb, with full-width buttons. */
  low?: boolean | undefined
}

export function Dialog(props: DialogProps) {
  const {
    open,
    onOpenChange,
    title,
    children,
    actions,
    closeLabel = 'Close',
    finalFocus,
    initialFocus,
  } = props
  return (
    <Base.Root open={open} onOpenChange={keepOpenForNotices(onOpenChange)}>
      <Base.Portal>
        <Base.Backdrop className={cx(overlay.scrim, overlay.dialogScrim)} />
        <Base.Viewport className={cx(styles.viewport, props.low && styles.low)}>
          <Base.Popup
            className={cx(styles.popup, props.className)}
            finalFocus={finalFocus}
            initialFocus={initialFocus}
          >
            <Base.Title className={cx(styles.title)}>{title}</Base.Title>
            {children && (
              <Base.Description render={<div />} className={cx(styles.body)} children={children} />
            )}
            <div className={styles.actions}>
              <Base.Close className={buttonClass({ look: actions ? 'text' : 'solid' })}>
                {closeLabel}
              </Base.Close>
              {actions}
            </div>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
