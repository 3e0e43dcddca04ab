import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useState } from 'react'
import {
  type LibrarySearch,
  type LibraryView,
  rememberView,
  searchOf,
  viewOf,
} from '#features/library/view.ts'

/** So long nothing was typed: then it goes into the address, which a browser counts. */
const TYPED_MS = 400

/** What the address says is looked at; what is typed is looked for at once, and stands in the address a moment later. */
export function useLibraryView(search: LibrarySearch) {
  const navigate = useNavigate()
  const view = viewOf(search)
  const [typed, setTyped] = useState(view.q)
  const [said, setSaid] = useState(view.q)
  // Back and forward bring another search.
  if (said !== view.q) {
    setSaid(view.q)
    setTyped(view.q)
  }
  const q = useDeferredValue(typed)

  const go = (change: Partial<LibraryView>) => {
    const next = { ...view, q: typed, ...change }
    setSaid(next.q)
    setTyped(next.q)
    if (change.sort ?? change.show) rememberView(next)
    void navigate({
      to: '/library',
      search: searchOf(next),
      replace: change.series === undefined,
      resetScroll: false,
    })
  }
  useEffect(() => {
    if (typed === view.q) return undefined
    const timer = setTimeout(() => {
      setSaid(typed)
      void navigate({
        to: '/library',
        search: searchOf({ ...search, q: typed }),
        replace: true,
        resetScroll: false,
      })
    }, TYPED_MS)
    return () => clearTimeout(timer)
  }, [typed, view.q, search, navigate])
  return { view, typed, setTyped, q: q.trim(), go }
}
