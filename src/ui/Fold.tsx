import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { cx } from './cx.ts'
import styles from './Fold.module.css'

interface FoldProps {
  /** The collapsed height in px, below 768 px and from there on. */
  phone: number
  desktop: number
  more?: string
  less?: string
  /** The text is cut mid-sentence, and an ellipsis marks it. */
  prose?: boolean
  of: string
  className?: string | undefined
  children: ReactNode
}

/** Long text, collapsed to a height. The button is shown only if some of the text is hidden. */
export function Fold({
  phone,
  desktop,
  more = 'Read more',
  less = 'Read less',
  prose = false,
  of,
  className,
  children,
}: FoldProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [long, setLong] = useState(false)
  const [lines, setLines] = useState(0)

  useEffect(() => {
    const view = box.current
    if (!view || open) return undefined
    const look = () => {
      setLong(view.scrollHeight > view.clientHeight + 1)
      if (prose) setLines(linesIn(view))
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(view)
    return () => sizes.disconnect()
  }, [open, prose])

  return (
    <div>
      <div
        ref={box}
        id={id}
        className={cx(
          styles.fold,
          className,
          open && styles.open,
          long && !open && styles.cut,
          long && !open && lines > 0 && styles.dotted,
        )}
        style={{ '--fold-phone': `${phone}px`, '--fold-desktop': `${desktop}px`, '--lines': lines }}
        // Focus on a hidden link opens the fold instead of scrolling inside it.
        onFocus={() => long && setOpen(true)}
      >
        {children}
      </div>
      {long && (
        <Button
          look="text"
          aria-expanded={open}
          aria-controls={id}
          aria-label={`${open ? less : more}, ${of}`}
          onClick={() => setOpen(!open)}
        >
          {open ? less : more}
        </Button>
      )}
    </div>
  )
}

/** The number of whole text lines that fit into the box, without the gaps between paragraphs. */
function linesIn(view: HTMLElement): number {
  const height = Number.parseFloat(getComputedStyle(view).lineHeight)
  const top = view.getBoundingClientRect().top
  const whole = Math.floor(view.clientHeight / height)
  const seen = new Set<number>()
  const texts = document.createTreeWalker(view, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode)
    for (const { top: at } of range.getClientRects()) seen.add(Math.floor((at - top) / height))
  }
  return [...seen].filter((line) => line >= 0 && line < whole).length
}
