import { type ReactNode, Suspense, useRef } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'

const Pop = lazyPart(() => import('./Pop.tsx'), 'Pop')

interface PopButtonProps {
  readonly className: string
  /** The button. */
  readonly label: ReactNode
  readonly title: string
  readonly isOpen: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly align?: 'start' | 'end'
  readonly children: ReactNode
}

/** A button that opens a small panel below it. */
export function PopButton({
  className,
  label,
  title,
  isOpen,
  onOpenChange,
  align = 'start',
  children,
}: PopButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => onOpenChange(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <Suspense>
          <Pop title={title} anchor={button} align={align} onClose={() => onOpenChange(false)}>
            {children}
          </Pop>
        </Suspense>
      )}
    </>
  )
}
