import { useLayoutEffect } from 'react'
import { create } from 'zustand'
import type { TitleTheme } from './title-theme.ts'

const useBandStore = create<{ theme: TitleTheme | null }>()(() => ({ theme: null }))
export const useCurrentBand = () => useBandStore(({ theme }) => theme)

/**
 * Puts the header into a title's colours while the calling screen shows a band directly below it. On the server use the
 * header's `band` prop: an effect does not run there.
 */
export function useBand(theme: TitleTheme | null | undefined) {
  // Layout effect: header and band must change their colour in the same frame.
  useLayoutEffect(() => {
    if (!theme) return undefined
    useBandStore.setState({ theme })
    return () => {
      // The next screen may have set its own band first.
      if (useBandStore.getState().theme === theme) useBandStore.setState({ theme: null })
    }
  }, [theme])
}
