import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'

interface EndlessList {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly fetchNextPage: () => unknown
}

/**
 * Loads more by itself when the marked end of a list comes into sight, `marginPx` before it does. The button
 * beside it is for keyboards and for when this fails (OP-50): what failed is not asked for again unasked, or a
 * list whose end is in sight would ask without a pause.
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
        // The end counts as near also above the view: a long throw of the page goes past it at once.
        rootMargin: `1000000px 0px ${marginPx}px`,
      },
    )
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [active, marginPx])
  return mark
}
