import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft'
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { Children, isValidElement, useEffect, useId, useRef, useState, type ReactNode } from 'react'
import styles from './Carousel.module.css'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import { iconButtonClass } from './IconButton.tsx'
import { SectionHead } from './SectionHead.tsx'

interface CarouselProps {
  title: string
  level?: 'h2' | 'h3' | undefined
  more?: ReactNode | undefined
  /** Slides with a paragraph: 1.4 of them on phones. */
  wideOnPhones?: boolean
  /** One element with a key per slide. */
  children: ReactNode
  className?: string | undefined
}

/**
 * Native scrolling with snap points: 2.2 slides on phones, 4 and arrows from 768 px on. It scrolls only if
 * the slides don't fit (CONST-07), and never automatically.
 */
export function Carousel({ title, level, more, wideOnPhones, children, className }: CarouselProps) {
  const headingId = useId()
  const list = useRef<HTMLUListElement>(null)
  const slides = Children.toArray(children)
  const slides4 = slides.length > 4
  const { atStart, atEnd } = useEnds(list)

  const turn = (direction: 1 | -1) => {
    const view = list.current
    view?.scrollBy({ left: direction * view.clientWidth * 0.9 })
  }

  return (
    <section className={cx(styles.carousel, className)} aria-labelledby={headingId}>
      <SectionHead title={title} id={headingId} level={level}>
        {(more || slides4) && (
          <div className={styles.tools}>
            {more}
            {slides4 && (
              <div className={styles.arrows}>
                <Arrow
                  label={`Previous, ${title}`}
                  icon={CaretLeftIcon}
                  off={atStart}
                  onPress={() => turn(-1)}
                />
                <Arrow label={`Next, ${title}`} icon={CaretRightIcon} off={atEnd} onPress={() => turn(1)} />
              </div>
            )}
          </div>
        )}
      </SectionHead>
      <ul
        ref={list}
        role="list"
        className={cx(
          styles.list,
          wideOnPhones && styles.wideOnPhones,
          slides.length <= 2 && styles.stillOnPhones,
          !slides4 && styles.stillOnDesktop,
          slides.length === 1 && styles.single,
        )}
      >
        {slides.map((slide, index) => (
          <li key={isValidElement(slide) ? slide.key : index}>{slide}</li>
        ))}
      </ul>
    </section>
  )
}

interface ArrowProps {
  label: string
  icon: typeof CaretLeftIcon
  off: boolean
  onPress: () => void
}

/** `aria-disabled` at the ends, because a disabled button would lose its focus. */
function Arrow({ label, icon, off, onPress }: ArrowProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={off}
      className={iconButtonClass({}, styles.arrow)}
      onClick={() => !off && onPress()}
    >
      <Icon of={icon} />
    </button>
  )
}

function useEnds(list: { current: HTMLElement | null }) {
  const [ends, setEnds] = useState({ atStart: true, atEnd: false })
  useEffect(() => {
    const view = list.current
    if (!view) return undefined
    const look = () =>
      setEnds((before) => {
        const atStart = view.scrollLeft < 8
        const atEnd = view.scrollLeft + view.clientWidth > view.scrollWidth - 8
        return before.atStart === atStart && before.atEnd === atEnd ? before : { atStart, atEnd }
      })
    // Checks at the start, on every resize, and when slides are added or removed.
    const sizes = new ResizeObserver(look)
    sizes.observe(view)
    const slides = new MutationObserver(look)
    slides.observe(view, { childList: true })
    view.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      slides.disconnect()
      view.removeEventListener('scroll', look)
    }
  }, [list])
  return ends
}
