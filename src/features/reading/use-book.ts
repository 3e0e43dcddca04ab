import { useEffect, useRef, useState, type RefObject, useSyncExternalStore } from 'react'
import type { Engine, EngineEvents } from './engine.ts'
import { storeLook, openPlaceSaver, readLook, type PlaceSaver } from './place-saver.ts'
import { USUAL_LOOK, type Look, type Scheme, type ReadingPosition, type Colours } from './model.ts'
import { CannotOpen, openFile } from './open-file.ts'
import { readScheme } from '#ui/scheme.ts'
import { flush } from '#sync/flush.ts'
import { followHighlights, highlightsOf, putHighlight, removeHighlight } from '#sync/marks.ts'
import type { Highlight } from '#storage/places-db.ts'
import { watchPlaces } from '#storage/places.ts'
import { within } from '#storage/wait.ts'
import { connectivity } from '#net/connectivity.ts'
import { toast } from '#ui/toast.ts'
import type { ChosenWords } from './marked-words.ts'

export interface BookToRead {
  readonly slug: string
  readonly title: string
  readonly ownerUuid: string
  /** The file's URL; `fresh` fetches a new one. Null if the book has no file. */
  readonly address: (anew: boolean) => Promise<string | null>
  /** Called when the book is open, with its bytes if they came from the network. */
  readonly opened?: ((fetched: ArrayBuffer | undefined) => void) | undefined
  readonly at?: string | undefined
  /** Slug of the same title as an audiobook. */
  readonly audioBook?: string | undefined
}

interface OpenBook {
  readonly engine: Engine | undefined
  readonly file: File | undefined
  readonly spot: ReadingPosition | undefined
  readonly failure: CannotOpen | undefined
  readonly look: Look
  readonly scheme: Scheme
  readonly setLook: (look: Look) => void
}

/** Opens a book in `host` at its stored position, and stores the position from then on. */
export function useBook(
  { slug, title, ownerUuid, address, opened: onOpened, at: goTo, audioBook }: BookToRead,
  host: RefObject<HTMLElement | null>,
  events: Omit<EngineEvents, 'onSpot'>,
): OpenBook {
  const [engine, setEngine] = useState<Engine>()
  const [read, setRead] = useState<File>()
  const [spot, setSpot] = useState<ReadingPosition>()
  const [failure, setFailure] = useState<CannotOpen>()
  const [look, setLook] = useState(USUAL_LOOK)
  const scheme = useScheme(look.colours)
  const latest = useRef({ events, scheme, address, onOpened })
  useEffect(() => {
    latest.current = { events, scheme, address, onOpened }
  })

  useEffect(() => {
    const leaving = new AbortController()
    const keeper = openPlaceSaver(ownerUuid, slug)
    let opened: Engine | undefined
    const open = async () => {
      const [file, { left, leftBehind }, kept, { openEngine }] = await Promise.all([
        openFile(
          ownerUuid,
          slug,
          (anew) => latest.current.address(anew),
          leaving.signal,
          (fetched) => latest.current.onOpened?.(fetched),
        ),
        lastSpot(keeper, { ownerUuid, slug, audioBook }),
        readLook(ownerUuid),
        import('./engine.ts'),
      ])
      if (leaving.signal.aborted || !host.current) return
      setLook(kept)
      const at = goTo === undefined ? left : { locator: goTo, share: left?.share ?? 0 }
      opened = await openEngine(
        { host: host.current, file, title, at, look: kept, scheme: latest.current.scheme },
        {
          onTap: (x) => latest.current.events.onTap(x),
          onKey: (event) => latest.current.events.onKey(event),
          onPaged: () => latest.current.events.onPaged(),
          onChoose: (words) => latest.current.events.onChoose(words),
          onHighlight: (locator) => latest.current.events.onHighlight(locator),
          onSpot: (next, moved) => show(next, moved, keeper, leaving.signal),
        },
      )
      if (leaving.signal.aborted) return opened.close()
      setRead(file)
      setEngine(opened)
      opened.focus()
      if (goTo === undefined && leftBehind) offerReturn(opened, leftBehind, leaving.signal)
    }
    const show = (next: ReadingPosition, moved: boolean, { keep }: PlaceSaver, { aborted }: AbortSignal) => {
      if (aborted) return
      setSpot(next)
      if (moved) keep(next)
    }
    open().catch((reason: unknown) => {
      if (!leaving.signal.aborted)
        setFailure(reason instanceof CannotOpen ? reason : new CannotOpen('unreadable'))
    })
    return () => {
      leaving.abort()
      keeper.stop()
      opened?.close()
      setEngine(undefined)
      setSpot(undefined)
      setFailure(undefined)
    }
  }, [ownerUuid, slug, title, host, goTo, audioBook])

  useEffect(() => engine?.dress(look, scheme), [engine, look, scheme])

  return {
    engine,
    file: read,
    spot,
    failure,
    look,
    scheme,
    setLook(next) {
      setLook(next)
      storeLook(ownerUuid, next)
    },
  }
}

