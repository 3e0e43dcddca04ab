import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '#ui/Button.tsx'
import styles from './layout.module.css'

interface LoadMoreProps {
  /** False when everything is loaded. */
  more: boolean
  busy: boolean
  failed?: boolean
  onPress: () => void
}

export function LoadMore({ more, busy, failed = false, onPress }: LoadMoreProps) {
  if (!more) return null
  return (
    <div className={styles.more}>
      <p role="status" className={styles.failed}>
        {failed && !busy && 'We couldn’t load any more. Please try again.'}
      </p>
      <Button look="quiet" busy={busy} onClick={onPress}>
        Load more
      </Button>
    </div>
  )
}

interface GrowingList {
  readonly fetchNextPage: () => Promise<{
    readonly data: { readonly pages: readonly unknown[] } | undefined
    readonly isFetchNextPageError: boolean
  }>
}

/**
 * Loads the next page and writes the number of pages into the address, unless it failed or the user has navigated away.
 */
export function useLoadMore(list: GrowingList, write: (pages: number) => void): () => void {
  const router = useRouter()
  const load = async () => {
    const asked = router.latestLocation.href
    const { data, isFetchNextPageError } = await list.fetchNextPage()
    if (data && !isFetchNextPageError && router.latestLocation.href === asked) write(data.pages.length)
  }
  return () => void load()
}

interface EndlessList {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly fetchNextPage: () => unknown
}

/**
 * Loads more when the end of a list comes within `marginPx` of the screen. After a failure it doesn't retry, or a
 * visible end would repeat the request endlessly; the button does (OP-50).
 */
export function useEndless(list: EndlessList, marginPx: number): RefObject<HTMLDivElement | null> {
  const active = list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError
  const mark = useRef<HTMLDivElement>(null)
  const inSight = useEffectEvent(() => void list.fetchNextPage())
  useEffect(() => {
    if (!active || !mark.current || !('IntersectionObserver' in window)) return undefined
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && inSight(),
      {
        // The end also counts when it is above the view: a fast scroll can jump past it.
        rootMargin: `1000000px 0px ${marginPx}px`,
      },
    )
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [active, marginPx])
  return mark
}
