import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Place } from './places.ts'

interface ShellKeys {
  readonly places: readonly Place[]
  readonly singleKeys: boolean
  readonly onSearch: () => void
  readonly onHelp: () => void
}

/** How long G waits for the letter of a place. */
const AFTER_G_MS = 1_500

/** Ctrl K, /, ?, G and a letter, Ctrl Enter, Ctrl S and F6. Lists have keys of their own (`list/use-row-keys.ts`). */
export function useShellKeys({ places, singleKeys, onSearch, onHelp }: ShellKeys): void {
  const navigate = useNavigate()
  useEffect(() => {
    let pressedGAt = 0
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      const handled = withModifier(event) ?? (singleKeys && isFree(event) ? alone(event) : false)
      if (handled) event.preventDefault()
    }

    const withModifier = (event: KeyboardEvent): boolean | undefined => {
      if (event.key === 'F6') return goAcross()
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return undefined
      if (event.key === 'k') return (onSearch(), true)
      if (event.key === 'Enter') return press('.button.beak')
      if (event.key === 's') return (press('[data-save]'), true)
      return false
    }

    const alone = ({ key }: KeyboardEvent): boolean => {
      const isAfterG = Date.now() - pressedGAt < AFTER_G_MS
      pressedGAt = key === 'g' && !isAfterG ? Date.now() : 0
      const place = isAfterG ? places.find((each) => each.key === key) : undefined
      if (place) return (void navigate({ to: place.to }), true)
      if (key === '?') return (onHelp(), true)
      if (key === '/') return focusOn('[data-page-search]')
      return false
    }

    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [places, singleKeys, onSearch, onHelp, navigate])
}

/** The focus is not in a field, and no dialog or menu is open. */
export function isFree({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false
  if (document.querySelector('[role="dialog"]:not(.drawer), [role="menu"]')) return false
  return (
    !(target instanceof HTMLElement) ||
    !target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]')
  )
}

/** In the drawer if one is open, else on the page. */
function press(selector: string): boolean {
  const found = [
    ...document.querySelectorAll<HTMLElement>(`.drawer ${selector}`),
    ...document.querySelectorAll<HTMLElement>(selector),
  ]
  found[0]?.click()
  return found.length > 0
}

function focusOn(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector)
  found?.focus()
  return found !== null
}

/** Moves the focus between a drawer and the page. */
function goAcross(): boolean {
  const drawer = document.querySelector<HTMLElement>('.drawer')
  if (!drawer) return false
  const isInside = drawer.contains(document.activeElement)
  const target = isInside ? document.getElementById('main') : drawer
  target?.focus()
  return true
}
