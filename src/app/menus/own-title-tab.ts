import { useLayoutEffect } from 'react'
import { create } from 'zustand'

const useOwnTitle = create<{ isShown: boolean }>()(() => ({ isShown: false }))
export const useOwnTitleShown = () => useOwnTitle(({ isShown }) => isShown)

/** While the calling screen shows a title of the listener's own, "Library" is the current tab, not "Browse". */
export function useOwnTitleTab(isOwned: boolean) {
  useLayoutEffect(() => {
    useOwnTitle.setState({ isShown: isOwned })
    return () => useOwnTitle.setState({ isShown: false })
  }, [isOwned])
}
