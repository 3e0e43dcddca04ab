import { useEffect, useRef, useState, type ReactNode } from 'react'
import { paperStyle } from './book-styles.ts'
import { ContentsSheet, LookSheet, NoteSheet, SearchSheet } from './ReaderSheets.tsx'
import { MarkBar, FootBar, TopBar } from './ReaderBars.tsx'
import type { ChosenWords } from './marked-words.ts'
import { tapZone, turnFor, type Turn } from './model.ts'
import type { CannotOpen } from './open-file.ts'
import styles from './reading.module.css'
import { useHighlights, useBook, type BookToRead } from './use-book.ts'

interface ReaderProps {
  book: BookToRead
  onClose: () => void
  failed: (why: CannotOpen['why']) => ReactNode
}

/** One book in the whole window. The top bar hides while reading and returns on a tap or with focus. */
export function Reader({ book, onClose, failed }: ReaderProps) {
  const host = useRef<HTMLDivElement>(null)
  const [withdrawn, setWithdrawn] = useState(false)
  const [panel, setPanel] = useState<'contents' | 'look' | 'search' | 'note'>()
  const [chosen, setChosen] = useState<ChosenWords>()
  const [pressed, setPressed] = useState<string>()

  const turn = (way: Turn) => {
    if (way === 'close') return onClose()
    setWithdrawn(true)
    engine?.marks.point(undefined)
    void engine?.turn(way)
  }
  const onKey = (event: KeyboardEvent) => {
    if (marked && !panel && event.key === 'Escape') return letGo()
    const way = panel || event.defaultPrevented ? undefined : turnFor(event)
    if (!way || (event.key === ' ' && isControl(event.target))) return
    event.preventDefault()
    turn(way)
  }
  const onTap = (at: { x: number; y: number }) => {
    engine?.marks.point(undefined)
    // The tap was meant for the highlight under it, or closes an open one.
    if (pressed !== undefined) return setPressed(undefined)
    const zone = look.flow === 'scrolled' ? 'middle' : tapZone(at, window.innerWidth)
    if (zone === 'middle') setWithdrawn(!withdrawn)
    else turn(zone)
  }
  const { engine, spot, failure, look, scheme, setLook } = useBook(book, host, {
    onTap,
    onKey,
    onPaged() {
      setWithdrawn(true)
      engine?.marks.point(undefined)
    },
    onChoose(words) {
      setChosen(words)
      if (words) setPressed(undefined)
    },
    onHighlight: setPressed,
  })
  const highlights = useHighlights(book.ownerUuid, book.slug, engine)
  const highlight = highlights.list.find(({ locator }) => locator === (chosen?.locator ?? pressed))
  const marked = highlight ?? chosen
  const letGo = () => {
    setPressed(undefined)
    setChosen(undefined)
    engine?.marks.letGo()
  }
  const save = (note: string) => {
    if (highlight) highlights.write(highlight, note)
    else if (chosen && spot) highlights.add(chosen, spot, note)
    setPanel(undefined)
    letGo()
  }

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
  const search = () => {
    // A new search starts without the last one's highlight.
    engine?.marks.point(undefined)
    setPanel('search')
  }
  const goTo = (target: string) => {
    setPanel(undefined)
    void engine?.goTo(target)
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
        onSearch={search}
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
          onGoTo={(share) => void engine?.goToShare(share)}
        />
      )}
      {marked && panel !== 'note' && (
        <MarkBar
          marked={highlight !== undefined}
          note={highlight?.note ?? ''}
          quote={marked.quote}
          onHighlight={() => save('')}
          onNote={() => setPanel('note')}
          onRemove={() => {
            if (highlight) highlights.remove(highlight)
            letGo()
          }}
          onClose={letGo}
        />
      )}
      {marked && panel === 'note' && (
        <NoteSheet
          open
          onOpenChange={closing}
          scheme={scheme}
          quote={marked.quote}
          note={highlight?.note ?? ''}
          onSave={save}
        />
      )}
      {engine && (
        <SearchSheet
          open={panel === 'search'}
          onOpenChange={closing}
          scheme={scheme}
          engine={engine}
          onChoose={(locator) => {
            engine.marks.point(locator)
            goTo(locator)
          }}
        />
      )}
      <ContentsSheet
        open={panel === 'contents'}
        onOpenChange={closing}
        scheme={scheme}
        contents={engine?.contents ?? []}
        current={spot?.chapterHref ?? null}
        highlights={highlights.list}
        onSearch={search}
        onChoose={goTo}
      />
      <LookSheet
        open={panel === 'look'}
        onOpenChange={closing}
        scheme={scheme}
        look={look}
        onChange={setLook}
      />
      {look.dim > 0 && <div className={styles.dim} style={{ opacity: look.dim / 100 }} aria-hidden="true" />}
    </section>
  )
}

/** Space activates the focused control; it turns the page only if no control has the focus. */
const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('button, a, input, select, textarea') !== null
