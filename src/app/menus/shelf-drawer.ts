import { create } from 'zustand'

/**
 * The library drawer and logout dialog of the account menu. `open` is null until the first request, because
 * nothing is loaded before it.
 */
export const useShelfDrawer = create<{ open: boolean | null; isLoggingOut?: boolean }>()(() => ({
  open: null,
}))
export const openShelf = (open: boolean): void => useShelfDrawer.setState({ open })
