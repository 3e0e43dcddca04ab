import { create } from 'zustand'

/**
 * The number of titles in the bag, for the header. In its own file, so that the initial bundle loads no more
 * of the bag.
 */
export const useBagCount = create(() => 0)
