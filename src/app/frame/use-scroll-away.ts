import { useEffect, useState } from 'react'

/** The distance down before the header leaves (HDR-07). */
const LEAVE_AFTER_PX = 20

/** `away` once the reader goes down, back at the first move up; never while `isPinned` by an open menu. */
export function useScrollAway(isPinned: boolean) {
  const [state, setState] = useState({ away: false, scrolled: false })

  useEffect(() => {
    // The point where the way down began. Moves with the reader on the way up.
    let turned = scrollTop()
    const look = () => {
      const top = scrollTop()
      const away = !isPinned && top > turned + LEAVE_AFTER_PX
      const back = top < turned || top === 0
      if (back) turned = top
      setState((before) => {
        const next = { away: isPinned || back ? false : away || before.away, scrolled: top > 4 }
        return next.away === before.away && next.scrolled === before.scrolled ? before : next
      })
      // From here on one pixel up is enough to bring it back.
      if (away) turned = top
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [isPinned])

  return state
}

/** iOS bounces past both ends; a bounce is not a change of mind. */
function scrollTop() {
  const end = document.documentElement.scrollHeight - window.innerHeight
  return Math.max(0, Math.min(window.scrollY, Math.max(0, end)))
}
