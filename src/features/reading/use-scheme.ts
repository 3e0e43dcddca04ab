import { useSyncExternalStore } from 'react'
import { readScheme } from '#ui/scheme.ts'
import type { Colours, Scheme } from './model.ts'

/** The paper to read on: the reader's choice, or what the app looks like, also when that changes. */
export function useScheme(colours: Colours): Scheme {
  const app = useSyncExternalStore(watch, appScheme, () => 'light' as const)
  return colours === 'app' ? app : colours
}

const DARK = '(prefers-color-scheme: dark)'

function appScheme(): 'light' | 'dark' {
  const chosen = readScheme()
  if (chosen !== 'system') return chosen
  return window.matchMedia(DARK).matches ? 'dark' : 'light'
}

function watch(changed: () => void) {
  const query = window.matchMedia(DARK)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}
