import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { useState } from 'react'
import type { Receipt } from '#storage/places-db.ts'
import { Icon } from '#ui/Icon.tsx'
import { receiptWords } from './model.ts'
import styles from './history.module.css'
import { when } from './when.ts'

/** Places heard without a connection have arrived: a tick, and on a press how much and when. */
export function SavedLate({ receipt, nowMs }: { receipt: Receipt; nowMs: number }) {
  const [open, setOpen] = useState(false)
  const at = (ms: number) => when(new Date(ms).toISOString(), nowMs)
  const words = receiptWords(receipt.listenedSeconds, at(receipt.heardFromMs), at(receipt.savedAtMs))
  if (!words) return null
  return (
    <button type="button" className={styles.saved} aria-expanded={open} onClick={() => setOpen(!open)}>
      <Icon of={CheckIcon} size={16} />
      {open ? words : 'Saved'}
    </button>
  )
}
