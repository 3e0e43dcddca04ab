import { useEffect, useState } from 'react'
import { leaveView, viewing } from '#session/viewing.ts'
import { Button } from '#ui/Button.tsx'
import styles from './frame.module.css'

/** On top of every screen while a member of staff sees the shop as somebody else. */
export function ViewingBar() {
  const endsAtMs = Date.parse(viewing?.endsAt ?? '')
  const [isOver, setOver] = useState(() => endsAtMs <= Date.now())
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), Math.max(0, endsAtMs - Date.now()))
    return () => clearTimeout(timer)
  }, [endsAtMs])
  if (!viewing) return null
  return (
    <div className={styles.viewing} role="region" aria-label="You see the shop as somebody else">
      <p>
        {isOver
          ? `The half hour as ${viewing.name} is over.`
          : `You see the shop as ${viewing.name}. Read only.`}
      </p>
      <Button look="quiet" onClick={leaveView}>
        Leave
      </Button>
    </div>
  )
}
