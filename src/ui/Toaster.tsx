import { useEffect, useState } from 'react'
import { dismissToast, useToasts, type Toast } from './toast.ts'
import styles from './Toaster.module.css'

/** Shows toasts above the bars at the bottom; render once per window. */
export function Toaster() {
  const shown = useToasts(({ shown }) => shown)
  return (
    // Always in the page: screen readers often skip a live region that appears together with its text.
    // `aria-live` as well, because dialogs hide everything else from screen readers.
    <div className={styles.region} role="status" aria-live="polite" data-notices>
      {shown && <ToastLine key={shown.id} toast={shown} />}
    </div>
  )
}

function ToastLine({ toast }: { toast: Toast }) {
  const [isPaused, setIsPaused] = useState(false)
  useEffect(() => {
    if (isPaused) return undefined
    // The time restarts when the pointer leaves.
    const timer = setTimeout(() => dismissToast(toast.id), toast.forMilliseconds)
    return () => clearTimeout(timer)
  }, [isPaused, toast])

  return (
    <div
      className={styles.toast}
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={() => setIsPaused(true)}
      onBlur={() => setIsPaused(false)}
    >
      <span className={styles.words}>{toast.text}</span>
      {[toast.action, toast.otherAction].map(
        (action) =>
          action && (
            <button
              key={action.label}
              type="button"
              className={styles.action}
              onClick={() => {
                action.onPress()
                dismissToast(toast.id)
              }}
            >
              {action.label}
            </button>
          ),
      )}
    </div>
  )
}

interface ChangeDetails {
  readonly event: Event
  cancel: () => void
}

/** Ignores clicks on a toast as outside clicks: Undo must not close the dialog it belongs to. */
export const keepOpenForNotices =
  (onOpenChange: (open: boolean) => void) => (open: boolean, details: ChangeDetails) => {
    const { target } = details.event
    if (!open && target instanceof Element && target.closest('[data-notices]')) return details.cancel()
    onOpenChange(open)
  }
