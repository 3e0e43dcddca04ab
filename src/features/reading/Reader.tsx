import { useEffect, useRef, useState, type ReactNode } from 'react'
import { paperStyle } from './book-styles.ts'
import { ContentsSheet } from './ContentsSheet.tsx'
import { LookSheet } from './LookSheet.tsx'
import { tapZone, turnFor, type Turn } from './model.ts'
import type { CannotOpen } from './open-file.ts'
import styles from './reading.module.css'
import { FootBar, TopBar } from './ReaderBars.tsx'
import { useBook, type BookToRead } from './use-book.ts'

interface ReaderProps {
  book: BookToRead
  onClose: () => void
  failed: (why: CannotOpen['why']) => ReactNode
}

/** One book in the whole window. The top bar hides while reading and returns on a tap or with focus. */
export function Reader({ book, onClose, failed }: ReaderProps) {
  const host = useRef<HTMLDivElement>(null)
  const [withdrawn, setWithdrawn] = useState(false)
  const [panel, setPanel] = useState<'contents' | 'look'>()

  const turn = (way: Turn) => {
    if (way === 'close') return onClose()
    setWithdrawn(true)
    void engine?.turn(way)
  }
  const onKey = (event: KeyboardEvent) => {
    const way = panel || event.defaultPrevented ? undefined : turnFor(event)
    if (!way || (event.key === ' ' && isControl(event.target))) return
    event.preventDefault()
    turn(way)
  }
  const onTap = (at: { x: number; y: number }) => {
    const zone = look.flow === 'scrolled' ? 'middle' : tapZone(at, window.innerWidth)
    if (zone === 'middle') setWithdrawn(!withdrawn)
    else turn(zone)
  }
  const { engine, spot, failure, look, scheme, setLook } = useBook(book, host, {
    onTap,
    onKey,
    onPaged: () => setWithdrawn(true),
  })

  const press = useRef(onKey)
  useEffect(() => {
    press.current = onKey
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press.current(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  if (failure) return failed(failure.why)
  const closing = (open: boolean) => {
    if (!open) setPanel(undefined)
  }
  return (
    <section
      className={styles.reader}
      style={paperStyle(scheme)}
      data-scheme={scheme}
      aria-label={`Reading ${book.title}`}
      aria-busy={engine === undefined}
    >
      <TopBar
        title={book.title}
        chapter={spot?.chapter ?? ''}
        withdrawn={withdrawn && !panel}
        ready={engine !== undefined}
        onClose={onClose}
        onContents={() => setPanel('contents')}
        onLook={() => setPanel('look')}
      />
      {!engine && <p className={styles.opening}>Opening the book</p>}
      <div ref={host} className={styles.page} data-flow={look.flow} />
      {spot && (
        <FootBar
          title={book.title}
          spot={spot}
          onPrevious={() => turn('previous')}
          onNext={() => turn('next')}
        />
      )}
      <ContentsSheet
        open={panel === 'contents'}
        onOpenChange={closing}
        scheme={scheme}
        contents={engine?.contents ?? []}
        current={spot?.chapterHref ?? null}
        onChoose={(href) => {
          setPanel(undefined)
          void engine?.goTo(href)
        }}
      />
      <LookSheet
        open={panel === 'look'}
        onOpenChange={closing}
        scheme={scheme}
        look={look}
        onChange={setLook}
      />
    </section>
  )
}

/** Space presses the focused control; it turns the page only where nothing has focus. */
const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('button, a, input, select, textarea') !== null
