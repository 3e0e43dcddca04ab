import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { startView, VIEWING } from '#session/viewing.ts'
import { tabStorage } from '#storage/page-storage.ts'
import { Button } from '#ui/Button.tsx'
import styles from './viewing-bar.module.css'

/** Before the app starts. The bar is on top of every screen, outside the app's own tree. */
export function openView(startApp: () => void): void {
  startView()
  const [, endsAtMs = '', name = ''] = (tabStorage.getItem(VIEWING) ?? '').split(',')
  const place = document.createElement('div')
  place.className = styles.bar!
  document.body.prepend(place)
  createRoot(place).render(<ViewingBar name={decodeURIComponent(name)} endsAtMs={Number(endsAtMs)} />)
  startApp()
}

function ViewingBar({ name, endsAtMs }: { readonly name: string; readonly endsAtMs: number }) {
  const [isOver, setOver] = useState(() => endsAtMs <= Date.now())
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), Math.max(0, endsAtMs - Date.now()))
    return () => clearTimeout(timer)
  }, [endsAtMs])
  return (
    <div className={styles.words} role="region" aria-label="You see the shop as somebody else">
      <p>{isOver ? `The half hour as ${name} is over.` : `You see the shop as ${name}. Read only.`}</p>
      <Button look="text" onClick={leaveView}>
        Leave
      </Button>
    </div>
  )
}

/** Back to the shop as whoever uses this browser. */
function leaveView(): void {
  tabStorage.removeItem(VIEWING)
  window.name = ''
  location.replace('/')
}
