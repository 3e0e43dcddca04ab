import type { ReactNode } from 'react'
import { Sheet } from '#ui/Sheet.tsx'
import type { SheetPartProps } from './sheet-style.ts'

/** Places that were left behind; whoever keeps them gives the list. */
export function EarlierSheet({ open, onOpenChange, children }: SheetPartProps & { children: ReactNode }) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Earlier places">
      {children}
    </Sheet>
  )
}
