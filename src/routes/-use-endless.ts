import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'

/**
 * Loads more by itself when the marked end of a list comes into sight, `marginPx` before it does. The button
 * beside it is for keyboards and for when this fails (OP-50).
 */
export function useEndless(
  active: boolean,
  marginPx: number,
  load: () => void,
): RefObject<HTMLDivElement | null> {
  const mark = useRef<HTMLDivElement>(null)
  const inSight = useEffectEvent(load)
  useEffect(() => {
    if (!active || !mark.current || !('IntersectionObserver' in window)) return
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
