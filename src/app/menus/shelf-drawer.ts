import { create } from 'zustand'

/** The shelf beside the page is open or not; null before anybody asked for it. */
export const useShelfDrawer = create<{ open: boolean | null }>()(() => ({ open: null }))
export const openShelf = (open: boolean): void => useShelfDrawer.setState({ open })
