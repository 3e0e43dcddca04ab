interface Edges {
  readonly atHead: boolean
  readonly atFoot: boolean
}

/** The last notch of a scroll must not also turn: the finger or wheel has to push on at the edge. */
const SETTLED_MS = 300
const PUSH_PX = 150
const SWIPE_PX = 60

/**
 * Foliate scrolls one section at a time. A reader who pushes on at its end, by wheel or finger, comes into the next
 * one. `edges` is undefined while the book is not scrolled.
 */
export function turnAtEdges(
  target: GlobalEventHandlers,
  edges: () => Edges | undefined,
  turn: (way: 'next' | 'previous') => void,
): void {
  let movedAt = 0
  let pushed = 0
  const onWheel = ({ deltaY, timeStamp }: WheelEvent) => {
    const at = edges()
    if (!at || !(deltaY > 0 ? at.atFoot : at.atHead)) {
      movedAt = timeStamp
      pushed = 0
      return
    }
    if (timeStamp - movedAt < SETTLED_MS) return
    pushed += deltaY
    if (Math.abs(pushed) < PUSH_PX) return
    pushed = 0
    movedAt = timeStamp
    turn(deltaY > 0 ? 'next' : 'previous')
  }

  let touch: (Edges & { y: number }) | undefined
  const onTouchStart = ({ touches }: TouchEvent) => {
    const at = edges()
    touch = at && touches.length === 1 && touches[0] ? { ...at, y: touches[0].screenY } : undefined
  }
  const onTouchEnd = ({ changedTouches }: TouchEvent) => {
    const up = touch && changedTouches[0] ? touch.y - changedTouches[0].screenY : 0
    if (touch?.atFoot && up > SWIPE_PX) turn('next')
    else if (touch?.atHead && up < -SWIPE_PX) turn('previous')
    touch = undefined
  }

  const passive = { passive: true }
  target.addEventListener('wheel', onWheel, passive)
  target.addEventListener('touchstart', onTouchStart, passive)
  target.addEventListener('touchend', onTouchEnd, passive)
}
