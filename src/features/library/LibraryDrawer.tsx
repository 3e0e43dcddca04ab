import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { LIBRARY_LOAD_MORE_PX } from '#contract/limits.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import styles from './library.module.css'
import { titleOf } from './model.ts'
import { libraryQuery } from './queries.ts'

interface LibraryDrawerProps {
  ownerUuid: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The listener's titles in a drawer over any page (LIB-03); loads more near the end (LIB-04). */
export function LibraryDrawer({ ownerUuid, open, onOpenChange }: LibraryDrawerProps) {
  const query = useInfiniteQuery({ ...libraryQuery(ownerUuid), enabled: open })
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const entries = query.data?.pages.flatMap((page) => page['hydra:member']) ?? []
  const end = useNearEnd(hasNextPage && !isFetchingNextPage, () => void fetchNextPage())
  const close = () => onOpenChange(false)
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Your shelf">
      {entries.length === 0 && !query.isPending && (
        <p className={styles.empty}>
          {query.isError ? 'We can’t load your library just now.' : 'Nothing here yet.'}
        </p>
      )}
      <ul role="list" className={styles.items} aria-busy={query.isFetching}>
        {entries.map((entry) => {
          const book = titleOf(entry)?.book
          return (
            book && (
              <li key={entry.id}>
                <Link
                  to={book.entityType === 'audioBook' ? '/audiobooks/$slug' : '/ebooks/$slug'}
                  params={{ slug: book.slug }}
                  onClick={close}
                >
                  <span className={styles.drawerTitle}>{book.title}</span>
                  <span className="quiet">{book.entityType === 'audioBook' ? 'Audiobook' : 'E-book'}</span>
                </Link>
              </li>
            )
          )
        })}
      </ul>
      {hasNextPage && (
        <div ref={end} className={styles.more}>
          <Button look="quiet" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
      <LinkButton to="/library" look="text" onClick={close}>
        See your whole library
      </LinkButton>
    </Sheet>
  )
}

/** Loads 150 px before the end; the drawer scrolls here, not the page. */
function useNearEnd(active: boolean, load: () => void) {
  /**
   * The drawer mounts its content after the first render: keep the element in state, so that the effect runs
   * again.
   */
  const [mark, setMark] = useState<HTMLElement | null>(null)
  const near = useEffectEvent(load)
  useEffect(() => {
    if (!active || !mark) return undefined
    const scroller = scrollerOf(mark)
    const look = () => {
      const left = mark.getBoundingClientRect().top - scroller.getBoundingClientRect().bottom
      if (left <= LIBRARY_LOAD_MORE_PX) near()
    }
    look()
    scroller.addEventListener('scroll', look, { passive: true })
    return () => scroller.removeEventListener('scroll', look)
  }, [active, mark])
  return setMark
}

function scrollerOf(element: HTMLElement): HTMLElement {
  for (let parent = element.parentElement; parent; parent = parent.parentElement)
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent
  return document.documentElement
}
