import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { thePlayer } from '#features/player/lazy.ts'
import { sameTitle } from '#features/player/model.ts'
import { unlockSound } from '#features/player/sound-element.ts'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import type { Sentence } from '#features/in-step/in-step.ts'
import { connectivity } from '#net/connectivity.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { toast } from '#ui/toast.ts'
import type { Tap } from './engine.ts'
import { paperStyle } from './book-styles.ts'
import { ContentsSheet, LookSheet, NoteSheet, SearchSheet } from './ReaderSheets.tsx'
import { MarkBar, FootBar, TopBar } from './ReaderBars.tsx'
import type { ChosenWords } from './marked-words.ts'
import { tapZone, turnFor, type Turn } from './model.ts'
import type { CannotOpen } from './open-file.ts'
import styles from './reading.module.css'
import { useHighlights, useBook, type BookToRead } from './use-book.ts'
import { useReadAlong } from './use-read-along.ts'

const ReadAlong = lazyPart(() => import('./ReadAlong.tsx'), 'ReadAlong')

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
  // Sound that plays already is followed.
  const [isAlong, setIsAlong] = useState(() => plays(book.audioBook))

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
  const onTap = (at: Tap) => {
    engine?.marks.point(undefined)
    // The tap was meant for the highlight under it, or closes an open one.
    if (pressed !== undefined) return setPressed(undefined)
    const sentence = follows && at.locator && !isAtEdge(at) ? along.around(at.locator) : undefined
    if (sentence) return listen(sentence)
    const zone = look.flow === 'scrolled' ? 'middle' : tapZone(at, window.innerWidth)
    if (zone === 'middle') setWithdrawn(!withdrawn)
    else turn(zone)
  }
  const { engine, file, spot, failure, look, scheme, setLook } = useBook(book, host, {
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
  const along = useReadAlong(book, file)
  const follows = isAlong && along !== undefined
  const listen = (sentence: Sentence) => {
    setIsAlong(true)
    void playFrom(book.audioBook ?? '', sentence).catch(() => {
      setIsAlong(false)
      toast(
        connectivity.snapshot() === 'offline'
          ? 'The sound needs a connection.'
          : 'The sound didn’t start. Try again.',
      )
    })
  }
  const firstHere = along && spot ? along.from(spot.locator) : undefined
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
        onListen={firstHere && !follows ? () => listen(firstHere) : undefined}
      />
      {!engine && <p className={styles.opening}>Opening the book</p>}
      <div ref={host} className={styles.page} data-flow={look.flow} />
      {follows && engine && book.audioBook && (
        <Suspense>
          <ReadAlong
            along={along}
            engine={engine}
            audioBook={book.audioBook}
            spot={spot}
            onStop={() => setIsAlong(false)}
          />
        </Suspense>
      )}
      {spot && !follows && (
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

const isOf = (audioBook: string | undefined) =>
  audioBook !== undefined && sameTitle(usePlayer.getState().state.title, { slug: audioBook, kind: 'book' })
const plays = (audioBook: string | undefined) => isOf(audioBook) && wantsSound(usePlayer.getState().state)

/** Here, or in the player's window if the book plays there. Has to be called in a press. */
async function playFrom(audioBook: string, { chapter, start }: Sentence): Promise<void> {
  const { isInOtherWindow, controls } = usePlayer.getState()
  const at = { chapter, seconds: start }
  if (isInOtherWindow && isOf(audioBook)) {
    controls?.goTo(at)
    return controls?.play()
  }
  unlockSound()
  await (await thePlayer()).open({ slug: audioBook, kind: 'book' }, { play: true, at })
}

/** While the book is heard, a tap plays the sentence under it; only the edges turn the page. */
const EDGE = 0.1
const isAtEdge = ({ x }: Tap) => x < window.innerWidth * EDGE || x > window.innerWidth * (1 - EDGE)

/** Space activates the focused control; it turns the page only if no control has the focus. */
const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('button, a, input, select, textarea') !== null
