import type { ReactNode } from 'react'
import { buttonClass, type ButtonLook } from '#ui/button-class.ts'
import { NavLink } from '../menus/NavLink.tsx'

export interface ShellButtonProps {
  to: string
  search?: Record<string, string | number> | undefined
  look: ButtonLook
  children: ReactNode
}

/** A way out of a screen, with a button's looks. */
export function ShellButton({ look, ...link }: ShellButtonProps) {
  return <NavLink {...link} className={buttonClass({ look })} />
}