/** How long opening waits to learn where the listener has listened since. */
const IN_STEP_MS = 1_500

/**
 * Where the reader stopped, or where the listener stopped the audiobook, if that was later. `leftBehind` is the page
 * that was read, if it comes after what was heard.
 */
async function lastSpot(
  keeper: PlaceSaver,
  { ownerUuid, slug, audioBook }: Pick<BookToRead, 'ownerUuid' | 'slug' | 'audioBook'>,
) {
  const left = await keeper.lastPlace()
  if (!audioBook) return { left, leftBehind: undefined }
  const heard = import('#features/in-step/switch.ts').then(async ({ isBefore, locatorFromListening }) => {
    const locator = await locatorFromListening(ownerUuid, audioBook, slug)
    if (!locator) return undefined
    const leftBehind = left && isBefore(locator, left.locator) ? left.locator : undefined
    return { left: { locator, share: left?.share ?? 0 }, leftBehind }
  })
  return (await within(IN_STEP_MS, heard).catch(() => undefined)) ?? { left, leftBehind: undefined }
}

/** Longer than other notices, because it offers undo. */
const RETURN_MS = 10_000

function offerReturn(engine: Engine, page: string, leaving: AbortSignal): void {
  const dismiss = toast('Opened where you last listened.', {
    action: { label: 'Back to your page', onPress: () => void engine.goTo(page) },
    forMilliseconds: RETURN_MS,
  })
  leaving.addEventListener('abort', dismiss, { once: true })
}

/** The paper to read on: the reader's choice, or the app's scheme, also when it changes. */
function useScheme(colours: Colours): Scheme {
  const app = useSyncExternalStore(watch, appScheme, () => 'light' as const)
  return colours === 'app' ? app : colours
}

const DARK = '(prefers-color-scheme: dark)'

function appScheme(): 'light' | 'dark' {
  const chosen = readScheme()
  if (chosen !== 'system') return chosen
  return window.matchMedia(DARK).matches ? 'dark' : 'light'
}

function watch(changed: () => void) {
  const query = window.matchMedia(DARK)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

export interface Highlights {
  readonly list: readonly Highlight[]
  add: (words: ChosenWords, spot: ReadingPosition, note?: string) => void
  write: (highlight: Highlight, note: string) => void
  remove: (highlight: Highlight) => void
}

/**
 * The reader's highlights of one book, drawn in its text; stored at once and sent when the server can be
 * reached.
 */
export function useHighlights(ownerUuid: string, slug: string, engine: Engine | undefined): Highlights {
  const [list, setList] = useState<readonly Highlight[]>([])
  useEffect(() => watchPlaces(ownerUuid, (db) => highlightsOf(db, slug), setList), [ownerUuid, slug])
  useEffect(() => {
    if (connectivity.snapshot() !== 'offline') void followHighlights(ownerUuid, slug).catch(() => undefined)
  }, [ownerUuid, slug])
  useEffect(() => engine?.marks.show(list.map(({ locator }) => locator)), [engine, list])

  const keep = (kept: Promise<unknown>) =>
    void kept.then(
      () => void flush(ownerUuid).catch(() => undefined),
      () => toast('That didn’t save. This device is out of space.'),
    )
  const put = (highlight: Parameters<typeof putHighlight>[1]) => keep(putHighlight(ownerUuid, highlight))
  return {
    list,
    add: ({ locator, quote }, { share, chapter }, note = '') =>
      put({
        ...{ id: crypto.randomUUID(), slug, locator, share, quote, chapter: chapter.slice(0, 300), note },
        madeAtMs: Date.now(),
      }),
    write: (highlight, note) => put({ ...highlight, note }),
    remove(highlight) {
      keep(removeHighlight(ownerUuid, highlight.id))
      // A new id: a removed highlight stays removed on every device.
      const back = () => put({ ...highlight, id: crypto.randomUUID() })
      toast('Highlight removed.', { action: { label: 'Undo', onPress: back } })
    },
  }
}
