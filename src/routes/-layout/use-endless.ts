import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'

interface EndlessList {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly fetchNextPage: () => unknown
}

/**
 * Loads more when the marked end of a list comes within `marginPx` of the screen. The button
 * beside it is for keyboards and for when this fails (OP-50): a failed request is not repeated by itself, or a
 * list whose end is in sight would ask over and over.
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
