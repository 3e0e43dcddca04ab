import { create } from 'zustand'

/** Whether the shelf is open beside the page; null before anybody asked for it. */
export const useShelfDrawer = create<{ open: boolean | null }>()(() => ({ open: null }))
export const openShelf = (open: boolean): void => useShelfDrawer.setState({ open })
