import { create } from 'zustand'

/**
 * What the account menu opens over the page: whether the shelf is open. Null until the first request, because nothing is
 * loaded before it.
 */
export const useShelfDrawer = create<{ open: boolean | null; isLoggingOut?: boolean }>()(() => ({
  open: null,
}))
export const openShelf = (open: boolean): void => useShelfDrawer.setState({ open })
